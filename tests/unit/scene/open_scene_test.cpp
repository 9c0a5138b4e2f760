#include "parsimap/scene/open_scene.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

#include "support/memory_scene.hpp"
#include "support/memory_segments.hpp"
#include "support/spectra.hpp"
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

TEST_CASE("behind its mask a scene is whole, and around what is shown it is there as far as is asked for") {
  Spectra ones = Spectra::Ones(6 * 5, 1);
  Spectra shown = Spectra::Zero(6 * 5, 1);
  shown(0, 0) = 1;          // a corner
  shown(3 * 6 + 4, 0) = 1;  // column 4, row 3
  const auto scene = mask_scene(owned_scene("scene", 6, 5, ones), owned_scene("mask", 6, 5, shown));
  REQUIRE(scene->masked() != nullptr);
  CHECK(&whole_scene(*scene) == &scene->masked()->whole());
  Spectra read;
  whole_scene(*scene).read({0, 0, 6, 5}, {0}, read);
  CHECK(read.allFinite());
  for (const Index reach : {0, 1, 2}) {
    const std::unique_ptr<SceneSource> around = scene->masked()->around_shown(reach);
    CHECK(&whole_scene(*around) == &whole_scene(*scene));
    // A window by itself is a part of the whole.
    for (const Window& window : {Window{0, 0, 6, 5}, Window{1, 1, 4, 3}, Window{5, 4, 1, 1}}) {
      around->read(window, {0}, read);
      for (Index i = 0; i < read.rows(); ++i) {
        const Index column = window.column + i % window.width;
        const Index row = window.row + i / window.width;
        const bool near = std::max(column, row) <= reach || std::max(std::abs(column - 4), std::abs(row - 3)) <= reach;
        CHECK(std::isfinite(read(i, 0)) == near);
      }
    }
  }
  auto plain = owned_scene("scene", 6, 5, ones);
  CHECK(&whole_scene(*plain) == plain.get());
}

TEST_CASE("a region shows the pixels with a number, of which the mask shows some") {
  const Region region{std::make_shared<MemorySegments>(4, std::vector<std::int64_t>{0, 0, 0, 0,  //
                                                                                    0, 1, 7, 0,  //
                                                                                    0, 0, 1, 0}),
                      {1, 1, 2, 2}};
  const auto shown = [&](std::unique_ptr<SceneSource> mask) {
    const auto scene = mask_scene(owned_scene("scene", 4, 3, Spectra::Ones(12, 1)), std::move(mask), region);
    CHECK(scene->known_empty({0, 0, 4, 1}));
    CHECK(scene->known_empty({3, 0, 1, 3}));
    CHECK_FALSE(scene->known_empty({0, 1, 2, 1}));
    Spectra values;
    scene->read({1, 1, 2, 2}, {0}, values);
    std::vector<bool> finite;
    for (Index i = 0; i < values.rows(); ++i) {
      finite.push_back(!std::isnan(values(i, 0)));
    }
    CHECK(finite == scene->masked()->shown({1, 1, 2, 2}));
    scene->check_unchanged();
    return finite;
  };
  CHECK(shown(nullptr) == std::vector<bool>{true, true, false, true});
  CHECK(shown(owned_scene("mask", 4, 3, column_of({1, 1, 1, 1, 1, 0, 1, 1, 1, 1, kNan, 1}))) ==
        std::vector<bool>{false, true, false, false});
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

namespace {

// Eight bands, 400, 500, ... 1100 nm; the fourth and fifth are bad.
BandTable eight_bands() {
  BandTable table;
  for (int i = 0; i < 8; ++i) {
    table.push_back({"", 400.0 + 100.0 * i});
  }
  table[0].name = "blue";
  table[2].name = "red, wide";
  table[5].name = "twin";
  table[6].name = "twin";
  table[7].name = "3";
  table[3].bad = true;
  table[4].bad = true;
  return table;
}

template <typename Error, typename Action>
std::string error_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("band lists: numbers, ranges, wavelengths and names") {
  const BandTable table = eight_bands();
  const auto bands = [&](const std::string& entry) { return bands_of_list(entry, table, "s.tif"); };
  CHECK(bands("1") == Indices{0});
  CHECK(bands("8, 2-4,3") == Indices{1, 2, 3, 7});
  CHECK(bands("2 - 2") == Indices{1});
  CHECK(bands("450-700nm") == Indices{1, 2, 3});
  CHECK(bands("500nm-700nm") == Indices{1, 2, 3});
  CHECK(bands("0.5-.7um,1") == Indices{0, 1, 2, 3});
  CHECK(bands("0.5-0.7 µm") == Indices{1, 2, 3});
  CHECK(bands("900nm-1.1um") == Indices{5, 6, 7});
  CHECK(bands("blue") == Indices{0});
  CHECK(bands("blue,8") == Indices{0, 7});
  CHECK(bands("red, wide") == Indices{2});
  CHECK(bands("3") == Indices{2});  // a number before the name of another band
}

TEST_CASE("band lists: what is refused, and why") {
  BandTable table = eight_bands();
  const auto refusal = [&](const std::string& entry) {
    return error_of<ConfigError>([&] { static_cast<void>(bands_of_list(entry, table, "s.tif")); });
  };
  CHECK(refusal("7-9") == "the list of bands '7-9' has '7-9', but bands of s.tif count from 1 to 8, and ranges ascend");
  CHECK(refusal("1,0") == "the list of bands '1,0' has '0', but bands of s.tif count from 1 to 8, and ranges ascend");
  CHECK(refusal("5-4") == "the list of bands '5-4' has '5-4', but bands of s.tif count from 1 to 8, and ranges ascend");
  CHECK(refusal("green") ==
        "the list of bands 'green' has 'green', which is no band of s.tif; bands are given by number (7), range "
        "(10-25), range of wavelengths (1350-1450nm, 1.35-1.45um) or name");
  CHECK(refusal("1,,2").find("has ''") != std::string::npos);
  CHECK(refusal("-3").find("has '-3', which is no band") != std::string::npos);
  CHECK(refusal("600nm").find("has '600nm', which is no band") != std::string::npos);
  CHECK(refusal("") == "the list of bands '' names no band");
  CHECK(refusal("twin") == "the list of bands 'twin' has 'twin', which is the name of several bands of s.tif");
  CHECK(refusal("410-490nm") ==
        "the list of bands '410-490nm' has '410-490nm', but no band of s.tif lies in this range");
  for (Band& band : table) {
    band.wavelength.reset();
  }
  CHECK(refusal("410-490nm") ==
        "the list of bands '410-490nm' has '410-490nm', but s.tif does not say the wavelengths of its bands");
}

TEST_CASE("band lists: what is too long for a number or a range is no band") {
  const BandTable table = eight_bands();
  const std::string digits(400, '9');
  for (const std::string& list : {digits + "nm-1000nm", "400-" + digits + "nm", std::string(1 << 20, '1'),
                                  "400" + std::string(1 << 20, ' ') + "- 500nm"}) {
    CHECK_THROWS_AS(bands_of_list(list, table, "scene"), ConfigError);
  }
}

TEST_CASE("bad bands are left out unless they are named") {
  const BandTable table = eight_bands();
  const ChosenBands usual = choose_bands(table, {}, "s.tif");
  CHECK(usual.bands == Indices{0, 1, 2, 5, 6, 7});
  CHECK(usual.dropped == std::vector<DroppedBand>{{3, "marked as bad"}, {4, "marked as bad"}});
  CHECK(usual.bad.empty());

  const ChosenBands named = choose_bands(table, {{"1-2", "700-900nm"}, {"2", "6"}}, "s.tif");
  CHECK(named.bands == Indices{0, 3, 4});
  CHECK(named.dropped ==
        std::vector<DroppedBand>{
            {1, "excluded"}, {2, "not chosen"}, {5, "excluded"}, {6, "not chosen"}, {7, "not chosen"}});
  CHECK(named.bad == Indices{3, 4});

  const ChosenBands excluded = choose_bands(table, {{}, {"1,4"}}, "s.tif");
  CHECK(excluded.bands == Indices{1, 2, 5, 6, 7});
  CHECK(excluded.dropped.front() == DroppedBand{0, "excluded"});
}

TEST_CASE("a choice that leaves nothing, and a list that marks everything") {
  BandTable table = eight_bands();
  CHECK(error_of<ConfigError>([&] {
          choose_bands(table, {{"1-3"}, {"1-5"}}, "s.tif");
        }) == "no band of s.tif is left to use: all 8 are bad, excluded or not chosen");
  for (Band& band : table) {
    band.bad = true;
  }
  CHECK(error_of<DataError>([&] {
          choose_bands(table, {{}, {"1"}}, "s.tif");
        }) ==
        "s.tif: its list of bad bands marks every one of its 8 bands as bad; correct the list, or name the bands to "
        "use");
  CHECK(choose_bands(table, {{"2-3"}, {}}, "s.tif").bands == Indices{1, 2});
}

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Three bands from four: 2 * b0 + 3 * b3, b1, and b1 + b2.
SpectralResampling three_of_four() {
  SpectralResampling plan;
  plan.weights = {{{0, 2.0}, {3, 3.0}}, {{1, 1.0}}, {{1, 1.0}, {2, 1.0}}};
  return plan;
}

std::unique_ptr<MemoryScene> scene_in_blocks(const RasterGrid& grid, const Spectra& values) {
  auto scene = std::make_unique<MemoryScene>("s.tif", grid, BandTable(static_cast<std::size_t>(values.cols())), values);
  scene->set_block_size(16, 8);
  return scene;
}

}  // namespace

TEST_CASE("bands are weighted sums of those behind, and only those that count are read") {
  RasterGrid grid;
  grid.width = 2;
  grid.height = 2;
  Spectra values(4, 4);
  values << 1, 2, 3, 4, 5, 6, 7, 8, kNaN, 10, 11, 12, 13, 14, kNaN, 16;
  std::unique_ptr<MemoryScene> behind = scene_in_blocks(grid, values);
  const MemoryScene& counter = *behind;
  const std::unique_ptr<SceneSource> scene =
      resample_scene(std::move(behind), three_of_four(), {{"a"}, {"b"}, {"c", {}, true}});
  CHECK(scene->name() == "s.tif");
  CHECK(scene->bands().size() == 3);
  CHECK(scene->bands()[2].name == "c");
  CHECK_FALSE(scene->bands()[2].bad);
  Spectra read;
  scene->read({0, 0, 2, 2}, {0, 1, 2}, read);
  REQUIRE(read.rows() == 4);
  CHECK(read(0, 0) == 14);
  CHECK(read(1, 1) == 6);
  CHECK(read(1, 2) == 13);
  // A band without a value spoils what is computed from it, and nothing else.
  CHECK(std::isnan(read(2, 0)));
  CHECK(read(2, 1) == 10);
  CHECK(std::isnan(read(3, 2)));
  CHECK(read(3, 0) == 74);
  const std::int64_t before = counter.values_read();
  scene->read({1, 0, 1, 2}, {1}, read);
  CHECK(counter.values_read() == before + 2);
  REQUIRE(read.cols() == 1);
  CHECK(read(1, 0) == 14);
}

TEST_CASE("large windows are read in parts, with the same values") {
  RasterGrid grid;
  grid.width = 500;
  grid.height = 300;
  constexpr Index kBands = 120;
  Spectra values(grid.pixels(), kBands);
  Random random(5);
  for (Index i = 0; i < values.size(); ++i) {
    values.data()[i] = static_cast<float>(random.uniform());
  }
  std::unique_ptr<MemoryScene> behind = scene_in_blocks(grid, values);
  const MemoryScene& counter = *behind;
  SpectralResampling plan;
  for (Index band = 0; band < kBands; ++band) {
    plan.weights.push_back({{band, 0.25}, {(band + 1) % kBands, 0.75}});
  }
  const std::unique_ptr<SceneSource> scene =
      resample_scene(std::move(behind), plan, BandTable(static_cast<std::size_t>(kBands)));
  const Spectra whole = values_of(*scene);
  CHECK(counter.largest_read() <= (std::int64_t{32} << 20U) / 4);
  Spectra part;
  for (const Window& window : {Window{0, 0, 500, 1}, Window{17, 139, 60, 3}, Window{499, 299, 1, 1}}) {
    scene->read(window, consecutive(kBands), part);
    for (Index row = 0; row < window.height; ++row) {
      CHECK(part.middleRows(row * window.width, window.width) ==
            whole.middleRows((window.row + row) * grid.width + window.column, window.width));
    }
  }
}

}  // namespace parsimap::test
