#include "parsimap/cli/reference_comparison.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap {
namespace {

// A map in memory that remembers how much of it was read.
class MemoryMap final : public ClassMapSource {
 public:
  MemoryMap(Index width, std::vector<std::uint16_t> codes, ClassTable classes, bool named)
      : codes_(std::move(codes)), classes_(std::move(classes)), named_(named) {
    grid_.width = width;
    grid_.height = static_cast<Index>(codes_.size()) / width;
  }

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const RasterGrid& grid() const override { return grid_; }
  [[nodiscard]] const ClassTable& classes() const override { return classes_; }
  [[nodiscard]] bool has_names() const override { return named_; }
  void read(const Window& window, std::vector<std::uint16_t>& codes) override {
    pixels_read += window.pixels();
    codes.clear();
    for (Index row = window.row; row < window.row + window.height; ++row) {
      const auto begin = codes_.begin() + row * grid_.width + window.column;
      codes.insert(codes.end(), begin, begin + window.width);
    }
  }

  Index pixels_read = 0;

 private:
  std::string name_ = "map.tif";
  RasterGrid grid_;
  std::vector<std::uint16_t> codes_;
  ClassTable classes_;
  bool named_;
};

const ClassTable kNamed = {{1, "forest", {}}, {2, "water", {}}};
const ClassTable kUnnamed = {{1, "1", {}}, {2, "2", {}}};

//  1 1 2
//  0 2 2
MemoryMap small_map(const ClassTable& classes, bool named) { return {3, {1, 1, 2, 0, 2, 2}, classes, named}; }

LabelledPixels reference(const ClassTable& classes, const std::vector<LabelledPixel>& pixels, bool by_text) {
  LabelledPixels labelled;
  labelled.classes = classes;
  labelled.pixels = pixels;
  labelled.named_by_text = by_text;
  return labelled;
}

}  // namespace

TEST_CASE("classes without names are matched by code") {
  MemoryMap map = small_map(kUnnamed, false);
  const LabelledPixels labels = reference(kUnnamed, {{0, 0, 0}, {1, 1, 0}, {3, 0, 0}, {5, 1, 0}}, false);
  const ClassMatch match = match_classes(map, labels, "reference.tif");
  CHECK_FALSE(match.by_name);
  CHECK(match.names == std::vector<std::string>{"1", "2"});
  const Comparison comparison = compare(map, labels, match);
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
  CHECK(compare(map, labels, match).confusion.overall_accuracy() == 1.0);
}

TEST_CASE("a named reference raster with other codes is matched by name") {
  MemoryMap map = small_map(kNamed, true);
  const LabelledPixels labels = reference({{1, "water", {}}, {2, "forest", {}}}, {{0, 1, 0}, {2, 0, 0}}, false);
  CHECK(match_classes(map, labels, "reference.tif").by_name);
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
  const Comparison comparison = compare(map, labels, match);
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
  const ClassMatch match = match_classes(map, labels, "reference.tif");
  CHECK_THROWS_AS(compare(map, labels, match), DataError);
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
  const Comparison comparison = compare(map, labels, match_classes(map, labels, "reference.tif"));
  CHECK(comparison.confusion.counts()(1, 1) == 6);
  CHECK(map.pixels_read == 3 * 2 + 3);  // two rows and one row, three columns each
}

}  // namespace parsimap
