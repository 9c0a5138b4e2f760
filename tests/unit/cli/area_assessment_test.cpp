#include "cli/area_assessment.hpp"

#include <doctest/doctest.h>
#include <gdal_priv.h>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/map_output.hpp"

#include "unit/cli/memory_map.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap {
namespace {

using test::MemoryMap;
using test::reference;

const ClassTable kClasses = {{1, "forest", {}}, {2, "water", {}}};

OptionValues values(const std::vector<std::string>& arguments) {
  return parse_command_line({.name = "assess", .arguments = {}, .options = area_option_syntax()}, arguments);
}

// 10 x 10: 60 pixels of forest, 30 of water, 10 unclassified.
MemoryMap map_of_rows() {
  std::vector<std::uint16_t> codes(100, 1);
  std::fill(codes.begin() + 60, codes.begin() + 90, 2);
  std::fill(codes.begin() + 90, codes.end(), 0);
  return {10, codes, kClasses, true};
}

// Of the first pixels of rows 0, 1, ... 9 the sixth is water by the reference, all others what the map says.
LabelledPixels rows_of_reference() {
  std::vector<LabelledPixel> pixels;
  for (std::int64_t row = 0; row < 10; ++row) {
    pixels.push_back({row * 10, row < 5 ? 0 : 1, 0});
  }
  return reference(kClasses, pixels, false);
}

AreaRecord assess(MemoryMap& map, const LabelledPixels& labels, const SamplingDesign& design) {
  const ClassMatch match = match_classes(map, labels, "labels");
  return assess_areas(map, labels, match, compare(map, labels, match), design);
}

// A raster of codes in the folder, with the names of `classes`.
std::string write_codes(const TemporaryFolder& folder, const std::string& name, Index width,
                        const std::vector<std::uint16_t>& codes, const ClassTable& classes) {
  const RasterGrid grid{width, static_cast<Index>(codes.size()) / width, std::nullopt, ""};
  SingleRaster single(folder.file(name));
  const auto sink = create_class_map(single.staged, grid, classes, {});
  sink->write({0, 0, grid.width, grid.height}, codes);
  sink->close();
  single.outputs.publish();
  return folder.file(name);
}

}  // namespace

TEST_CASE("a design is what the user says, and strata belong to a stratified one") {
  CHECK_FALSE(sampling_design(values({})));
  CHECK(sampling_design(values({"--sampling-design", "simple"}))->name == "simple");
  CHECK(sampling_design(values({"--sampling-design", "stratified", "--strata", "s.tif"}))->strata == "s.tif");
  CHECK(message_of([] {
          values({"--sampling-design", "clustered"});
        }) == "--sampling-design is 'clustered'; it must be one of simple, stratified");
  CHECK(message_of([] {
          sampling_design(values({"--sampling-design", "simple", "--strata", "s.tif"}));
        }) == "--strata only goes with --sampling-design stratified");
  CHECK(message_of([] {
          sampling_design(values({"--strata", "s.tif"}));
        }) == "--strata only goes with --sampling-design stratified");
}

TEST_CASE("the map's classes are strata of their sizes, and unclassified pixels are none") {
  MemoryMap map = map_of_rows();
  const AreaRecord record = assess(map, rows_of_reference(), {"stratified", std::nullopt});
  CHECK(record.estimate.pixels == 90);
  CHECK(record.unclassified_pixels == 10);
  CHECK(record.estimate.classes[0].mapped_share == doctest::Approx(60.0 / 90));
  CHECK(record.estimate.classes[0].share.value == doctest::Approx(50.0 / 90));
  CHECK(record.estimate.classes[0].users_accuracy->value == doctest::Approx(5.0 / 6));
  CHECK(record.estimate.classes[1].producers_accuracy->value == doctest::Approx(30.0 / 40));
  CHECK_FALSE(record.pixel_area);
  // A simple sample with units in every class is evaluated alike.
  CHECK(assess(map, rows_of_reference(), {"simple", std::nullopt}).estimate.overall_accuracy.standard_error ==
        record.estimate.overall_accuracy.standard_error);
}

TEST_CASE("a class without units is refused in a stratified sample and merged in a simple one") {
  MemoryMap map = map_of_rows();
  LabelledPixels labels = rows_of_reference();
  labels.pixels.resize(6);
  CHECK(message_of([&] {
          assess(map, labels, {"stratified", std::nullopt});
        }) == "stratum 'water' has 30 pixels and no sample unit; a stratified sample has some in every stratum");
  const AreaRecord record = assess(map, labels, {"simple", std::nullopt});
  CHECK(record.merged_strata == std::vector<std::string>{"forest + water"});
  CHECK(record.estimate.classes[0].share.value == doctest::Approx(5.0 / 6));
}

TEST_CASE("strata of their own are read beside the map") {
  const TemporaryFolder folder;
  MemoryMap map = map_of_rows();
  // Left half 7, right half 9, the last column none.
  std::vector<std::uint16_t> codes(100, 0);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    codes[i] = i % 10 < 5 ? 7 : i % 10 < 9 ? 9 : 0;
  }
  const std::string strata = write_codes(folder, "strata.tif", 10, codes, {{7, "left", {}}, {9, "right", {}}});
  LabelledPixels labels = rows_of_reference();
  const std::size_t left = labels.pixels.size();
  for (std::size_t i = 0; i < left; ++i) {
    labels.pixels.push_back({labels.pixels[i].pixel + 6, 0, 0});
  }
  std::sort(labels.pixels.begin(), labels.pixels.end(), [](auto& a, auto& b) { return a.pixel < b.pixel; });
  const AreaRecord record = assess(map, labels, {"stratified", strata});
  CHECK(record.estimate.pixels == 81);
  CHECK(record.pixels_outside_strata == 9);
  CHECK(record.unclassified_pixels == 10);
  // Left: 45 pixels, 5 of 9 units are forest; right: 36 pixels, all units are.
  CHECK(record.estimate.classes[0].share.value == doctest::Approx((45 * 5.0 / 9 + 36) / 81));
  const double variance = 45 * 45 * (1 - 9.0 / 45) * (5.0 / 9 * 4 / 9 * 9 / 8) / 9;
  CHECK(record.estimate.classes[0].share.standard_error == doctest::Approx(std::sqrt(variance) / 81));

  labels.pixels[0].pixel = 9;
  std::sort(labels.pixels.begin(), labels.pixels.end(), [](auto& a, auto& b) { return a.pixel < b.pixel; });
  CHECK(message_of([&] {
          assess(map, labels, {"stratified", strata});
        }) == strata +
                  " has no stratum at column 9, row 0, where the reference has a pixel; every unit of a stratified " +
                  "sample belongs to a stratum");
}

TEST_CASE("strata on another grid are refused") {
  const TemporaryFolder folder;
  MemoryMap map = map_of_rows();
  const std::string strata = write_codes(folder, "strata.tif", 8, std::vector<std::uint16_t>(64, 1), {{1, "all", {}}});
  CHECK(message_of([&] {
          assess(map, rows_of_reference(), {"stratified", strata});
        }) == strata + " is 8 x 8 pixels, but map.tif is 10 x 10; strata must lie on the map's grid");
}

}  // namespace parsimap
