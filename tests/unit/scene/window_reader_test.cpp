#include "parsimap/scene/window_reader.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "parsimap/core/random.hpp"
#include "parsimap/scene/memory_scene.hpp"

using namespace parsimap;

namespace {

constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();
constexpr Index kWidth = 20;
constexpr Index kBands = 50;

// 20 x 10 pixels x 50 bands; values everywhere, or in the window of columns 3..5 and rows 4..7 only.
MemoryScene scene_of(bool sparse) {
  Random random(1);
  Spectra values = random.normal_matrix(kWidth * 10, kBands).cast<float>();
  for (Index pixel = 0; sparse && pixel < values.rows(); ++pixel) {
    const Index column = pixel % kWidth;
    const Index row = pixel / kWidth;
    if (column < 3 || column > 5 || row < 4 || row > 7) {
      values.row(pixel).setConstant(kNoValue);
    }
  }
  RasterGrid grid;
  grid.width = kWidth;
  grid.height = 10;
  return {"scene", grid, BandTable(kBands), values};
}

Indices all_bands() {
  Indices bands;
  for (Index band = 0; band < kBands; ++band) {
    bands.push_back(band);
  }
  return bands;
}

const Window kAll = {0, 0, kWidth, 10};

}  // namespace

TEST_CASE("a sparse window costs one band and the window around its values") {
  MemoryScene scene = scene_of(true);
  const Indices bands = all_bands();
  WindowReader reader(scene, bands);
  const ValidSpectra input = reader.read(kAll);
  CHECK(input.window == Window{3, 4, 3, 4});
  CHECK(input.spectra.rows() == 12);
  CHECK(input.positions.empty());
  CHECK(scene.values_read() == 200 + 12 * kBands);
}

TEST_CASE("an empty window costs one band, one that is known to be empty nothing") {
  MemoryScene scene = scene_of(true);
  const Indices bands = all_bands();
  WindowReader reader(scene, bands);
  const ValidSpectra input = reader.read({6, 0, 10, 10});
  CHECK(input.spectra.rows() == 0);
  CHECK(input.window.pixels() == 0);
  CHECK(scene.values_read() == 100);
  scene.add_known_empty({6, 0, 14, 10});
  CHECK(reader.read({6, 0, 10, 10}).spectra.rows() == 0);
  CHECK(scene.values_read() == 100);
}

TEST_CASE("a dense scene is probed once") {
  MemoryScene scene = scene_of(false);
  const Indices bands = all_bands();
  WindowReader reader(scene, bands);
  for (Index row = 0; row < 10; ++row) {
    const ValidSpectra input = reader.read({0, row, kWidth, 1});
    CHECK(input.window == Window{0, row, kWidth, 1});
    CHECK(input.spectra.rows() == kWidth);
  }
  CHECK(scene.values_read() == kWidth + 200 * kBands);
}

TEST_CASE("pixels with a missing value in any band are left out, the others stay in order") {
  MemoryScene whole = scene_of(false);
  Spectra values;
  const Indices bands = all_bands();
  whole.read(kAll, bands, values);
  values(1, 7) = kNoValue;
  values(44, 0) = std::numeric_limits<float>::infinity();
  values(45, 49) = kNoValue;
  MemoryScene scene("holes", whole.grid(), whole.bands(), values);
  WindowReader reader(scene, bands);
  for (int pass = 0; pass < 2; ++pass) {  // the second one reads without a probe
    const ValidSpectra input = reader.read(kAll);
    REQUIRE(input.spectra.rows() == 197);
    CHECK(input.spectra.allFinite());
    for (Index i = 0; i < 197; ++i) {
      REQUIRE(input.spectra.row(i) == values.row(input.position(i)));
    }
    CHECK(input.position(1) == 2);
    CHECK(input.position(43) == 46);
  }
}

TEST_CASE("only the bands asked for matter") {
  MemoryScene whole = scene_of(false);
  Spectra values;
  whole.read(kAll, all_bands(), values);
  values.col(3).setConstant(kNoValue);
  MemoryScene scene("lost band", whole.grid(), whole.bands(), values);
  const Indices bands = {4, 9};
  WindowReader reader(scene, bands);
  const ValidSpectra input = reader.read(kAll);
  CHECK(input.spectra.rows() == 200);
  CHECK(input.spectra.col(1) == values.col(9));
}
