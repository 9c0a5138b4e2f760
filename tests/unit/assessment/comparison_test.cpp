#include "parsimap/assessment/comparison.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "unit/assessment/memory_map.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap {
namespace {

using test::MemoryMap;
using test::reference;

const ClassTable kNamed = {{1, "forest", {}}, {2, "water", {}}};
const ClassTable kUnnamed = {{1, "1", {}}, {2, "2", {}}};

//  1 1 2
//  0 2 2
MemoryMap small_map(const ClassTable& classes, bool named) { return {3, {1, 1, 2, 0, 2, 2}, classes, named}; }

}  // namespace

TEST_CASE("classes without names are matched by code") {
  MemoryMap map = small_map(kUnnamed, false);
  const LabelledPixels labels = reference(kUnnamed, {{0, 0, 0}, {1, 1, 0}, {3, 0, 0}, {5, 1, 0}}, false);
  const ClassMatch match = match_classes(map, labels, "reference.tif");
  CHECK_FALSE(match.by_name);
  CHECK(match.names == std::vector<std::string>{"1", "2"});
  const Comparison comparison = compare(map, labels, "reference.tif");
  CHECK(comparison.match.row == match.row);
  CountMatrix expected(2, 2);
  expected << 1, 0, 1, 1;
  CHECK(comparison.confusion.counts() == expected);
  CHECK(comparison.unclassified == 1);
}

TEST_CASE("text classes are matched by name whatever their codes") {
  MemoryMap map = small_map(kNamed, true);
  const LabelledPixels labels = reference({{1, "water", {}}, {2, "forest", {}}}, {{0, 1, 0}, {2, 0, 0}}, true);
  const ClassMatch match = match_classes(map, labels, "labels.gpkg");
  CHECK(match.by_name);
  CHECK(match.row == Indices{1, 0});
  CHECK(compare(map, labels, "labels.gpkg").confusion.overall_accuracy() == 1.0);
}

TEST_CASE("a named reference raster with other codes is matched by name") {
  MemoryMap map = small_map(kNamed, true);
  const LabelledPixels labels = reference({{1, "water", {}}, {2, "forest", {}}}, {{0, 1, 0}, {2, 0, 0}}, false);
  CHECK(match_classes(map, labels, "reference.tif").by_name);
}

TEST_CASE("classes without names among others with names are matched by code, unless a name leads there") {
  MemoryMap map = small_map(kNamed, true);
  const LabelledPixels labels = reference({{2, "2", {}}, {5, "forest", {}}}, {{0, 1, 0}, {2, 0, 0}}, false);
  CHECK(match_classes(map, labels, "reference.tif").row == Indices{1, 0});
  const LabelledPixels taken = reference({{1, "1", {}}, {5, "forest", {}}}, {{0, 1, 0}, {2, 0, 0}}, false);
  CHECK(match_classes(map, taken, "reference.tif").row == Indices{2, 0});
}

TEST_CASE("without a common name codes count, and the map's names are shown") {
  MemoryMap map = small_map(kNamed, true);
  const LabelledPixels labels = reference({{1, "Wald", {}}, {2, "Wasser", {}}}, {{0, 0, 0}, {2, 1, 0}}, false);
  const ClassMatch match = match_classes(map, labels, "reference.tif");
  CHECK_FALSE(match.by_name);
  CHECK(match.names == std::vector<std::string>{"forest", "water"});
  CHECK(match.row == Indices{0, 1});
}

TEST_CASE("a map without names takes those of the reference, but cannot be held against text classes") {
  MemoryMap map = small_map(kUnnamed, false);
  CHECK(match_classes(map, reference(kNamed, {}, false), "reference.tif").names ==
        std::vector<std::string>{"forest", "water"});
  CHECK(
      message_of([&] { match_classes(map, reference(kNamed, {}, true), "labels.gpkg"); }) ==
      "map.tif has no class names, but the classes of labels.gpkg are texts; assess with a class field of integers or "
      "a map with names");
}

TEST_CASE("reference classes that the map lacks become rows of errors") {
  MemoryMap map = small_map(kNamed, true);
  const ClassTable classes = {{1, "forest", {}}, {2, "sand", {}}, {3, "snow", {}}};
  const LabelledPixels labels = reference(classes, {{0, 0, 0}, {2, 2, 0}}, true);
  const ClassMatch match = match_classes(map, labels, "labels.gpkg");
  CHECK(match.names == std::vector<std::string>{"forest", "water", "snow"});  // no pixel is sand
  CHECK(match.reference_only == std::vector<std::string>{"snow"});
  const Comparison comparison = compare(map, labels, "labels.gpkg");
  CHECK(comparison.confusion.counts()(2, 1) == 1);
  CHECK(comparison.confusion.overall_accuracy() == 0.5);
}

TEST_CASE("names in the matrix stay unique") {
  MemoryMap map = small_map({{1, "3", {}}, {2, "water", {}}}, true);
  const LabelledPixels labels = reference({{3, "3", {}}}, {{0, 0, 0}}, false);
  CHECK(match_classes(map, labels, "reference.tif").names == std::vector<std::string>{"3", "water", "3 (code 3)"});
}

TEST_CASE("a map that is unclassified at all reference pixels cannot be assessed") {
  MemoryMap map = small_map(kUnnamed, false);
  const LabelledPixels labels = reference(kUnnamed, {{3, 0, 0}}, false);
  CHECK_THROWS_AS(compare(map, labels, "reference.tif"), DataError);
}

TEST_CASE("of a large map only the part with reference pixels is read") {
  constexpr Index kWidth = 3000;
  constexpr Index kHeight = 3000;
  MemoryMap map(kWidth, std::vector<std::uint16_t>(static_cast<std::size_t>(kWidth * kHeight), 2), kUnnamed, false);
  std::vector<LabelledPixel> pixels;
  for (const Index row : {5, 6, 2999}) {
    for (const Index column : {7, 9}) {
      pixels.push_back({row * kWidth + column, 1, 0});
    }
  }
  const LabelledPixels labels = reference(kUnnamed, pixels, false);
  const Comparison comparison = compare(map, labels, "reference.tif");
  CHECK(comparison.confusion.counts()(1, 1) == 6);
  CHECK(map.pixels_read == 3 * 2 + 3);  // two rows and one row, three columns each
}

TEST_CASE("every reference pixel has its column, and its code") {
  MemoryMap map = small_map(kUnnamed, false);
  const LabelledPixels labels = reference(kUnnamed, {{0, 0, 0}, {2, 1, 0}, {3, 0, 0}, {5, 1, 0}}, false);
  CHECK(codes_at(map, labels.pixels) == std::vector<std::uint16_t>{1, 2, 0, 2});
  CHECK(compare(map, labels, "reference.tif").columns == Indices{0, 1, -1, 1});
  CHECK(index_of_codes({{2, "a", {}}, {5, "b", {}}}) == Indices{-1, -1, 0, -1, -1, 1});
}

TEST_CASE("a map is read in windows of whole rows that cover it") {
  CHECK(row_windows({4, 3, std::nullopt, ""}) == std::vector<Window>{{0, 0, 4, 3}});
  CHECK(row_windows({Index{1} << 19, 5, std::nullopt, ""}) ==
        std::vector<Window>{{0, 0, Index{1} << 19, 2}, {0, 2, Index{1} << 19, 2}, {0, 4, Index{1} << 19, 1}});
  CHECK(row_windows({Index{1} << 21, 2, std::nullopt, ""}).size() == 2);
}

TEST_CASE("intervals are those of features where there are any, of pixels otherwise") {
  MemoryMap map(4, std::vector<std::uint16_t>(16, 1), kUnnamed, false);
  std::vector<LabelledPixel> pixels;
  for (std::int64_t i = 0; i < 16; ++i) {
    pixels.push_back({i, i < 12 ? 0 : 1, 0});
  }
  const LabelledPixels raster = reference(kUnnamed, pixels, false);
  for (LabelledPixel& pixel : pixels) {
    pixel.region = 1 + pixel.pixel / 4;
  }
  const LabelledPixels polygons = reference(kUnnamed, pixels, false);
  const Comparison comparison = compare(map, raster, "reference");
  const AccuracyIntervals by_pixel = comparison_intervals(comparison, raster);
  const AccuracyIntervals by_feature = comparison_intervals(comparison, polygons);
  CHECK_FALSE(by_pixel.regions);
  CHECK(by_pixel.overall_accuracy == wilson_interval(0.75, 16));
  CHECK(by_feature.regions == 4);
  CHECK(by_feature.overall_accuracy->low < by_pixel.overall_accuracy->low);
}

}  // namespace parsimap
