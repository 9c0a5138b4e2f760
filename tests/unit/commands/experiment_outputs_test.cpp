#include "commands/experiment_outputs.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "parsimap/core/error.hpp"

#include "support/example_experiment.hpp"
#include "unit/core/temporary_folder.hpp"

using namespace parsimap;

TEST_CASE("a shard has a journal of its own") {
  CHECK(journal_path("out") == "out/journal.jsonl");
  CHECK(journal_path("out", Shard{3, 64}) == "out/journal-3-of-64.jsonl");
}

TEST_CASE("an experiment reads its configuration, the files of options and those of its data that are there") {
  const TemporaryFolder folder;
  write_file(folder.file("a.data"), "1");
  ExperimentOptions options;
  options.configuration = "c.json";
  options.data_folder = folder.file("");
  options.options_file = "o.json";
  ExperimentSpec spec;
  spec.data.resize(1);
  TableData tables;
  tables.train.features.paths = {"a.data"};
  tables.test.labels.paths = {"missing"};
  spec.data[0].source = tables;
  const std::vector<NamedFile> inputs = experiment_inputs(options, spec);
  REQUIRE(inputs.size() == 3);
  CHECK(inputs[0].path == "c.json");
  CHECK(inputs[1].role == "--options-file");
  CHECK(inputs[2].path == folder.file("a.data"));
}

TEST_CASE("outputs of an experiment appear together, and the folder goes where they do not") {
  const TemporaryFolder folder;
  const std::string out = folder.file("out");
  { const ExperimentOutputs outputs(out, false, {}); }
  CHECK_FALSE(std::filesystem::exists(out));
  ExperimentOutputs outputs(out, false, {});
  const ExperimentResult result = outputs.publish(test::example_experiment());
  CHECK(result.report == out + "/report.html");
  CHECK(result.json == file_content(out + "/results.json"));
  CHECK(std::filesystem::exists(out + "/results.csv"));
  CHECK_THROWS_AS(ExperimentOutputs(out, false, {}), ConfigError);
}

TEST_CASE("a journal replaces no input") {
  const TemporaryFolder folder;
  write_file(folder.file("journal.jsonl"), "{}");
  CHECK_NOTHROW(check_journal({}, folder.file("journal.jsonl")));
  CHECK(message_of([&] {
          check_journal({{"CONFIG", folder.file("journal.jsonl")}}, folder.file("journal.jsonl"));
        }).find("is the same file as CONFIG") != std::string::npos);
}
