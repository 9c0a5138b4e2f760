#include "parsimap/commands/sample.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>
#include <ogrsf_frmts.h>

#include <array>
#include <filesystem>
#include <numeric>

#include "parsimap/commands/assess.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/map_output.hpp"
#include "parsimap/report/accuracy_documents.hpp"
#include "parsimap/report/accuracy_report.hpp"

#include "support/single_output.hpp"
#include "support/small_scene.hpp"
#include "unit/cli/program_runner.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

void write_map_codes(const std::string& path, const std::vector<std::uint16_t>& codes, Index width,
                     const ClassTable& classes, const std::vector<ControlPoint>& points = {}) {
  SingleRaster raster(path);
  const Index height = static_cast<Index>(codes.size()) / width;
  RasterGrid grid{width, height, std::array<double, 6>{500000, 10, 0, 4000000, 0, -10}, {}};
  if (!points.empty()) {
    grid = {width, height, {}, crs_from_epsg(32631), points};
  }
  const auto sink = create_class_map(raster.staged, grid, classes, {});
  sink->write({0, 0, width, height}, codes);
  sink->close();
  raster.outputs.publish();
}

// A map of 20 x 20 pixels, whose upper half is oak and whose lower half is water, but for a corner without a class.
class SampledMap {
 public:
  SampledMap() {
    std::vector<std::uint16_t> codes(400, 1);
    for (std::size_t i = 200; i < codes.size(); ++i) {
      codes[i] = 2;
    }
    codes.back() = 0;
    write_map_codes(map(), codes, 20, {{1, "oak", {}}, {2, "water", {}}});
  }
  [[nodiscard]] std::string map() const { return folder_.file("map.tif"); }
  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }
  [[nodiscard]] SampleOptions options() const {
    SampleOptions options;
    options.map = map();
    options.plan.size = 60;
    options.plan.least = 10;
    options.out = file("plan.gpkg");
    options.overwrite = true;
    return options;
  }

 private:
  TemporaryFolder folder_;
};

SampleRecord sampled(const SampleOptions& options) {
  Listener silent;
  return plan_and_draw(options, silent);
}

// Enters a class for the first points of the order.
void label(const std::string& path, int count, const std::string& name) {
  const GDALDatasetUniquePtr file(GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR | GDAL_OF_UPDATE));
  OGRLayer& layer = *file->GetLayer(0);
  for (int i = 1; i <= count; ++i) {
    const OGRFeatureUniquePtr feature(layer.GetFeature(i));
    feature->SetField("class", name.empty() ? feature->GetFieldAsString("stratum") : name.c_str());
    REQUIRE(layer.SetFeature(feature.get()) == OGRERR_NONE);
  }
}

}  // namespace

TEST_CASE("a sample is drawn, labelled and assessed") {
  const SampledMap in;
  const SampleRecord record = sampled(in.options());
  CHECK(record.points == 60);
  CHECK(record.plan.pixels() == 399);
  label(in.file("plan.gpkg"), 40, "");
  AssessOptions options;
  options.map = in.map();
  options.sample = in.file("plan.gpkg");
  Listener silent;
  const Assessment assessment = assess_map(options, silent).assessment;
  REQUIRE(assessment.areas);
  CHECK(assessment.areas->estimate.overall_accuracy.value == 1);
  CHECK(assessment.areas->sample->labelled == 40);
  CHECK(assessment.areas->sample->planned == 60);
  CHECK(assessment.confusion.pixels() == 40);
  // Training pixels are a part of the map that the sample stands for.
  CHECK(!assessment.overlap);
  // Who gives the sample as a reference forgets its probabilities.
  const Outcome outcome = run({"assess", in.map(), in.file("plan.gpkg")});
  CHECK(contains(outcome.err, "no areas are estimated: --sample says that " + in.file("plan.gpkg") + " is a sample"));
  // The file with the labels is an input, which no output replaces.
  options.overwrite = true;
  options.predictions = in.file("plan.gpkg");
  CHECK(contains(message_of([&] { assess_map(options, silent); }), "an input cannot be replaced"));
  options.predictions = std::nullopt;
  options.design = SamplingDesign::simple;
  CHECK(contains(message_of([&] { assess_map(options, silent); }), "--sampling-design does not go with --sample"));
}

TEST_CASE("a sample that has labels is not replaced") {
  const SampledMap in;
  sampled(in.options());
  sampled(in.options());  // no work is lost
  label(in.file("plan.gpkg"), 3, "");
  const std::string before = file_content(in.file("plan.gpkg"));
  CHECK(message_of([&] { sampled(in.options()); }) ==
        "--out '" + in.file("plan.gpkg") +
            "' has points of which 3 have a label, which would be lost; name another file, or remove this one");
  CHECK(file_content(in.file("plan.gpkg")) == before);
}

TEST_CASE("a sample of changes since an earlier map estimates the areas of the changes") {
  const SampledMap in;
  // A quarter of the oak was water.
  std::vector<std::uint16_t> before(400, 1);
  for (std::size_t i = 0; i < before.size(); ++i) {
    before[i] = i < 50 || i >= 200 ? 5 : 1;
  }
  write_map_codes(in.file("before.tif"), before, 20, {{1, "oak", {}}, {5, "water", {}}});
  SampleOptions planned = in.options();
  planned.earlier = in.file("before.tif");
  const SampleRecord record = sampled(planned);
  REQUIRE(record.plan.strata.size() == 3);
  CHECK(record.plan.strata[1].name == "water -> oak");
  CHECK(record.plan.strata[1].pixels == 50);
  label(in.file("plan.gpkg"), 60, "");
  AssessOptions options;
  options.map = in.map();
  options.earlier = in.file("before.tif");
  options.sample = in.file("plan.gpkg");
  options.output_folder = in.file("tables");
  Listener silent;
  const Assessment assessment = assess_map(options, silent).assessment;
  REQUIRE(assessment.change);
  REQUIRE(assessment.areas);
  const AreaEstimate& estimate = assessment.areas->estimate;
  CHECK(estimate.classes[1].share.value == doctest::Approx(50.0 / 399));
  CHECK(assessment.change->classes[1].name() == "water -> oak");
  // By hectares of 100 square metres a pixel: 1.5 of oak stayed, 0.5 were water.
  const std::string text = accuracy_text(assessment);
  CHECK(contains(text, "by the class in before.tif (rows) and in the map (columns)"));
  const Assessment read = read_accuracy(in.file("tables/accuracy.json"));
  CHECK(accuracy_text(read) == text);
  // All pairs can be entered, and those that the map never has are errors of it.
  CHECK(contains(read_text_file(in.file("plan.gpkg"), 1 << 24), "oak -&gt; water"));
  label(in.file("plan.gpkg"), 60, "oak -> water");
  options.output_folder = std::nullopt;
  CHECK(assess_map(options, silent).assessment.areas->estimate.overall_accuracy.value == 0);
  options.compared_map = in.map();
  CHECK(contains(message_of([&] { assess_map(options, silent); }), "--compare does not go with --earlier"));
  options.compared_map = std::nullopt;
  write_map_codes(in.file("small.tif"), std::vector<std::uint16_t>(100, 1), 10, {{1, "oak", {}}});
  options.earlier = in.file("small.tif");
  CHECK(contains(message_of([&] { assess_map(options, silent); }),
                 "the earlier map must lie on the grid of the later one"));
}

TEST_CASE("a sample where two maps differ shows which of them is better, and nothing else") {
  const SampledMap in;
  // The first map is right wherever the other one differs, in a quarter of the oak.
  std::vector<std::uint16_t> worse(400, 1);
  for (std::size_t i = 0; i < worse.size(); ++i) {
    worse[i] = i < 50 || i >= 200 ? 5 : 1;
  }
  write_map_codes(in.file("other.tif"), worse, 20, {{1, "oak", {}}, {5, "water", {}}});
  SampleOptions planned = in.options();
  planned.compared = in.file("other.tif");
  planned.plan.size = 30;
  planned.aims = {"difference:0.01"};
  const SampleRecord record = sampled(planned);
  REQUIRE(record.plan.strata.size() == 2);
  CHECK(record.plan.strata[1].name == "the maps differ");
  CHECK(record.plan.strata[1].points == 28);
  CHECK(contains(sample_text(record), "--compare other.tif --sample"));
  label(in.file("plan.gpkg"), 30, "oak");
  AssessOptions options;
  options.map = in.map();
  options.sample = in.file("plan.gpkg");
  options.output_folder = in.file("tables");
  Listener silent;
  CHECK(contains(message_of([&] { assess_map(options, silent); }), "was drawn to compare two maps"));
  options.compared_map = in.file("other.tif");
  const Assessment assessment = assess_map(options, silent).assessment;
  CHECK(!assessment.areas);
  REQUIRE(assessment.comparison);
  REQUIRE(assessment.comparison->sampled);
  CHECK(assessment.comparison->difference == assessment.comparison->sampled->interval);
  CHECK(assessment.comparison->sampled->value ==
        doctest::Approx(static_cast<double>(record.plan.strata[1].pixels) / 399));
  const std::string text = accuracy_text(assessment);
  CHECK(contains(
      text, "This map is better than other.tif by 12.5 points of overall accuracy. The interval that holds at every"));
  CHECK(!contains(text, "Confusion matrix"));
  CHECK(accuracy_text(read_accuracy(in.file("tables/accuracy.json"))) == text);
  CHECK(contains(read_text_file(in.file("tables/comparison.csv"), 1 << 16), "difference,0.125313"));
}

TEST_CASE("the file depends on the seed alone, and no file is written without a name") {
  const SampledMap in;
  SampleOptions options = in.options();
  options.threads = 1;
  sampled(options);
  const std::string first = read_text_file(in.file("plan.gpkg"), 1 << 24);
  options.threads = 2;
  options.out = in.file("again/plan.gpkg");
  std::filesystem::create_directory(in.file("again"));
  sampled(options);
  CHECK(read_text_file(*options.out, 1 << 24) == first);
  options.draw.seed = 1;
  sampled(options);
  CHECK(read_text_file(*options.out, 1 << 24) != first);
  options.out = std::nullopt;
  CHECK(sampled(options).points == 0);
}

TEST_CASE("the command reads aims and expectations, and writes a page") {
  const SampledMap in;
  const Outcome result = run({"sample", in.map(), "--aim", "overall:0.05", "--expect", "0.8", "--expect", "water=0.7",
                              "--least", "5", "--design", "simple", "--report", in.file("page.html"), "--json"});
  CHECK(result.code == 0);
  const auto json = nlohmann::json::parse(result.out);
  CHECK(json["standard_errors"][0]["standard_error"].get<double>() <= 0.05);
  CHECK(json["design"] == "simple");
  CHECK(contains(read_text_file(in.file("page.html"), 1 << 26), "What this sample will be able to say"));
}

TEST_CASE("pixels of 0 that a map does not declare as nodata are said to be left out") {
  const SampledMap in;
  SampleOptions options = in.options();
  RecordingListener listener;
  plan_and_draw(options, listener);
  CHECK_FALSE(listener.said("pixels of 0"));
  GDALDatasetUniquePtr(GDALDataset::Open(in.map().c_str(), GDAL_OF_UPDATE))->GetRasterBand(1)->DeleteNoDataValue();
  plan_and_draw(options, listener);
  CHECK(
      listener.said("map.tif: pixels of 0, which belong to no class and are not sampled: 1; the 0 of a map is a "
                    "class if another nodata value, such as 255, is declared"));
}

TEST_CASE("what cannot be sampled is refused without an output") {
  const SampledMap in;
  SampleOptions options = in.options();
  write_map_codes(in.file("strata.tif"), std::vector<std::uint16_t>(100, 3), 10, {{3, "all", {}}});
  options.strata = in.file("strata.tif");
  CHECK_THROWS_AS(sampled(options), DataError);
  std::vector<std::uint16_t> partly(400, 3);
  partly[7] = 0;
  write_map_codes(in.file("partly.tif"), partly, 20, {{3, "all", {}}});
  options.strata = in.file("partly.tif");
  CHECK(message_of([&] { sampled(options); }) == in.file("partly.tif") + " has no stratum at 1 pixels that " +
                                                     in.map() + " classifies; strata must cover the map");
  options.plan.design = SamplingDesign::simple;
  CHECK(message_of([&] { sampled(options); }) == "--strata only goes with --design stratified");
  options.strata = std::nullopt;
  options.compared = in.map();
  CHECK(message_of([&] { sampled(options); }) == "--compare only goes with --design stratified");
  options.plan.design = SamplingDesign::stratified;
  CHECK(contains(message_of([&] { sampled(options); }), "differ at no pixel"));
  options.earlier = in.map();
  CHECK(contains(message_of([&] { sampled(options); }), "--earlier does not go with --compare"));
  options = in.options();
  options.expected = {"water=1.2"};
  CHECK(contains(message_of([&] { sampled(options); }), "the expected accuracy is 'water=1.2'"));
  options = in.options();
  options.map = in.file("segments.tif");
  std::vector<std::uint16_t> segments(5001);
  std::iota(segments.begin(), segments.end(), std::uint16_t{1});
  ClassTable numbers;
  for (int code = 1; code <= 5001; ++code) {
    numbers.push_back({code, std::to_string(code), {}});
  }
  write_map_codes(options.map, segments, 1, numbers);
  CHECK(contains(message_of([&] { sampled(options); }), "has 5001 classes, and at most 5000 can be compared"));
  options.map = in.file("sensor.tif");
  write_map_codes(
      options.map, std::vector<std::uint16_t>(400, 1), 20, {{1, "oak", {}}},
      {{0, 0, 500000, 4000000}, {20, 0, 500200, 4000000}, {0, 20, 500000, 3999800}, {20, 20, 500200, 3999800}});
  CHECK(contains(message_of([&] { sampled(options); }), "is in the sensor's own geometry, where points cannot be"));
  CHECK(!std::filesystem::exists(in.file("plan.gpkg")));
}

}  // namespace parsimap::test
