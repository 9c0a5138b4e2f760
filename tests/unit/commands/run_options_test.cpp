#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "unit/cli/program_runner.hpp"

namespace parsimap::test {
namespace {

// Two classes, one method; a second or less.
const char* const kConfiguration = R"({
  "title": "Small & quick", "repeats": 1, "seed": 4,
  "methods": [{"kernel": "hdda", "criterion": "leave-one-out", "dimension": "fixed:2"}],
  "data": [{"name": "toy", "simulated": {"train": 40, "test": 60, "scene": {"width": 10, "height": 10, "bands": 12,
    "layout": {"kind": "blocks", "block_size": 1}, "snr": 200,
    "classes": [{"name": "one", "dimension": 2}, {"name": "two", "dimension": 2}]}}}]})";

}  // namespace

TEST_CASE("an experiment is printed as text or as the JSON that is written") {
  const TemporaryFolder folder;
  write_file(folder.file("small.json"), kConfiguration);
  const std::vector<std::string> command = {"run", folder.file("small.json"), "--output-dir", folder.file("out")};
  const Outcome text = run(command);
  CAPTURE(text.err);
  REQUIRE(text.code == 0);
  CHECK(contains(text.out, "Small & quick\n\ntoy: 40 training samples, 12 features; test set 'test'\n"));
  CHECK(contains(text.out, "Report: " + folder.file("out/report.html")));
  std::vector<std::string> again = command;
  again.push_back("--json");
  CHECK(run(again).code == 2);
  again.push_back("--overwrite");
  const Outcome json = run(again);
  CHECK(json.out == file_content(folder.file("out/results.json")));
}

TEST_CASE("data are looked for where --data-dir says, or PARSIMAP_DATA") {
  const TemporaryFolder folder;
  write_file(folder.file("small.json"),
             R"({"title": "t", "methods": [{"kernel": "gaussian", "criterion": "radius-margin"}],
    "data": [{"name": "toy", "tables": {"train": {"features": "a.data", "labels": "b"},
                                        "test": {"features": "c", "labels": "d"}}}]})");
  const Outcome missing =
      run({"run", folder.file("small.json"), "--output-dir", folder.file("out"), "--data-dir", folder.file("data")});
  CHECK(missing.code == 3);
  CHECK(contains(missing.err, "a.data is not in the data folder '" + folder.file("data")));
  CHECK_FALSE(std::filesystem::exists(folder.file("out")));
}

TEST_CASE("a shard of an experiment says what it did") {
  const TemporaryFolder folder;
  write_file(folder.file("small.json"), kConfiguration);
  const std::vector<std::string> command = {"run", folder.file("small.json"), "--output-dir", folder.file("out"),
                                            "--shard"};
  const auto shard = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = command;
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  };
  const Outcome first = shard({"1/2"});
  CAPTURE(first.err);
  CHECK(first.code == 0);
  CHECK(first.out ==
        "Shard 1/2 has 1 run, of which 0 done before.\nJournal: " + folder.file("out/journal-1-of-2.jsonl") + "\n");
  CHECK(contains(shard({"1/2", "--json"}).out, "\"done_before\": 1"));
  CHECK(shard({"2/2"}).out == "Shard 2/2 has no runs.\n");
  CHECK(shard({"3/2"}).code == 2);
}

}  // namespace parsimap::test
