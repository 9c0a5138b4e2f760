#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "unit/cli/program_runner.hpp"

namespace parsimap::test {
namespace {

Outcome suggest(const std::string& places, const std::vector<std::string>& options) {
  const SmallScene& small = SmallScene::instance();
  std::vector<std::string> arguments = {"suggest", small.scene(), small.model(), places, "--threads", "1"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run(arguments);
}

}  // namespace

TEST_CASE("suggest prints the places and writes them") {
  const TemporaryFolder folder;
  const Outcome text = suggest(folder.file("places.gpkg"), {"--count", "3"});
  CAPTURE(text.err);
  REQUIRE(text.code == 0);
  CHECK(contains(text.out, "Places to label next, of 720 pixels"));
  CHECK(std::filesystem::exists(folder.file("places.gpkg")));
  const Outcome json =
      suggest(folder.file("places.gpkg"), {"--count", "2", "--exclude", SmallScene::instance().polygons(), "--distance",
                                           "3.5", "--ram", "64", "--overwrite", "--json"});
  REQUIRE(json.code == 0);
  const auto document = nlohmann::json::parse(json.out);
  CHECK(document.at("places").size() == 2);
  CHECK(document.at("least_distance") == doctest::Approx(3.5));
  CHECK(document.at("excluded").at(0) == SmallScene::instance().polygons());
  CHECK(document.at("pixels") < 720);
}

TEST_CASE("suggest refuses options out of range") {
  const TemporaryFolder folder;
  const Outcome distance = suggest(folder.file("p.gpkg"), {"--distance", "near"});
  CHECK(distance.code == 2);
  CHECK(contains(distance.err, "--distance is 'near'; it must be a number of at least 0"));
  CHECK(suggest(folder.file("p.gpkg"), {"--distance", "-1"}).code == 2);
  CHECK(suggest(folder.file("p.gpkg"), {"--count", "0"}).code == 2);
}

}  // namespace parsimap::test
