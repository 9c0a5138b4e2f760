#include "parsimap/scene/window_reader.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <set>

#include "parsimap/core/random.hpp"

#include "support/memory_scene.hpp"
#include "unit/scene/plain_scene.hpp"

namespace parsimap::test {
namespace {

constexpr Index kReadWidth = 20;
constexpr Index kReadBands = 50;

// 20 x 10 pixels x 50 bands; values everywhere, or in the window of columns 3..5 and rows 4..7 only.
MemoryScene scene_to_read(bool sparse) {
  Random random(1);
  Spectra values = random.normal_matrix(kReadWidth * 10, kReadBands).cast<float>();
  for (Index pixel = 0; sparse && pixel < values.rows(); ++pixel) {
    const Index column = pixel % kReadWidth;
    const Index row = pixel / kReadWidth;
    if (column < 3 || column > 5 || row < 4 || row > 7) {
      values.row(pixel).setConstant(test::kNoValue);
    }
  }
  return test::plain_scene("scene", kReadWidth, 10, values);
}

const Window kAll = {0, 0, kReadWidth, 10};

}  // namespace

TEST_CASE("a sparse window costs one band and the window around its values") {
  MemoryScene scene = scene_to_read(true);
  const Indices bands = test::all_bands(scene);
  WindowReader reader(scene, bands);
  const ValidSpectra input = reader.read(kAll);
  CHECK(input.window == Window{3, 4, 3, 4});
  CHECK(input.spectra.rows() == 12);
  CHECK(input.positions.empty());
  CHECK(scene.values_read() == 200 + 12 * kReadBands);
}

TEST_CASE("an empty window costs one band, one that is known to be empty nothing") {
  MemoryScene scene = scene_to_read(true);
  const Indices bands = test::all_bands(scene);
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
  MemoryScene scene = scene_to_read(false);
  const Indices bands = test::all_bands(scene);
  WindowReader reader(scene, bands);
  for (Index row = 0; row < 10; ++row) {
    const ValidSpectra input = reader.read({0, row, kReadWidth, 1});
    CHECK(input.window == Window{0, row, kReadWidth, 1});
    CHECK(input.spectra.rows() == kReadWidth);
  }
  CHECK(scene.values_read() == kReadWidth + 200 * kReadBands);
}

TEST_CASE("pixels with a missing value in any band are left out, the others stay in order") {
  MemoryScene whole = scene_to_read(false);
  Spectra values;
  const Indices bands = test::all_bands(whole);
  whole.read(kAll, bands, values);
  values(1, 7) = test::kNoValue;
  values(44, 0) = std::numeric_limits<float>::infinity();
  values(45, 49) = test::kNoValue;
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
  MemoryScene whole = scene_to_read(false);
  Spectra values;
  whole.read(kAll, test::all_bands(whole), values);
  values.col(3).setConstant(test::kNoValue);
  MemoryScene scene("lost band", whole.grid(), whole.bands(), values);
  const Indices bands = {4, 9};
  WindowReader reader(scene, bands);
  const ValidSpectra input = reader.read(kAll);
  CHECK(input.spectra.rows() == 200);
  CHECK(input.spectra.col(1) == values.col(9));
}

namespace {

MemoryScene even_scene(Index width, Index height, float value) {
  return test::plain_scene("scene", width, height, Spectra::Constant(width * height, 2, value));
}

std::vector<ValidSpectra> sample_of(SceneSource& scene) {
  std::vector<ValidSpectra> drawn;
  for_sampled_windows(scene, {0, 1}, [&](ValidSpectra&& input) { drawn.push_back(std::move(input)); });
  return drawn;
}

}  // namespace

TEST_CASE("sampled windows: all of a small scene, enough of a large one, and the same each time") {
  MemoryScene small = even_scene(150, 100, 1);
  Index pixels = 0;
  for (const ValidSpectra& input : sample_of(small)) {
    pixels += input.spectra.rows();
    CHECK(input.window.width <= 64);
    CHECK(input.window.height <= 64);
  }
  CHECK(pixels == 150 * 100);

  MemoryScene large = even_scene(600, 500, 1);
  const std::vector<ValidSpectra> drawn = sample_of(large);
  pixels = 0;
  std::set<std::pair<Index, Index>> corners;
  for (const ValidSpectra& input : drawn) {
    pixels += input.spectra.rows();
    corners.emplace(input.window.column, input.window.row);
  }
  CHECK(corners.size() == drawn.size());
  CHECK(pixels >= 65536);
  CHECK(pixels < 65536 + 64 * 64);
  large.set_block_size(100, 100);
  const std::vector<ValidSpectra> again = sample_of(large);
  REQUIRE(again.size() == drawn.size());
  CHECK(again.back().window == drawn.back().window);
}

TEST_CASE("sampled windows: a scene without values is looked at here and there, and windows known to be empty never") {
  MemoryScene empty = even_scene(64 * 30, 64 * 20, std::numeric_limits<float>::quiet_NaN());
  CHECK(sample_of(empty).empty());
  CHECK(empty.values_read() == 512 * 64 * 64);
  const std::int64_t before = empty.values_read();
  empty.add_known_empty({0, 0, 64 * 30, 64 * 20});
  CHECK(sample_of(empty).empty());
  CHECK(empty.values_read() == before);
}

TEST_CASE("bands that leave pixels without a value are counted, and named with the option that leaves them out") {
  // Bands 2 to 4 of six have no value in half of the columns, as under the clouds of one date; one pixel lacks band 6
  // alone, and one row has no value at all, which is no fault of a band.
  Spectra values = Spectra::Ones(kReadWidth * 10, 6);
  for (Index i = 0; i < values.rows(); ++i) {
    if (i % kReadWidth < 10) {
      values.row(i).segment(1, 3).setConstant(kNoValue);
    }
    if (i / kReadWidth == 9) {
      values.row(i).setConstant(kNoValue);
    }
  }
  values(15, 5) = kNoValue;
  MemoryScene scene = plain_scene("scene", kReadWidth, 10, values);
  const PartialPixels partial = partial_pixels(scene, {0, 1, 2, 3, 5});
  CHECK(partial.looked_at == 200);
  CHECK(partial.count == 91);
  CHECK(partial.missing == Indices{0, 90, 90, 90, 1});
  CHECK(missing_bands_text(partial) ==
        "bands 2-4 lack a value in 90 of 91 such pixels; training with --exclude-bands 2-4 does without them");
  // Where no band is the cause of most, the one that lacks most is named.
  CHECK(missing_bands_text({{4, 6, 7}, {3, 4, 3}, 10, 100}) ==
        "band 7 lacks a value in 4 of 10 such pixels; training with --exclude-bands 7 does without it");
  // Leaving out a few of many dates, each of which has gaps elsewhere, does not help.
  CHECK(missing_bands_text({{4, 6, 7, 8}, {3, 3, 2, 2}, 10, 100}) ==
        "bands 5, 7 lack a value in 3 of 10 such pixels, and others in the rest: gaps have to be filled first, as from "
        "one "
        "date to the next");
}

}  // namespace parsimap::test
