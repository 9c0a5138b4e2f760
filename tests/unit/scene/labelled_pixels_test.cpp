#include "parsimap/scene/labelled_pixels.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "parsimap/core/random.hpp"

namespace parsimap::test {
namespace {

// Rows of digits: 0 is unlabelled, other digits are labels.
LabelledPixels labels_of_rows(const std::vector<std::string>& rows) {
  LabelledPixels labels;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      if (rows[r][c] != '0') {
        labels.pixels.push_back({static_cast<std::int64_t>(r * rows[r].size() + c), rows[r][c] - '1', 0});
      }
    }
  }
  return labels;
}

std::vector<std::string> regions_of(const std::vector<std::string>& rows) {
  LabelledPixels labels = labels_of_rows(rows);
  find_regions(labels, static_cast<Index>(rows.front().size()));
  std::vector<std::string> result(rows.size(), std::string(rows.front().size(), '.'));
  for (const LabelledPixel& pixel : labels.pixels) {
    const auto at = static_cast<std::size_t>(pixel.pixel);
    result[at / rows.front().size()][at % rows.front().size()] = static_cast<char>('a' + pixel.region - 1);
  }
  return result;
}

// The slow way: spreads the smallest number to neighbours until nothing changes.
std::map<std::int64_t, std::int64_t> naive_regions(const LabelledPixels& labels, Index width) {
  std::map<std::int64_t, std::int64_t> region;
  std::map<std::int64_t, int> label;
  for (const LabelledPixel& pixel : labels.pixels) {
    region[pixel.pixel] = pixel.pixel;
    label[pixel.pixel] = pixel.label;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& [pixel, number] : region) {
      for (const auto& [other, other_number] : region) {
        const bool near = std::abs(pixel / width - other / width) + std::abs(pixel % width - other % width) == 1;
        if (near && label[pixel] == label[other] && other_number < number) {
          number = other_number;
          changed = true;
        }
      }
    }
  }
  return region;
}

}  // namespace

TEST_CASE("a pixel that several features of a class claim counts once, one that two classes claim not at all") {
  LabelledPixels labels;
  settle_claims({{3, 0, 1}, {3, 0, 2}, {5, 0, 1}, {5, 1, 3}, {5, 1, 4}, {8, 1, 4}}, labels);
  REQUIRE(labels.pixels.size() == 2);
  CHECK(labels.pixels[0].pixel == 3);
  CHECK(labels.pixels[0].region == 1);
  CHECK(labels.pixels[1].pixel == 8);
  CHECK(labels.conflicting == 1);
}

TEST_CASE("areas of a class that touch, but for corners, are one region") {
  CHECK(regions_of({"1100", "0110", "2201"}) == std::vector<std::string>{"aa..", ".aa.", "bb.c"});
  // Not across the edges of the scene, and not across classes.
  CHECK(regions_of({"1001", "1002", "0202"}) == std::vector<std::string>{"a..b", "a..c", ".d.c"});
  // Two arms that meet in the last row.
  CHECK(regions_of({"101", "101", "111"}) == std::vector<std::string>{"a.a", "a.a", "aaa"});
}

TEST_CASE("regions of random maps are those of spreading by hand") {
  Random random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const Index width = 1 + random.index(9);
    std::vector<std::string> rows(8);
    for (std::string& row : rows) {
      for (Index c = 0; c < width; ++c) {
        row += static_cast<char>('0' + std::max<Index>(0, random.index(5) - 2));
      }
    }
    LabelledPixels labels = labels_of_rows(rows);
    const auto expected = naive_regions(labels, width);
    find_regions(labels, width);
    CHECK(labels.has_regions);
    std::map<std::int64_t, std::int64_t> number_of;  // by the first pixel of an area
    for (const LabelledPixel& pixel : labels.pixels) {
      const auto next = static_cast<std::int64_t>(number_of.size()) + 1;
      CHECK(pixel.region == number_of.emplace(expected.at(pixel.pixel), next).first->second);
    }
  }
}

TEST_CASE("no labels, no regions") {
  LabelledPixels labels;
  find_regions(labels, 5);
  CHECK(labels.pixels.empty());
}

TEST_CASE("small classes leave the table with their pixels, the others stay what they are") {
  LabelledPixels labels;
  labels.classes = {
      {3, "bog", {}}, {4, "oak", Colour{1, 2, 3}}, {9, "stone", {}}, {12, "water", {}}, {20, "empty", {}}};
  labels.pixels = {{0, 1, 5}, {2, 0, 6}, {3, 3, 7}, {4, 3, 7}, {8, 2, 8}, {9, 1, 5}};
  CHECK(class_sizes(labels) == std::vector<Index>{1, 2, 1, 2, 0});
  LabelledPixels same = labels;
  CHECK(drop_small_classes(same, class_sizes(same), 0).empty());
  CHECK(same.classes == labels.classes);
  CHECK(same.pixels.size() == 6);
  const std::vector<SmallClass> dropped = drop_small_classes(labels, class_sizes(labels), 2);
  REQUIRE(dropped.size() == 3);
  CHECK(dropped[0].name == "bog");
  CHECK(dropped[0].pixels == 1);
  CHECK(dropped[1].name == "stone");
  CHECK(dropped[2].name == "empty");
  CHECK(dropped[2].pixels == 0);
  CHECK(labels.classes == ClassTable{{4, "oak", Colour{1, 2, 3}}, {12, "water", {}}});
  REQUIRE(labels.pixels.size() == 4);
  CHECK(class_sizes(labels) == std::vector<Index>{2, 2});
  CHECK(labels.pixels[1].pixel == 3);
  CHECK(labels.pixels[1].label == 1);
  CHECK(labels.pixels[1].region == 7);
}

TEST_CASE("pixels of merged classes are those of one, and pixels of a class that is left out are gone") {
  LabelledPixels labels = labels_of_rows({"1203", "3021"});
  labels.classes = {{4, "4", {}}, {5, "5", {}}, {6, "6", {}}};
  apply_class_rules(labels, {"t", {{"4", "wood"}, {"6", "wood"}, {"5", ""}, {"9", "x"}}}, "labels");
  CHECK(labels.classes == ClassTable{{4, "wood", {}}});
  std::vector<std::int64_t> pixels;
  for (const LabelledPixel& pixel : labels.pixels) {
    CHECK(pixel.label == 0);
    pixels.push_back(pixel.pixel);
  }
  CHECK(pixels == std::vector<std::int64_t>{0, 3, 4, 7});
  CHECK(labels.notes == std::vector<std::string>{"t: no class of labels is called '9'; they are called '4', '5', '6'"});
}

}  // namespace parsimap::test
