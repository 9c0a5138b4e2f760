#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

#include "unit/cli/program_runner.hpp"

namespace parsimap::test {

TEST_CASE("simulate prints what it made, and takes --overwrite") {
  const TemporaryFolder folder;
  write_file(folder.file("spec.json"), kSmallSpec);
  const Outcome outcome = run({"simulate", folder.file("spec.json"), folder.file("out"), "--json"});
  REQUIRE(outcome.code == 0);
  CHECK(nlohmann::json::parse(outcome.out).at("files").size() == 5);
  CHECK(std::filesystem::exists(folder.file("out/training.gpkg")));
  const Outcome again = run({"simulate", folder.file("spec.json"), folder.file("out")});
  CHECK(again.code == 2);
  CHECK(contains(again.err, "--overwrite"));
  CHECK(contains(run({"simulate", folder.file("spec.json"), folder.file("out"), "--overwrite"}).out, "spec.json"));
}

}  // namespace parsimap::test
