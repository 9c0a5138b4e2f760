#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "unit/cli/program_runner.hpp"

namespace parsimap::test {

TEST_CASE("report writes one page, and every option reaches it") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  REQUIRE(
      run({"assess", small.map(), small.polygons(), "--class-field", "class", "--output-dir", folder.file("")}).code ==
      0);
  const std::string page = folder.file("page.html");
  std::vector<std::string> arguments = {"report", small.model(), small.map(), folder.file("accuracy.json")};
  CHECK(contains(run(arguments).err, "--output is missing; it names the page to write"));
  arguments.insert(arguments.end(), {"-o", page});
  const Outcome plain = run(arguments);
  CHECK(plain.code == 0);
  CHECK(plain.out == "Report: " + page + "\n");
  CHECK_FALSE(contains(file_content(page), "picture-errors"));
  arguments.insert(arguments.end(), {"--overwrite", "--json", "--scene", small.scene(), "--reference", small.polygons(),
                                     "--class-field", "class"});
  const Outcome outcome = run(arguments);
  REQUIRE(outcome.code == 0);
  CHECK(nlohmann::json::parse(outcome.out) == nlohmann::json{{"report", page}});
  CHECK(outcome.err.empty());
  CHECK(contains(file_content(page), "picture-errors"));
  CHECK(contains(file_content(page), "alt=\"Scene\""));
}

TEST_CASE("options without what they belong to are refused") {
  const std::vector<std::string> arguments = {"report", "model", "map.tif", "accuracy.json", "-o", "page.html"};
  const auto refused = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = run(all);
    CHECK(outcome.code == 2);
    return outcome.err;
  };
  CHECK(contains(refused({"--variable", "x"}), "--variable and --orthorectify only go with --scene"));
  CHECK(contains(refused({"--class-field", "x"}), "only go with --reference"));
}

}  // namespace parsimap::test
