#include "parsimap/scene/open_scene.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "parsimap/core/error.hpp"

#include "support/memory_scene.hpp"
#include "unit/scene/plain_scene.hpp"

namespace parsimap::test {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
const RasterGrid kGrid{3, 2, std::nullopt, ""};

std::shared_ptr<MemoryScene> marks() {
  Spectra values(6, 2);
  values << 0, 0, 1, 0, 2, 0, kNan, 1, 3, 1, 0, 0;
  return std::make_shared<MemoryScene>("quality", kGrid, BandTable(2), values);
}

std::unique_ptr<SceneSource> scene() {
  Spectra values(6, 2);
  values << 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12;
  return std::make_unique<MemoryScene>("scene", kGrid, BandTable(2), values);
}

std::vector<QualityLayer> layers() {
  const auto source = marks();
  return {{"cloud", "QL_CLOUD", source, 0, {1, 3}}, {"snow", "QL_SNOW", source, 1, {1}}};
}

std::vector<bool> hidden(const std::vector<QualityLayer>& chosen) {
  Spectra values;
  leave_out_marked(scene(), chosen)->read({0, 0, 3, 2}, {1}, values);
  std::vector<bool> result;
  for (Index i = 0; i < values.rows(); ++i) {
    result.push_back(std::isnan(values(i, 0)));
    CHECK((result.back() || values(i, 0) == static_cast<float>(2 * i + 2)));
  }
  return result;
}

std::string refusal(const std::vector<std::string>& names) {
  try {
    choose_quality(layers(), names, "scene.xml");
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("pixels are left out where any chosen layer marks them, and where it has no value they are not") {
  CHECK(hidden({}) == std::vector<bool>{false, false, false, false, false, false});
  CHECK(hidden({layers()[0]}) == std::vector<bool>{false, true, false, false, true, false});
  CHECK(hidden(layers()) == std::vector<bool>{false, true, false, true, true, false});
}

TEST_CASE("clouds are left out unless something else is asked for, and none is nothing") {
  const auto names = [](const std::vector<QualityLayer>& chosen) {
    std::string text;
    for (const QualityLayer& layer : chosen) {
      text += layer.name + " ";
    }
    return text;
  };
  CHECK(names(choose_quality(layers(), std::nullopt, "s")) == "cloud ");
  CHECK(names(choose_quality({layers()[1]}, std::nullopt, "s")).empty());
  CHECK(names(choose_quality(layers(), std::vector<std::string>{"snow", "cloud"}, "s")) == "cloud snow ");
  CHECK(names(choose_quality(layers(), std::vector<std::string>{"none"}, "s")).empty());
}

TEST_CASE("a name that no layer has is refused with those that there are") {
  CHECK(refusal({"fog"}) == "--quality names 'fog', but scene.xml has the quality layers cloud, snow");
  CHECK(refusal({"cloud", "none"}) ==
        "--quality names 'none', but scene.xml has the quality layers cloud, snow; none goes alone");
  CHECK_THROWS_WITH_AS(choose_quality({}, std::vector<std::string>{"cloud"}, "a.tif"),
                       "--quality names 'cloud', but a.tif has no quality layers", ConfigError);
}

TEST_CASE("a layer of another size is refused, and name, bands and blocks stay those of the scene") {
  const auto other =
      std::make_shared<MemoryScene>("small", RasterGrid{2, 2, std::nullopt, ""}, BandTable(1), Spectra::Zero(4, 1));
  CHECK_THROWS_WITH_AS(leave_out_marked(scene(), {{"cloud", "", other, 0, {1}}}),
                       "small is 2 x 2 pixels, but scene is 3 x 2; a quality layer must lie on the scene's grid",
                       DataError);
  const std::unique_ptr<SceneSource> screened = leave_out_marked(scene(), layers());
  CHECK(screened->name() == "scene");
  CHECK(screened->bands().size() == 2);
  CHECK(screened->block_width() == 3);
  CHECK(screened->grid().width == 3);
}

namespace {

std::unique_ptr<MemoryScene> owned_scene(const std::string& name, Index width, Index height, const Spectra& values) {
  return std::make_unique<MemoryScene>(test::plain_scene(name, width, height, values));
}

Spectra column_of(std::initializer_list<float> values) {
  Spectra column(static_cast<Index>(values.size()), 1);
  std::copy(values.begin(), values.end(), column.data());
  return column;
}

}  // namespace

TEST_CASE("a masked scene has no value where the mask is zero or has none") {
  const float none = std::numeric_limits<float>::quiet_NaN();
  Spectra values(6, 2);
  values << 1, 2, 3, 4, 5, 6, 7, 8, 9, none, 11, 12;
  const auto scene =
      mask_scene(owned_scene("scene", 3, 2, values), owned_scene("mask", 3, 2, column_of({1, 0, -2, none, 255, 0.5F})));
  CHECK(scene->name() == "scene");
  CHECK(scene->bands().size() == 2);
  Spectra read;
  scene->read({0, 0, 3, 2}, {1, 0}, read);
  const std::vector<bool> shown = {true, false, true, false, true, true};
  for (Index pixel = 0; pixel < 6; ++pixel) {
    CAPTURE(pixel);
    CHECK(std::isnan(read(pixel, 1)) == !shown[static_cast<std::size_t>(pixel)]);
    CHECK(std::isnan(read(pixel, 0)) == (!shown[static_cast<std::size_t>(pixel)] || pixel == 4));
  }
  CHECK(read(2, 1) == 5);
  CHECK(read(2, 0) == 6);
  scene->read({1, 0, 2, 2}, {0}, read);
  CHECK(std::isnan(read(0, 0)));
  CHECK(read(1, 0) == 5);
  CHECK(read(3, 0) == 11);
}

TEST_CASE("a masked scene is empty where either of both is known to be") {
  auto inner = owned_scene("scene", 3, 2, Spectra::Ones(6, 2));
  inner->add_known_empty({0, 0, 1, 2});
  auto mask = owned_scene("mask", 3, 2, Spectra::Ones(6, 1));
  mask->add_known_empty({2, 0, 1, 2});
  const auto scene = mask_scene(std::move(inner), std::move(mask));
  CHECK(scene->known_empty({0, 0, 1, 1}));
  CHECK(scene->known_empty({2, 0, 1, 2}));
  CHECK_FALSE(scene->known_empty({1, 0, 1, 1}));
}

TEST_CASE("a mask of several bands is refused") {
  std::string message;
  try {
    mask_scene(owned_scene("scene", 3, 2, Spectra::Ones(6, 2)), owned_scene("mask.tif", 3, 2, Spectra::Ones(6, 3)));
  } catch (const DataError& error) {
    message = error.what();
  }
  CHECK(message == "the mask mask.tif has 3 bands; it must have one");
}

}  // namespace parsimap::test
