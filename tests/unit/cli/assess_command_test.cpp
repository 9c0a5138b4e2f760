#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "unit/cli/program_runner.hpp"

namespace parsimap::test {
namespace {

Outcome assess(const std::string& reference, const std::vector<std::string>& options) {
  std::vector<std::string> arguments = {"assess", SmallScene::instance().map(), reference};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run(arguments);
}

}  // namespace

TEST_CASE("a good map is accurate against raster and polygons, whatever the order of codes") {
  const SmallScene& small = SmallScene::instance();
  const Outcome raster = assess(small.reference(), {"--json"});
  REQUIRE(raster.code == 0);
  const auto json = nlohmann::json::parse(raster.out);
  CHECK(json.at("pixels") == 30 * 24);
  CHECK(json.at("overall_accuracy").get<double>() > 0.95);
  CHECK(json.at("orientation") == "rows are reference, columns are map");
  const Outcome polygons = assess(small.polygons(), {"--class-field", "class", "--where", "split='test'", "--json"});
  REQUIRE(polygons.code == 0);
  CHECK(nlohmann::json::parse(polygons.out).at("overall_accuracy").get<double>() > 0.95);
}

TEST_CASE("a map is in full agreement with itself") {
  const Outcome outcome = assess(SmallScene::instance().map(), {"--json"});
  REQUIRE(outcome.code == 0);
  CHECK(nlohmann::json::parse(outcome.out).at("kappa") == 1.0);
}

TEST_CASE("reports are written whole, and replaced only when asked to") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::string output = folder.file("");
  const Outcome first = assess(small.reference(), {"--output-dir", output});
  REQUIRE(first.code == 0);
  CHECK(folder.names() == std::vector<std::string>{"accuracy.json", "accuracy.txt", "confusion.csv"});
  CHECK(first.out == file_content(folder.file("accuracy.txt")));
  CHECK(nlohmann::json::accept(file_content(folder.file("accuracy.json"))));
  write_file(folder.file("accuracy.txt"), "mine");
  const Outcome second = assess(small.reference(), {"--output-dir", output});
  CHECK(second.code == 2);
  CHECK(contains(second.err, "--overwrite"));
  CHECK(file_content(folder.file("accuracy.txt")) == "mine");
  CHECK(assess(small.reference(), {"--output-dir", output, "--overwrite"}).code == 0);
  CHECK(file_content(folder.file("accuracy.txt")) == first.out);
}

TEST_CASE("what cannot be assessed is refused with a sentence and a code") {
  const SmallScene& small = SmallScene::instance();
  const Outcome folder = assess(small.reference(), {"--output-dir", small.file("none")});
  CHECK(folder.code == 2);
  CHECK(contains(folder.err, "does not exist"));
  const Outcome field = assess(small.polygons(), {"--class-field", "kind"});
  CHECK(field.code == 2);
  CHECK(contains(field.err, "split"));
  const Outcome several = run({"assess", small.scene(), small.reference()});
  CHECK(several.code == 3);
  CHECK(contains(several.err, "scene.tif"));
}

TEST_CASE("areas are there when the reference is said to be a sample, and a message says why not otherwise") {
  const SmallScene& small = SmallScene::instance();
  const Outcome without = assess(small.reference(), {"--json"});
  CHECK(nlohmann::json::parse(without.out).at("areas").is_null());
  CHECK(contains(without.err, "no areas are estimated: that takes a probability sample of the map"));
  const Outcome quiet = assess(small.reference(), {"--json", "-q"});
  CHECK(quiet.err.empty());
  const Outcome census =
      assess(small.reference(), {"--json", "--sampling-design", "stratified", "--strata", small.reference()});
  REQUIRE(census.code == 0);
  const auto areas = nlohmann::json::parse(census.out).at("areas");
  CHECK(areas.at("pixels") == 30 * 24);
  // Every pixel was looked at: no error left.
  CHECK(areas.at("classes")[0].at("area").at("standard_error") == 0.0);
  CHECK(areas.at("overall_accuracy").at("value") == nlohmann::json::parse(census.out).at("overall_accuracy"));
  const Outcome polygons = assess(small.polygons(), {"--class-field", "class", "--sampling-design", "simple"});
  CHECK(polygons.code == 0);
  CHECK(contains(polygons.err, "take every pixel for a sample unit of its own"));
  CHECK(contains(polygons.out, "estimated from a simple random sample"));
}

TEST_CASE("a second map, predictions and all files appear together") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const std::vector<std::string> options = {
      "--class-field",     "class",        "--compare",     small.map(),
      "--sampling-design", "simple",       "--predictions", folder.file("points.gpkg"),
      "--output-dir",      folder.file("")};
  const Outcome outcome = assess(small.polygons(), options);
  REQUIRE(outcome.code == 0);
  CHECK(folder.names() == std::vector<std::string>{"accuracy.json", "accuracy.txt", "areas.csv", "comparison.csv",
                                                   "confusion.csv", "points.gpkg"});
  const auto json = nlohmann::json::parse(file_content(folder.file("accuracy.json")));
  CHECK(json.at("comparison").at("difference") == 0.0);
  CHECK(json.at("comparison").at("difference_interval").is_null());
  CHECK(json.at("comparison").at("mcnemar").at("p_value") == 1.0);
  CHECK(json.at("comparison").at("regions") == json.at("intervals").at("regions"));
  CHECK(json.at("files").size() == 6);
  const Outcome again = assess(small.polygons(), options);
  CHECK(again.code == 2);
  CHECK(folder.names().size() == 6);
}

TEST_CASE("nothing is left behind when one of the outputs cannot be") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const auto refused = [&](const std::vector<std::string>& more) {
    std::vector<std::string> options = {"--output-dir", folder.file("")};
    options.insert(options.end(), more.begin(), more.end());
    return assess(small.reference(), options);
  };
  CHECK(refused({"--predictions", folder.file("points.xyz5")}).code == 2);
  CHECK(refused({"--predictions", folder.file("points.csv"), "--probabilities", small.file("none.tif")}).code == 3);
  CHECK(refused({"--compare", small.scene()}).code == 3);
  CHECK(refused({"--compare", small.map(), "--predictions", small.map(), "--overwrite"}).code == 2);
  CHECK(folder.names().empty());
}

}  // namespace parsimap::test
