#include "parsimap/commands/assess.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <limits>

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
#include "unit/gdal/raster/raster_fixture.hpp"

namespace parsimap::test {

namespace {

// Names that databases do not tell apart.
const ClassTable kClasses = {{1, "oak", {}}, {2, "OAK", {}}};
const ClassTable kTurned = {{1, "OAK", {}}, {2, "oak", {}}};

// A map of 4 x 3 pixels of 10 x 10 metres with references and whatever else an assessment reads:
//   map   1 1 2 2   reference   1 1 1 2
//         1 1 2 2               1 1 2 2
//         1 0 2 2               1 1 2 2
class AssessmentInputs {
 public:
  AssessmentInputs() {
    write_codes("map.tif", {1, 1, 2, 2, 1, 1, 2, 2, 1, 0, 2, 2}, kClasses);
    write_codes("reference.tif", {2, 2, 2, 1, 2, 2, 1, 1, 2, 2, 1, 1}, kTurned);
    write_codes("better.tif", {1, 1, 1, 2, 1, 1, 2, 2, 1, 1, 2, 2}, kClasses);
    write_codes("wide.tif", std::vector<std::uint16_t>(15, 1), kClasses, 5);
    write_polygons();
    write_probabilities("p.tif", 4, {"oak", "OAK"});
  }

  [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }

  [[nodiscard]] AssessOptions options() const {
    AssessOptions options;
    options.map = file("map.tif");
    options.reference = {{file("reference.tif")}, {}, {}};
    return options;
  }
  [[nodiscard]] AssessOptions polygon_options() const {
    AssessOptions options = this->options();
    options.reference = {{file("polygons.gpkg")}, {"class", std::nullopt}, {}};
    return options;
  }

  void write_probabilities(const std::string& name, Index width, const std::vector<std::string>& bands) const {
    SingleRaster raster(file(name));
    const RasterGrid grid = grid_of(width);
    const auto sink = create_field(raster.staged, grid, bands, {});
    Spectra values = Spectra::Constant(grid.pixels(), 2, 0.5F);
    values.col(0).setConstant(0.75F);
    values.col(1).setConstant(0.25F);
    values.row(grid.pixels() - 1).setConstant(std::numeric_limits<float>::quiet_NaN());
    sink->write({0, 0, width, 3}, values);
    sink->close();
    raster.outputs.publish();
  }

  void write_codes(const std::string& name, const std::vector<std::uint16_t>& codes, const ClassTable& classes,
                   Index width = 4) const {
    SingleRaster raster(file(name));
    const auto sink = create_class_map(raster.staged, grid_of(width), classes, {});
    sink->write({0, 0, width, 3}, codes);
    sink->close();
    raster.outputs.publish();
  }

 private:
  static RasterGrid grid_of(Index width) {
    return {width, 3, std::array<double, 6>{0, 10, 0, 30, 0, -10}, crs_from_epsg(32632)};
  }

  // Two rows of the left column are oak, the last column is OAK.
  void write_polygons() const {
    SingleVector vector(file("polygons.gpkg"));
    const auto rectangle = [](double left, double right, double bottom) {
      return std::vector<std::array<double, 2>>{
          {left, bottom}, {right, bottom}, {right, 30}, {left, 30}, {left, bottom}};
    };
    parsimap::write_polygons(vector.staged, grid_of(4).crs, "class",
                             {{rectangle(0, 10, 10), "oak", "test"}, {rectangle(30, 40, 0), "OAK", "test"}});
    vector.outputs.publish();
  }

  TemporaryFolder folder_;
};

Assessment assess(const AssessOptions& options) {
  Listener silent;
  return assess_map(options, silent).assessment;
}

std::string refusal_of_assessment(const AssessOptions& options) {
  return message_of([&] { assess(options); });
}

}  // namespace

TEST_CASE("a map is compared with a raster by the names of the classes, whatever the order of codes") {
  const AssessmentInputs inputs;
  RecordingListener listener;
  const AssessResult result = assess_map(inputs.options(), listener);
  CountMatrix expected(2, 2);
  expected << 5, 1, 0, 5;
  CHECK(result.assessment.confusion.names() == std::vector<std::string>{"oak", "OAK"});
  CHECK(result.assessment.confusion.counts() == expected);
  CHECK(result.assessment.unclassified_pixels == 1);
  CHECK(result.assessment.map == inputs.file("map.tif"));
  CHECK(result.assessment.reference == inputs.file("reference.tif"));
  CHECK_FALSE(result.assessment.intervals.regions);
  CHECK_FALSE(result.assessment.areas);
  CHECK_FALSE(result.assessment.comparison);
  CHECK_FALSE(result.assessment.reliability);
  CHECK(result.files.empty());
  CHECK(result.seconds > 0);
  CHECK(listener.warnings.empty());
  REQUIRE(listener.messages.size() == 2);
  CHECK(listener.messages[0] == "reference pixels that the map leaves unclassified, not counted: 1");
  CHECK(contains(listener.messages[1], "no areas are estimated: that takes a probability sample of the map"));
}

TEST_CASE("a map is in full agreement with a copy of it, and is not compared with itself") {
  const AssessmentInputs inputs;
  AssessOptions options = inputs.options();
  const TemporaryFolder folder;
  std::filesystem::copy(options.map, folder.file("copy.tif"));
  options.reference.files = {folder.file("copy.tif")};
  CHECK(assess(options).confusion.kappa() == 1.0);
  std::filesystem::create_symlink(options.map, folder.file("link.tif"));
  options.reference.files = {folder.file("link.tif")};
  CHECK(refusal_of_assessment(options) == "REFERENCE '" + folder.file("link.tif") + "' is the same file as MAP");
}

TEST_CASE("areas are there when the reference is said to be a sample") {
  const AssessmentInputs inputs;
  AssessOptions options = inputs.options();
  options.map = inputs.file("better.tif");
  options.design = SamplingDesign::stratified;
  options.strata = options.reference.files.front();
  const Assessment census = assess(options);
  REQUIRE(census.areas);
  CHECK(census.areas->estimate.pixels == 12);
  CHECK(census.areas->pixel_area == doctest::Approx(100));
  CHECK(census.areas->strata == options.strata);
  // Every pixel was looked at: no error is left.
  CHECK(census.areas->estimate.classes[0].share.standard_error == 0);
  CHECK(census.areas->estimate.overall_accuracy.value == census.confusion.overall_accuracy());

  AssessOptions polygons = inputs.polygon_options();
  polygons.design = SamplingDesign::simple;
  RecordingListener listener;
  const Assessment simple = assess_map(polygons, listener).assessment;
  CHECK(simple.intervals.regions == 2);
  CHECK(listener.messages.empty());
  CHECK(listener.warnings ==
        std::vector<std::string>{
            "the reference holds 5 pixels in 2 regions, and the estimates of areas take every pixel "
            "for a sample unit of its own; if the regions are the units, leave out --sampling-design"});
  CHECK(contains(accuracy_text(simple), "estimated from a simple random sample"));
}

TEST_CASE("what the reference has and the map has not is reported") {
  const AssessmentInputs inputs;
  AssessOptions options = inputs.polygon_options();
  options.reference.options.rules = ClassRules{"table", {{"OAK", "elm"}}};
  RecordingListener listener;
  CHECK(assess_map(options, listener).assessment.confusion.overall_accuracy() == 0.4);
  CHECK(listener.warnings ==
        std::vector<std::string>{"class 'elm' of the reference does not occur in the map; its pixels that the map "
                                 "classifies are errors. If the map calls it otherwise, rename it (--classes)"});
}

TEST_CASE("a class 0 of a foreign map is not counted, and what makes it a class is said") {
  const AssessmentInputs inputs;
  const auto raster = [&](const std::string& name) {
    DatasetPtr dataset = create_raster(inputs.file(name), 4, 3, 1, GDT_Byte);
    fill_band(*dataset, 1, [](int column, int) { return column; });
    return dataset;
  };
  raster("reference-0.tif").reset();
  AssessOptions options = inputs.options();
  options.map = inputs.file("foreign.tif");
  options.reference.files = {inputs.file("reference-0.tif")};
  const auto assessed = [&](bool zero_class) {
    options.reference.options.zero_class = zero_class;
    RecordingListener listener;
    const Assessment assessment = assess_map(options, listener).assessment;
    CHECK(assessment.confusion.overall_accuracy() == 1);
    return std::pair(assessment.confusion.pixels(), listener.coded());
  };
  raster("foreign.tif").reset();
  const auto [pixels, warnings] = assessed(true);
  CHECK(pixels == 9);
  REQUIRE(warnings.size() == 2);
  CHECK(contains(warnings[0].text,
                 "class '0' of the reference does not occur in the map; its pixels that the map "
                 "classifies are errors."));
  CHECK(warnings[1].text ==
        "reference pixels that the map leaves unclassified, not counted: 3; the 0 of a map is a "
        "class if another nodata value, such as 255, is declared");
  CHECK(assessed(false).second.empty());
  raster("foreign.tif")->GetRasterBand(1)->SetNoDataValue(255);
  const auto [all, none] = assessed(true);
  CHECK(all == 12);
  CHECK(none.empty());
}

TEST_CASE("a value of the map that often means fill, and that the reference lacks, is named") {
  const AssessmentInputs inputs;
  ClassTable classes = kClasses;
  classes.push_back({255, "255", {}});
  inputs.write_codes("filled.tif", {255, 1, 2, 2, 1, 1, 2, 2, 1, 255, 2, 2}, classes);
  AssessOptions options = inputs.options();
  options.map = inputs.file("filled.tif");
  RecordingListener listener;
  CHECK(assess_map(options, listener).assessment.confusion.overall_accuracy() == doctest::Approx(9.0 / 12.0));
  CHECK(listener.warnings ==
        std::vector<std::string>{
            "the map has the value 255 at 2 reference pixels, which count as errors. Many rasters fill "
            "with it: if it means unclassified, declare it as the nodata value of the map"});
}

TEST_CASE("every reference pixel is predicted, with probabilities where the raster has them") {
  const AssessmentInputs inputs;
  const TemporaryFolder folder;
  AssessOptions options = inputs.polygon_options();
  options.predictions = folder.file("out.csv");
  options.probabilities = inputs.file("p.tif");
  RecordingListener listener;
  const AssessResult result = assess_map(options, listener);
  CHECK(result.files == std::vector<std::string>{folder.file("out.csv")});
  CHECK_FALSE(result.assessment.reliability);  // it takes a report, or no predictions
  CHECK(listener.stages == std::vector<std::string>{"comparing", "predictions"});
  CHECK(file_content(folder.file("out.csv")) ==
        "X,Y,id,feature,row,column,reference,label,p_oak,p_OAK_2\r\n"
        "5,25,1,1,0,0,oak,oak,0.75,0.25\r\n"
        "35,25,2,2,0,3,OAK,OAK,0.75,0.25\r\n"
        "5,15,3,1,1,0,oak,oak,0.75,0.25\r\n"
        "35,15,4,2,1,3,OAK,OAK,0.75,0.25\r\n"
        "35,5,5,2,2,3,OAK,OAK,,\r\n");
}

TEST_CASE("predictions of a label raster have no features, and no label where the map is unclassified") {
  const AssessmentInputs inputs;
  const TemporaryFolder folder;
  AssessOptions options = inputs.options();
  options.predictions = folder.file("out.csv");
  assess(options);
  const std::string table = file_content(folder.file("out.csv"));
  CHECK(table.rfind("X,Y,id,row,column,reference,label\r\n5,25,1,0,0,oak,oak\r\n", 0) == 0);
  CHECK(contains(table, "\r\n15,5,10,2,1,oak,\r\n"));
}

TEST_CASE("probabilities are judged by themselves, and for the report") {
  const AssessmentInputs inputs;
  const TemporaryFolder folder;
  AssessOptions options = inputs.options();
  options.probabilities = inputs.file("p.tif");
  RecordingListener listener;
  const Assessment alone = assess_map(options, listener).assessment;
  REQUIRE(alone.reliability);
  // oak has the largest probability everywhere, which is right of 7 pixels and wrong of 4.
  CHECK(alone.reliability->expected_calibration_error() == doctest::Approx(0.75 - 7.0 / 11));
  CHECK(listener.stages == std::vector<std::string>{"comparing", "probabilities"});

  options.predictions = folder.file("out.csv");
  options.report = folder.file("accuracy.html");
  const AssessResult result = assess_map(options, listener);
  CHECK(result.files == std::vector<std::string>{folder.file("out.csv"), folder.file("accuracy.html")});
  const std::string html = file_content(folder.file("accuracy.html"));
  CHECK(contains(html, "<h1>Accuracy of map.tif</h1>"));
  CHECK(contains(html, "\"confusion_matrix\""));
  CHECK(contains(html, "data-figure=\"confusion\""));
  CHECK(contains(html, "expected calibration error"));
  CHECK(contains(html, "<td>" + *options.probabilities + "</td>"));
}

TEST_CASE("a class of the reference that the second map calls otherwise is named") {
  const AssessmentInputs inputs;
  const std::vector<std::uint16_t> codes = {1, 1, 1, 2, 1, 1, 2, 2, 1, 1, 2, 2};
  const ClassTable classes = {{1, "beech", {}}, {2, "elm", {}}};
  inputs.write_codes("map.elm.tif", codes, classes);
  inputs.write_codes("other.tif", codes, {{1, "beeches", {}}, {2, "elm", {}}});
  inputs.write_codes("reference.elm.tif", codes, classes);
  AssessOptions options = inputs.options();
  options.map = inputs.file("map.elm.tif");
  options.reference.files = {inputs.file("reference.elm.tif")};
  options.compared_map = inputs.file("other.tif");
  RecordingListener listener;
  assess_map(options, listener);
  CHECK(listener.has_warning("class 'beech' of the reference does not occur in " + inputs.file("other.tif") +
                             ", which counts as wrong at its pixels"));
  CHECK_FALSE(listener.has_warning("does not occur in the map"));
}

TEST_CASE("a second map, predictions and all files appear together, and are replaced only when asked to") {
  const AssessmentInputs inputs;
  const TemporaryFolder folder;
  AssessOptions options = inputs.polygon_options();
  options.compared_map = inputs.file("better.tif");
  options.design = SamplingDesign::simple;
  options.predictions = folder.file("points.gpkg");
  options.output_folder = folder.file("");
  Listener silent;
  const AssessResult first = assess_map(options, silent);
  const std::vector<std::string> names = {"accuracy.json",  "accuracy.txt",  "areas.csv",
                                          "comparison.csv", "confusion.csv", "points.gpkg"};
  CHECK(folder.names() == names);
  CHECK(first.files.size() == 6);
  CHECK(first.assessment.comparison->counts.both_right == 5);
  CHECK(first.assessment.comparison->regions == 2);
  CHECK_FALSE(first.assessment.comparison->difference);
  CHECK(file_content(folder.file("accuracy.txt")) == accuracy_text(first.assessment));
  CHECK(file_content(folder.file("accuracy.json")) == accuracy_json(first.assessment, first.files, first.seconds));

  write_file(folder.file("accuracy.txt"), "mine");
  CHECK(contains(refusal_of_assessment(options), "--overwrite"));
  CHECK(file_content(folder.file("accuracy.txt")) == "mine");
  CHECK(folder.names() == names);
  options.overwrite = true;
  CHECK(file_content(folder.file("accuracy.txt")) == "mine");
  assess(options);
  CHECK(file_content(folder.file("accuracy.txt")) == accuracy_text(first.assessment));
}

TEST_CASE("the parts of a feature are regions, and predictions name the feature") {
  const AssessmentInputs inputs;
  const TemporaryFolder folder;
  AssessOptions options = inputs.options();
  write_file(folder.file("parts.geojson"), R"({"type": "FeatureCollection",
    "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32632"}}, "features": [
    {"type": "Feature", "id": 7, "properties": {"class": "oak"}, "geometry": {"type": "MultiPolygon",
     "coordinates": [[[[0, 20], [20, 20], [20, 30], [0, 30], [0, 20]]], [[[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]]]}},
    {"type": "Feature", "id": 9, "properties": {"class": "OAK"}, "geometry": {"type": "Point",
     "coordinates": [25, 25]}}]})");
  options.reference = {{folder.file("parts.geojson")}, {"class", std::nullopt}, {}};
  options.predictions = folder.file("out.csv");
  CHECK(assess(options).intervals.regions == 3);
  CHECK(contains(file_content(folder.file("out.csv")), "1,7,0,0,oak,oak"));
  CHECK(contains(file_content(folder.file("out.csv")), "3,9,0,2,OAK,OAK"));
}

TEST_CASE("the folder of the tables is made, and disappears again where nothing comes of the work") {
  const AssessmentInputs inputs;
  AssessOptions options = inputs.options();
  options.output_folder = inputs.file("tables");
  options.strata = inputs.file("none.tif");
  options.design = SamplingDesign::stratified;
  CHECK_THROWS_AS(assess(options), DataError);
  CHECK_FALSE(std::filesystem::exists(inputs.file("tables")));
  options.strata.reset();
  options.design.reset();
  assess(options);
  CHECK(std::filesystem::exists(inputs.file("tables/accuracy.json")));
}

TEST_CASE("a field of texts none of which is a class of the map is refused, and both sides are named") {
  const AssessmentInputs inputs;
  AssessOptions options = inputs.polygon_options();
  options.reference.options.class_field = "split";
  CHECK_THROWS_AS(assess(options), DataError);
  CHECK(refusal_of_assessment(options) ==
        inputs.file("polygons.gpkg") + ": 0 of its 1 classes are classes of " + inputs.file("map.tif") +
            " by name; --class-field class has the names of the map\n  " + inputs.file("polygons.gpkg") + "  " +
            inputs.file("map.tif") + "\n  test" + std::string(inputs.file("polygons.gpkg").size() - 2, ' ') +
            "1 oak\n" + std::string(inputs.file("polygons.gpkg").size() + 4, ' ') + "2 OAK");
}

TEST_CASE("a vector file or a model in the place of the map is called what it is") {
  const AssessmentInputs inputs;
  AssessOptions options = inputs.polygon_options();
  std::swap(options.map, options.reference.files.front());
  CHECK_THROWS_AS(assess(options), DataError);
  CHECK(refusal_of_assessment(options) == inputs.file("polygons.gpkg") +
                                              " is a vector file: MAP, the first argument, is a class " +
                                              "raster; REFERENCE comes after it");
}

TEST_CASE("what cannot be assessed is refused with a sentence, and nothing is left behind") {
  const AssessmentInputs inputs;
  const TemporaryFolder folder;
  AssessOptions good = inputs.options();
  good.output_folder = folder.file("");
  good.overwrite = true;
  const std::string on_grid = " is 5 x 3 pixels, but " + inputs.file("map.tif") + " is 4 x 3; ";
  const std::string wide = inputs.file("wide.tif");

  AssessOptions options = good;
  options.output_folder = inputs.file("none/deeper");
  CHECK_THROWS_AS(assess(options), ConfigError);
  CHECK(
      contains(refusal_of_assessment(options), "output folder '" + inputs.file("none/deeper") + "' cannot be made: "));
  options = good;
  options.design = SamplingDesign::simple;
  options.strata = inputs.file("better.tif");
  CHECK(refusal_of_assessment(options) == "--strata only goes with --sampling-design stratified");
  options = good;
  options.predictions = folder.file("points.xyz5");
  CHECK_THROWS_AS(assess(options), ConfigError);
  options = good;
  options.compared_map = inputs.file("better.tif");
  options.predictions = inputs.file("better.tif");
  CHECK_THROWS_AS(assess(options), ConfigError);
  options = good;
  options.report = inputs.file("map.tif");
  CHECK(contains(refusal_of_assessment(options), "its name must end in .html"));
  options = good;
  options.reference = inputs.polygon_options().reference;
  options.reference.options.class_field = "kind";
  CHECK_THROWS_AS(assess(options), ConfigError);
  CHECK(contains(refusal_of_assessment(options), "split"));

  options = good;
  options.map = inputs.file("p.tif");
  CHECK_THROWS_AS(assess(options), DataError);
  CHECK(contains(refusal_of_assessment(options), "p.tif"));
  options = good;
  options.predictions = folder.file("points.csv");
  options.probabilities = inputs.file("none.tif");
  CHECK_THROWS_AS(assess(options), DataError);
  options = good;
  options.compared_map = wide;
  CHECK(refusal_of_assessment(options) == wide + on_grid + "maps to compare must lie on one grid");
  options = good;
  options.design = SamplingDesign::stratified;
  options.strata = wide;
  CHECK(refusal_of_assessment(options) == wide + on_grid + "strata must lie on the map's grid");
  options = good;
  inputs.write_probabilities("wide_p.tif", 5, {"oak", "OAK"});
  options.probabilities = inputs.file("wide_p.tif");
  CHECK(refusal_of_assessment(options) ==
        inputs.file("wide_p.tif") + on_grid + "probabilities must lie on the map's grid");
  CHECK(folder.names().empty());
}

namespace {

Outcome assess(const std::string& reference, const std::vector<std::string>& options) {
  std::vector<std::string> arguments = {"assess", SmallScene::instance().map(), reference};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run(arguments);
}

}  // namespace

TEST_CASE("a good map is accurate against raster and polygons") {
  const SmallScene& small = SmallScene::instance();
  const Outcome raster = assess(small.reference(), {"--json"});
  REQUIRE(raster.code == 0);
  const auto json = nlohmann::json::parse(raster.out);
  CHECK(json.at("pixels") == 30 * 24);
  CHECK(json.at("overall_accuracy").get<double>() > 0.95);
  CHECK(json.at("areas").is_null());
  CHECK(contains(raster.err, "no areas are estimated"));
  CHECK(assess(small.reference(), {"--json", "-q"}).err.empty());
  const Outcome polygons = assess(small.polygons(), {"--class-field", "class", "--where", "split='test'", "--json"});
  REQUIRE(polygons.code == 0);
  CHECK(nlohmann::json::parse(polygons.out).at("overall_accuracy").get<double>() > 0.95);
}

TEST_CASE("every option of assess reaches the assessment") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const TemporaryFolder output;
  const std::string probabilities = folder.file("p.tif");
  REQUIRE(
      run({"classify", small.scene(), small.model(), folder.file("map.tif"), "--probabilities", probabilities}).code ==
      0);
  const std::string tables = output.file("");
  std::vector<std::string> options = {"--compare",         folder.file("map.tif"),
                                      "--sampling-design", "stratified",
                                      "--strata",          small.reference(),
                                      "--predictions",     output.file("points.csv"),
                                      "--probabilities",   probabilities,
                                      "--report",          output.file("accuracy.html"),
                                      "--output-dir",      tables};
  const Outcome outcome = assess(small.reference(), options);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.out == file_content(output.file("accuracy.txt")));
  const auto json = nlohmann::json::parse(file_content(output.file("accuracy.json")));
  CHECK(json.at("comparison").at("difference") == 0.0);
  CHECK(json.at("areas").at("strata") == small.reference());
  CHECK(json.at("files").size() == 7);
  CHECK(output.names().size() == 7);
  CHECK(contains(file_content(output.file("points.csv")), ",p_forest,p_water\r\n"));
  CHECK(contains(file_content(output.file("accuracy.html")), "<td>" + probabilities + "</td>"));
  CHECK(assess(small.reference(), options).code == 2);
  options.emplace_back("--overwrite");
  CHECK(assess(small.reference(), options).code == 0);
  const Outcome simple = assess(small.reference(), {"--sampling-design", "simple"});
  CHECK(contains(simple.out, "estimated from a simple random sample"));
}

TEST_CASE("options of assess that do not go together are refused, and a map that is none") {
  const SmallScene& small = SmallScene::instance();
  const auto refused = [&](const std::vector<std::string>& options, const std::string& sentence) {
    const Outcome outcome = assess(small.reference(), options);
    CAPTURE(outcome.err);
    return outcome.code == 2 && contains(outcome.err, sentence);
  };
  CHECK(refused({"--probabilities", "p.tif"}, "--probabilities only goes with --predictions or --report"));
  CHECK(refused({"--strata", "s.tif"}, "--strata only goes with --sampling-design stratified"));
  CHECK(refused({"--sampling-design", "simple", "--strata", "s.tif"},
                "--strata only goes with --sampling-design stratified"));
  CHECK(refused({"--sampling-design", "clustered"},
                "--sampling-design is 'clustered'; it must be one of simple, stratified"));
  const Outcome several = run({"assess", small.scene(), small.reference()});
  CHECK(several.code == 3);
  CHECK(contains(several.err, "scene.tif"));
}

}  // namespace parsimap::test
