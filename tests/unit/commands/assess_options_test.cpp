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
