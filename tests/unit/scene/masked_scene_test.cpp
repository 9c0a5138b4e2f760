#include "parsimap/scene/masked_scene.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "parsimap/core/error.hpp"
#include "parsimap/scene/memory_scene.hpp"

#include "unit/scene/plain_scene.hpp"

using namespace parsimap;

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
