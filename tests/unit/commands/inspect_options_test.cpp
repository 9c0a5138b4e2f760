#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "unit/cli/program_runner.hpp"

namespace parsimap::test {
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
  CHECK(run({"inspect", small.scene(), small.scene(), small.polygons(), "--class-field", "class"}).code == 3);
  CHECK(inspect({}).code == 2);
  CHECK(inspect({"--class-field", "class", "--suspects", "/tmp/x.shp"}).code == 2);
}

}  // namespace parsimap::test
