#include "parsimap/scene/orthorectified_scene.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>

#include "parsimap/scene/memory_scene.hpp"

#include "unit/scene/toy_lookup.hpp"

namespace parsimap::test {
namespace {

constexpr Index kSensorWidth = 13;
constexpr Index kSensorHeight = 9;

Spectra spectra() {
  Spectra values(kSensorWidth * kSensorHeight, 3);
  for (Index pixel = 0; pixel < values.rows(); ++pixel) {
    values.row(pixel) << static_cast<float>(pixel), static_cast<float>(2 * pixel), 7;
  }
  values(20, 1) = std::nanf("");
  return values;
}

std::unique_ptr<MemoryScene> sensor_scene() {
  return std::make_unique<MemoryScene>("scene", RasterGrid{kSensorWidth, kSensorHeight, {}, ""}, BandTable(3),
                                       spectra());
}

}  // namespace

TEST_CASE("every pixel of the map has the spectrum of the pixel that it shows") {
  for (const auto& [block_width, block_height] :
       {std::pair<Index, Index>{kSensorWidth, 1}, {4, 4}, {1, 1}, {kSensorWidth, kSensorHeight}}) {
    auto source = sensor_scene();
    source->set_block_size(block_width, block_height);
    const ToyLookup table = turned_lookup(kSensorWidth, kSensorHeight);
    const auto scene = orthorectify(std::move(source), std::make_unique<ToyLookup>(table));
    CHECK(scene->name() == "scene");
    CHECK(scene->grid().geotransform.has_value());
    CHECK(scene->bands().size() == 3);
    CHECK(scene->block_width() == table.grid().width);
    const Spectra expected = spectra();
    for (const Window& window : {Window{0, 0, table.grid().width, table.grid().height}, Window{3, 2, 5, 7}}) {
      Spectra values;
      scene->read(window, {2, 1}, values);
      REQUIRE(values.rows() == window.pixels());
      for (Index i = 0; i < values.rows(); ++i) {
        const std::int64_t shown = table.shown(window.column + i % window.width, window.row + i / window.width);
        if (shown < 0) {
          CHECK((std::isnan(values(i, 0)) && std::isnan(values(i, 1))));
        } else {
          CHECK(values(i, 0) == 7);
          CHECK((values(i, 1) == expected(shown, 1) || (shown == 20 && std::isnan(values(i, 1)))));
        }
      }
    }
    CHECK_NOTHROW(scene->check_unchanged());
  }
}

TEST_CASE("no more of a scene is read than its storage blocks that are shown") {
  auto source = sensor_scene();
  source->set_block_size(4, 4);
  MemoryScene& scene = *source;
  const auto map =
      orthorectify(std::move(source), std::make_unique<ToyLookup>(turned_lookup(kSensorWidth, kSensorHeight)));
  Spectra values;
  map->read({0, 0, map->grid().width, map->grid().height}, {0}, values);
  CHECK(scene.values_read() <= kSensorWidth * kSensorHeight);
  CHECK(scene.largest_read() <= 16);
}

}  // namespace parsimap::test
