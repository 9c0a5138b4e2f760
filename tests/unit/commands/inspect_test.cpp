#include "parsimap/commands/inspect.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/vector/labels.hpp"
#include "parsimap/json/simulation_spec.hpp"
#include "parsimap/simulation/simulated_layout.hpp"
#include "parsimap/simulation/simulation.hpp"
#include "parsimap/simulation/simulation_spec.hpp"

#include "support/single_output.hpp"
#include "support/small_scene.hpp"
#include "unit/cli/program_runner.hpp"

namespace parsimap::test {

namespace {

// Four classes in 60 small fields, all pixels labelled.
const char* const kFields = R"({
  "width": 60, "height": 40, "bands": 20, "seed": 5, "layout": {"kind": "voronoi", "sites": 60, "gap": 1},
  "classes": [{"name": "a", "dimension": 2}, {"name": "b", "dimension": 2}, {"name": "c", "dimension": 2},
              {"name": "d", "dimension": 2}],
  "polygons": {"per_class": 15, "smallest_radius": 1.5, "largest_radius": 2, "train_fraction": 1}
})";

InspectOptions inspect_options(const SmallScene& small) {
  InspectOptions options;
  options.model = small.model();
  options.scene.path = small.scene();
  options.labels = {{small.polygons()}, {"class", {}}};
  options.repeats = 1;
  return options;
}

InspectionRecord inspect(const InspectOptions& options) {
  Listener silent;
  return inspect_scene(options, silent);
}

}  // namespace

TEST_CASE("an inspection judges every labelled pixel and writes layers and page") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  InspectOptions options = inspect_options(small);
  options.suspects = folder.file("s.gpkg");
  options.report = folder.file("r.html");
  RecordingListener listener;
  const InspectionRecord record = inspect_scene(options, listener);
  CHECK(listener.warnings.empty());
  CHECK(record.classes.size() == 2);
  CHECK(record.places.size() == record.evidence.regions.size());
  CHECK(record.places.front().feature.has_value());
  CHECK(record.stages.size() == 3);
  CHECK(folder.names() == std::vector<std::string>{"r.html", "s.gpkg"});
  // The outlines are the labels that were judged.
  const InputScene scene = open_input_scene(options.scene);
  LabelOptions regions{"label", {}};
  regions.layer = "regions";
  const LabelledPixels written = read_labels(folder.file("s.gpkg"), regions, scene.source->grid(), "scene");
  CHECK(written.pixels.size() == record.evidence.pixels.size());
  CHECK_THROWS_WITH_AS(inspect(options), doctest::Contains("exists"), ConfigError);
}

TEST_CASE("an inspection is the same for any number of threads") {
  InspectOptions options = inspect_options(SmallScene::instance());
  const InspectionRecord one = inspect(options);
  options.threads = 2;
  const InspectionRecord two = inspect(options);
  for (std::size_t i = 0; i < one.evidence.pixels.size(); ++i) {
    CHECK(one.evidence.pixels[i].margin == two.evidence.pixels[i].margin);
  }
}

TEST_CASE("labels of one region alone cannot be inspected") {
  const SmallScene& small = SmallScene::instance();
  InspectOptions options = inspect_options(small);
  options.labels.options.group_field = "split";
  options.labels.options.where = "split = 'train'";
  CHECK_THROWS_WITH_AS(inspect(options), doctest::Contains("all labels are one region"), DataError);
}

TEST_CASE("a model that was trained on some wrong labels finds them again") {
  const TemporaryFolder folder;
  write_file(folder.file("spec.json"), kFields);
  Listener silent;
  simulate_scene({{}, folder.file("spec.json"), folder.file("scene")}, silent);
  // Every twentieth polygon gets the class of the next one of another class.
  const SimulationSpec spec = read_simulation_spec(folder.file("spec.json"));
  const Simulation simulation(spec, crs_from_epsg(spec.epsg));
  std::vector<ClassPolygon> polygons;
  std::set<std::int64_t> flipped;
  for (SimulatedPolygon& polygon : simulation.polygons()) {
    polygons.push_back({std::move(polygon.ring), polygon.class_name, polygon.split});
    if (polygons.size() % 20 == 7) {
      flipped.insert(static_cast<std::int64_t>(polygons.size()));
      polygons.back().class_name = polygon.class_name == "a" ? "b" : "a";
    }
  }
  REQUIRE(polygons.size() >= 40);
  {
    SingleVector file(folder.file("labels.gpkg"));
    write_polygons(file.staged, simulation.grid().crs, "class", polygons);
    file.outputs.publish();
  }
  TrainOptions training;
  training.scene.path = folder.file("scene/scene.tif");
  training.labels = {{folder.file("labels.gpkg")}, {"class", {}}};
  training.model = folder.file("model");
  training.training.family = KernelFamily::gaussian;
  training.spatial.asked = SpatialRule::none;
  train(training);
  InspectOptions options;
  options.model = training.model;
  options.scene = training.scene;
  options.labels = training.labels;
  const InspectionRecord record = inspect(options);
  REQUIRE(record.evidence.regions.size() == polygons.size());
  std::size_t found = 0;
  for (std::size_t i = 0; i < (polygons.size() + 9) / 10; ++i) {
    // Ids of features count from 1 in a GeoPackage.
    found += flipped.count(*record.places[i].feature);
  }
  CHECK(5 * found >= 4 * flipped.size());
}

namespace {

Outcome inspect(const std::vector<std::string>& options) {
  const SmallScene& small = SmallScene::instance();
  std::vector<std::string> arguments = {"inspect", small.model(), small.scene(), small.polygons()};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run(arguments);
}

}  // namespace

TEST_CASE("every option of inspect reaches the inspection") {
  const TemporaryFolder folder;
  const std::vector<std::string> options = {
      "--class-field", "class", "--where",      "split='train'",       "--repeats", "2",
      "--seed",        "3",     "--suspects",   folder.file("s.gpkg"), "--report",  folder.file("r.html"),
      "--threads",     "1",     "--wavelengths"};
  std::vector<std::string> json = options;
  json.emplace_back("--json");
  const Outcome outcome = inspect(json);
  REQUIRE(outcome.code == 0);
  const auto document = nlohmann::json::parse(outcome.out);
  CHECK(document.at("repeats") == 2);
  CHECK(document.at("wavelengths").at("intervals").size() > 1);
  CHECK(document.at("suspects") == folder.file("s.gpkg"));
  CHECK(document.at("regions").size() == 2);
  // One region of each class: no machine that judges a region knows its class.
  CHECK(document.at("regions").at(0).at("label_known") == false);
  CHECK(contains(file_content(folder.file("r.html")), "<td>repeats</td>"));
  CHECK(inspect(options).code == 2);
}

TEST_CASE("as many regions are printed as are asked for") {
  const Outcome one = inspect({"--class-field", "class", "--top", "1", "--repeats", "1"});
  REQUIRE(one.code == 0);
  CHECK(contains(one.out, "\n     1  "));
  CHECK_FALSE(contains(one.out, "\n     2  "));
  CHECK(inspect({"--class-field", "class", "--top", "-1"}).code == 2);
}

TEST_CASE("what is no model is refused with the data") {
  const SmallScene& small = SmallScene::instance();
  const Outcome swapped = run({"inspect", small.scene(), small.polygons(), small.model(), "--class-field", "class"});
  CHECK(swapped.code == 3);
  CHECK(contains(swapped.err, " is a raster: MODEL is a file that 'parsimap train' has written"));
  CHECK(inspect({"--class-field", "class", "--suspects", "/tmp/x.shp"}).code == 2);
  // The class field is known of files of this program, and where there is no other.
  const TemporaryFolder folder;
  write_file(folder.file("foreign.csv"), "x,y,class,site\n0,0,water,a\n");
  const Outcome fieldless = run({"inspect", small.model(), small.scene(), folder.file("foreign.csv")});
  CHECK(fieldless.code == 2);
  CHECK(contains(fieldless.err, "need a class field"));
}

}  // namespace parsimap::test
