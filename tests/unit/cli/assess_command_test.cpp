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

}  // namespace parsimap::test
