#include "parsimap/assessment/area_assessment.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "unit/assessment/memory_map.hpp"
#include "unit/assessment/small_assessment.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap {
namespace {

using test::kForestAndWater;
using test::MemoryMap;
using test::reference;

// 10 x 10: 60 pixels of forest, 30 of water, 10 unclassified.
MemoryMap map_of_rows() {
  std::vector<std::uint16_t> codes(100, 1);
  std::fill(codes.begin() + 60, codes.begin() + 90, 2);
  std::fill(codes.begin() + 90, codes.end(), 0);
  return {10, codes, kForestAndWater, true};
}

// Of the first pixels of rows 0, 1, ... 9 the sixth is water by the reference, all others what the map says.
LabelledPixels rows_of_reference() {
  std::vector<LabelledPixel> pixels;
  for (std::int64_t row = 0; row < 10; ++row) {
    pixels.push_back({row * 10, row < 5 ? 0 : 1, 0});
  }
  return reference(kForestAndWater, pixels, false);
}

AreaAssessment assess(MemoryMap& map, const LabelledPixels& labels, SamplingDesign design,
                      ClassMapSource* strata = nullptr) {
  return assess_areas(map, labels, compare(map, labels, "labels"), design, strata, std::nullopt);
}

void sort_pixels(LabelledPixels& labels) {
  std::sort(labels.pixels.begin(), labels.pixels.end(), [](auto& a, auto& b) { return a.pixel < b.pixel; });
}

}  // namespace

TEST_CASE("the map's classes are strata of their sizes, and unclassified pixels are none") {
  MemoryMap map = map_of_rows();
  const AreaAssessment areas = assess(map, rows_of_reference(), SamplingDesign::stratified);
  CHECK(areas.estimate.pixels == 90);
  CHECK(areas.unclassified_pixels == 10);
  CHECK(areas.estimate.classes[0].mapped_share == doctest::Approx(60.0 / 90));
  CHECK(areas.estimate.classes[0].share.value == doctest::Approx(50.0 / 90));
  CHECK(areas.estimate.classes[0].users_accuracy->value == doctest::Approx(5.0 / 6));
  CHECK(areas.estimate.classes[1].producers_accuracy->value == doctest::Approx(30.0 / 40));
  CHECK_FALSE(areas.strata);
  CHECK_FALSE(areas.pixel_area);
  // A simple sample with units in every class is evaluated alike.
  CHECK(assess(map, rows_of_reference(), SamplingDesign::simple).estimate.overall_accuracy.standard_error ==
        areas.estimate.overall_accuracy.standard_error);
}

TEST_CASE("a class without units is refused in a stratified sample and merged in a simple one") {
  MemoryMap map = map_of_rows();
  LabelledPixels labels = rows_of_reference();
  labels.pixels.resize(6);
  CHECK(message_of([&] { assess(map, labels, SamplingDesign::stratified); }) ==
        "stratum 'water' has 30 pixels and no sample unit; a stratified sample has some in every stratum");
  const AreaAssessment areas = assess(map, labels, SamplingDesign::simple);
  CHECK(areas.merged_strata == std::vector<std::string>{"forest + water"});
  CHECK(areas.estimate.classes[0].share.value == doctest::Approx(5.0 / 6));
}

TEST_CASE("strata of their own are read beside the map") {
  MemoryMap map = map_of_rows();
  // Left half 7, right half 9, the last column none.
  std::vector<std::uint16_t> codes(100, 0);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    codes[i] = i % 10 < 5 ? 7 : i % 10 < 9 ? 9 : 0;
  }
  MemoryMap strata(10, codes, {{7, "left", {}}, {9, "right", {}}}, true, "strata.tif");
  LabelledPixels labels = rows_of_reference();
  const std::size_t left = labels.pixels.size();
  for (std::size_t i = 0; i < left; ++i) {
    labels.pixels.push_back({labels.pixels[i].pixel + 6, 0, 0});
  }
  sort_pixels(labels);
  const AreaAssessment areas = assess(map, labels, SamplingDesign::stratified, &strata);
  CHECK(areas.strata == "strata.tif");
  CHECK(areas.estimate.pixels == 81);
  CHECK(areas.pixels_outside_strata == 9);
  CHECK(areas.unclassified_pixels == 10);
  // Left: 45 pixels, 5 of 9 units are forest; right: 36 pixels, all units are.
  CHECK(areas.estimate.classes[0].share.value == doctest::Approx((45 * 5.0 / 9 + 36) / 81));
  const double variance = 45 * 45 * (1 - 9.0 / 45) * (5.0 / 9 * 4 / 9 * 9 / 8) / 9;
  CHECK(areas.estimate.classes[0].share.standard_error == doctest::Approx(std::sqrt(variance) / 81));

  labels.pixels[0].pixel = 9;
  sort_pixels(labels);
  CHECK(message_of([&] { assess(map, labels, SamplingDesign::stratified, &strata); }) ==
        "strata.tif has no stratum at column 9, row 0, where the reference has a pixel; every unit of a stratified "
        "sample belongs to a stratum");
}

TEST_CASE("areas are hectares, square metres below one, and pixels where their size is unknown") {
  AreaAssessment areas = test::small_areas();
  CHECK(area_unit(areas).name == "ha");
  CHECK(area_unit(areas).factor == doctest::Approx(36));
  areas.pixel_area = 1;
  CHECK(area_unit(areas).name == "m2");
  CHECK(area_unit(areas).factor == 400);
  areas.pixel_area.reset();
  CHECK(area_unit(areas).name == "pixels");
  CHECK(area_unit(areas).factor == 400);
}

}  // namespace parsimap
