#include "parsimap/scene/resampled_scene.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "parsimap/core/random.hpp"
#include "parsimap/scene/memory_scene.hpp"

namespace parsimap::test {
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
  Indices all;
  for (Index band = 0; band < kBands; ++band) {
    all.push_back(band);
  }
  Spectra whole;
  scene->read({0, 0, 500, 300}, all, whole);
  CHECK(counter.largest_read() <= (std::int64_t{32} << 20U) / 4);
  Spectra part;
  for (const Window& window : {Window{0, 0, 500, 1}, Window{17, 139, 60, 3}, Window{499, 299, 1, 1}}) {
    scene->read(window, all, part);
    for (Index row = 0; row < window.height; ++row) {
      CHECK(part.middleRows(row * window.width, window.width) ==
            whole.middleRows((window.row + row) * grid.width + window.column, window.width));
    }
  }
}

}  // namespace parsimap::test
