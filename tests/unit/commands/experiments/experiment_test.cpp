#include "parsimap/commands/experiments/experiment.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "parsimap/core/error.hpp"
#include "parsimap/json/experiment_spec.hpp"
#include "parsimap/json/json_text.hpp"

#include "support/small_scene.hpp"
#include "support/source_folder.hpp"
#include "unit/cli/program_runner.hpp"
#include "unit/commands/small_experiment.hpp"

namespace parsimap::test {

namespace {

Json results(const TemporaryFolder& folder) { return Json::parse(file_content(folder.file("out/results.json"))); }

}  // namespace

TEST_CASE("an experiment writes its three outputs and leaves nothing else") {
  const TemporaryFolder folder;
  const ExperimentResult result = run_small(options_of(folder, small_experiment()));
  CHECK(result.report == folder.file("out/report.html"));
  CHECK(result.json == file_content(folder.file("out/results.json")));
  CHECK(result.record.runs.size() == 4);
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.file("out"))) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  CHECK(names == std::vector<std::string>{"report.html", "results.csv", "results.json"});
  const Json json = results(folder);
  CHECK(json["configuration"] == Json::parse(experiment_json(parse_experiment(small_experiment().dump()))));
  CHECK(json["version"] == PARSIMAP_VERSION);
  REQUIRE(json["runs"].size() == 4);
  CHECK(json["runs"][3]["method"]["dimension"] == "fixed:2");
  CHECK(json["runs"][3]["repeat"] == 1);
  CHECK(json["runs"][3]["seed"] == 5);
  CHECK(json["summary"].size() == 2);
  const double mean =
      (json["runs"][1]["overall_accuracy"].get<double>() + json["runs"][3]["overall_accuracy"].get<double>()) / 2;
  CHECK(json["published"][0]["measured"] == doctest::Approx(mean));
  CHECK(contains(file_content(folder.file("out/report.html")), "Small &amp; quick"));
  CHECK(file_content(folder.file("out/results.csv")).starts_with("data,kernel,"));
}

TEST_CASE("results do not depend on the number of threads") {
  const TemporaryFolder folder;
  ExperimentOptions options = options_of(folder, small_experiment());
  const Json one = Json::parse(run_small(options).json);
  options.threads = 2;
  options.overwrite = true;
  CHECK(without_times(Json::parse(run_small(options).json)).dump() == without_times(one).dump());
}

TEST_CASE("outputs are replaced only when asked to") {
  const TemporaryFolder folder;
  ExperimentOptions options = options_of(folder, small_experiment());
  run_small(options);
  CHECK(contains(message_of([&] { run_small(options); }), "' exists; use --overwrite to replace it"));
  options.overwrite = true;
  CHECK_NOTHROW(run_small(options));
}

TEST_CASE("runs of a journal are taken over and not repeated") {
  const TemporaryFolder folder;
  ExperimentOptions options = options_of(folder, small_experiment());
  const Json whole = Json::parse(run_small(options).json);
  // The journal of a run that was killed after one of its four parts, with a mark that a repetition would not have.
  Json marked = whole["runs"][2];
  marked["classes"][0]["seconds"] = 12345;
  marked["trivial"] = {false, false};  // what lines of a journal have beside the results
  std::string checksum;
  std::string journal =
      sealed_line(Json{{"version", whole["version"]}, {"configuration", whole["configuration"]}}.dump(), checksum);
  journal += sealed_line(marked.dump(), checksum) + "{\"data\": \"to";
  write_file(folder.file("out/journal.jsonl"), journal);
  CHECK_THROWS_AS(run_small(options), ConfigError);
  options.resume = true;
  options.overwrite = true;
  RecordingListener listener;
  const Json json = Json::parse(run_experiment_file(options, listener).json);
  CHECK(listener.said("1 of 4 runs are done already"));
  CHECK(json["runs"][2]["classes"][0]["seconds"] == 12345);
  CHECK(without_times(json).dump() == without_times(whole).dump());
  CHECK_FALSE(std::filesystem::exists(folder.file("out/journal.jsonl")));
}

TEST_CASE("what cannot be run is refused and leaves no folder behind") {
  const TemporaryFolder folder;
  Json config = small_experiment();
  config["methods"][0]["kernel"] = "rbf";
  CHECK(contains(message_of([&] { run_small(options_of(folder, config)); }),
                 "small.json: /methods/0/kernel is \"rbf\"; it must be one of hdda, pca, gaussian, "));
  config = small_experiment();
  config.erase("published");
  config["data"][0] = {{"name", "toy"},
                       {"tables",
                        {{"train", {{"features", {{"paths", {"a.data"}}, {"origin", "ask us"}}}, {"labels", "b"}}},
                         {"test", {{"features", "c"}, {"labels", "d"}}}}}};
  ExperimentOptions options = options_of(folder, config);
  options.data_folder = folder.file("");
  CHECK_THROWS_AS(run_small(options), DataError);
  const std::string missing = message_of([&] { run_small(options); });
  CHECK(contains(missing, "a.data is not in the data folder"));
  CHECK(contains(missing, "ask us"));
  CHECK(folder.names() == std::vector<std::string>{"small.json"});
}

TEST_CASE("a run that was killed while it put its outputs in place is resumed") {
  const TemporaryFolder folder;
  ExperimentOptions options = options_of(folder, small_experiment());
  run_small(options);
  const Json whole = without_times(results(folder));
  options.overwrite = true;
  class Stopping final : public Listener {
    Progress progress(const std::string&) override {
      return [](double fraction) {
        if (fraction > 0.7) {
          throw IoError("stopped");
        }
      };
    }
  } stopping;
  CHECK_THROWS_AS(run_experiment_file(options, stopping), IoError);
  REQUIRE(std::filesystem::exists(folder.file("out/journal.jsonl")));
  // One of the outputs is there already, the others are those of before.
  write_file(folder.file("out/report.html"), "new");
  options.overwrite = false;
  CHECK_THROWS_AS(run_small(options), ConfigError);
  options.resume = true;
  run_small(options);
  CHECK(without_times(results(folder)) == whole);
  CHECK(file_content(folder.file("out/report.html")).size() > 1000);
  CHECK_FALSE(std::filesystem::exists(folder.file("out/journal.jsonl")));
  // Without a journal there is nothing to resume, and nothing is replaced.
  CHECK_THROWS_WITH_AS(run_small(options), doctest::Contains("exists; use --overwrite"), ConfigError);
}

TEST_CASE("the journal replaces neither the configuration nor data") {
  const TemporaryFolder folder;
  ExperimentOptions options = options_of(folder, small_experiment());
  std::filesystem::create_directory(folder.file("out"));
  const std::string journal = folder.file("out/journal.jsonl");
  write_file(journal, small_experiment().dump());
  options.configuration = journal;
  for (const bool overwrite : {false, true}) {
    options.overwrite = overwrite;
    CHECK(message_of([&] { run_small(options); }) ==
          "journal '" + journal + "' is the same file as CONFIG '" + journal + "'; an input cannot be replaced");
  }
  CHECK(file_content(journal) == small_experiment().dump());

  Json tables = small_experiment();
  tables["data"] = Json::parse(R"([{"name": "t", "tables": {
    "train": {"features": "out/results.csv", "labels": "labels"},
    "test": {"features": "out/journal.jsonl", "labels": "labels"}}}])");
  tables["published"] = Json::array();
  write_file(folder.file("labels"), "1\n2\n");
  write_file(journal, "1 2\n2 1\n");
  options = options_of(folder, tables);
  options.data_folder = folder.file("");
  options.overwrite = true;
  CHECK(message_of([&] { run_small(options); }).find("journal '" + journal + "' is the same file as data file") == 0);
  CHECK(file_content(journal) == "1 2\n2 1\n");
  std::filesystem::rename(journal, folder.file("out/results.csv"));
  CHECK(message_of([&] { run_small(options); }).find("' is the same file as data file") != std::string::npos);
  CHECK(file_content(folder.file("out/results.csv")) == "1 2\n2 1\n");
}

namespace {

// Two classes, one method; a second or less.
const char* const kTinyExperiment = R"({
  "title": "Small & quick", "repeats": 1, "seed": 4,
  "methods": [{"kernel": "hdda", "criterion": "leave-one-out", "dimension": "fixed:2"}],
  "data": [{"name": "toy", "simulated": {"train": 40, "test": 60, "scene": {"width": 10, "height": 10, "bands": 12,
    "layout": {"kind": "blocks", "block_size": 1}, "snr": 200,
    "classes": [{"name": "one", "dimension": 2}, {"name": "two", "dimension": 2}]}}}]})";

}  // namespace

TEST_CASE("an experiment is printed as text or as the JSON that is written") {
  const TemporaryFolder folder;
  write_file(folder.file("small.json"), kTinyExperiment);
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
  const std::string written = file_content(folder.file("out/results.json"));
  CHECK(json.out == written.substr(0, written.size() - 3) + ",\n  \"warnings\": []\n}\n");
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
  write_file(folder.file("small.json"), kTinyExperiment);
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

namespace {

ExperimentShard run_shard(const ExperimentOptions& options, Index number, Index count) {
  Listener silent;
  return run_experiment_shard(options, {number, count}, silent);
}

ExperimentResult merge_shards(const std::string& folder, bool overwrite = false) {
  Listener silent;
  MergeOptions options{{}, folder};
  options.overwrite = overwrite;
  return merge_experiment(options, silent);
}

// An experiment of four runs, of which three shards have 2, 1 and 1.
class Shards {
 public:
  explicit Shards(Json config = small_experiment()) : options_(options_of(folder_, config)) {}

  void run(Index number) { run_shard(options_, number, 3); }
  void run_all() {
    for (const Index number : {3, 1, 2}) {
      run(number);
    }
  }
  [[nodiscard]] std::string out(const std::string& name = "") const { return folder_.file("out" + name); }
  [[nodiscard]] std::string journal(Index number) const {
    return out("/journal-" + std::to_string(number) + "-of-3.jsonl");
  }
  // What merging says, which must leave everything as it was.
  [[nodiscard]] std::string refusal() const {
    const auto before = names();
    CHECK_THROWS_AS(merge_shards(out()), DataError);
    const std::string text = message_of([&] { merge_shards(out()); });
    CHECK(names() == before);
    return text;
  }
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(out())) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  ExperimentOptions& options() { return options_; }

 private:
  TemporaryFolder folder_;
  ExperimentOptions options_;
};

}  // namespace

TEST_CASE("merged shards are the outputs of one run, apart from times") {
  Shards shards;
  shards.run_all();
  CHECK(shards.names() ==
        std::vector<std::string>{"journal-1-of-3.jsonl", "journal-2-of-3.jsonl", "journal-3-of-3.jsonl"});
  const ExperimentResult merged = merge_shards(shards.out());
  CHECK(shards.names() == std::vector<std::string>{"report.html", "results.csv", "results.json"});
  CHECK(merged.json == file_content(shards.out("/results.json")));
  CHECK(merged.report == shards.out("/report.html"));

  ExperimentOptions whole = shards.options();
  whole.output_folder = shards.out("-whole");
  Listener silent;
  const ExperimentResult one = run_experiment_file(whole, silent);
  CHECK(without_times(Json::parse(merged.json)).dump() == without_times(Json::parse(one.json)).dump());
  CHECK(merged.record.data[0].classes[0].eigenvalues == one.record.data[0].classes[0].eigenvalues);
}

TEST_CASE("a shard says what it did, continues by itself and begins again when asked to") {
  Shards shards;
  const ExperimentShard first = run_shard(shards.options(), 1, 3);
  CHECK(first.runs == 2);
  CHECK(first.resumed == 0);
  CHECK(first.journal == shards.journal(1));
  const std::string content = file_content(first.journal);
  CHECK(run_shard(shards.options(), 1, 3).resumed == 2);
  CHECK(file_content(first.journal) == content);
  // A kill in the middle of the second run.
  write_file(first.journal, content.substr(0, content.size() - 100));
  CHECK(run_shard(shards.options(), 1, 3).resumed == 1);
  shards.run(2);
  shards.run(3);
  shards.options().overwrite = true;
  CHECK(run_shard(shards.options(), 1, 3).resumed == 0);
  CHECK_NOTHROW(merge_shards(shards.out()));
}

TEST_CASE("shards beyond the runs do nothing and are not missed") {
  Shards shards;
  for (Index number = 1; number <= 6; ++number) {
    CHECK(run_shard(shards.options(), number, 6).runs == (number <= 4 ? 1 : 0));
  }
  CHECK(shards.names().size() == 4);
  CHECK_NOTHROW(merge_shards(shards.out()));
  ExperimentOptions without_runs = shards.options();
  without_runs.configuration = source_folder() + "/config/paper/kernel-shape.json";
  CHECK_THROWS_AS(run_shard(without_runs, 1, 2), ConfigError);
}

TEST_CASE("what is missing, unfinished or damaged is named, and nothing is written") {
  Shards shards;
  CHECK(message_of([&] { merge_shards(shards.out()); }) ==
        "'" + shards.out() +
            "' has no journals of shards, such as journal-1-of-8.jsonl; for parts of a map, name the map");
  shards.run(1);
  CHECK(shards.refusal() == "the shards in '" + shards.out() +
                                "' cannot be merged: journal-2-of-3.jsonl is missing; journal-3-of-3.jsonl is missing");
  shards.run(2);
  shards.run(3);
  const std::string content = file_content(shards.journal(1));
  write_file(shards.journal(1), content.substr(0, content.size() - 100));
  CHECK(shards.refusal() == "the shards in '" + shards.out() +
                                "' cannot be merged: journal-1-of-3.jsonl has 1 of 2 runs; run shard 1/3 again");
  write_file(shards.journal(1), content.substr(0, content.find('\n') + 1));
  CHECK(contains(shards.refusal(), "journal-1-of-3.jsonl has 0 of 2 runs"));
  write_file(shards.journal(1), "");
  CHECK(contains(shards.refusal(), "journal-1-of-3.jsonl' is damaged in line 1"));
  std::string damaged = content;
  damaged[content.find("\"repeat\"") + 1] = 'R';
  write_file(shards.journal(1), damaged);
  CHECK(contains(shards.refusal(), "journal-1-of-3.jsonl' is damaged in line "));
}

TEST_CASE("foreign journals are named") {
  Shards shards;
  Json other = small_experiment();
  other["seed"] = 5;
  Shards foreign(other);
  shards.run_all();
  foreign.run_all();
  const std::string own = file_content(shards.journal(1));
  write_file(shards.journal(1), file_content(foreign.journal(1)));
  CHECK(shards.refusal() == "the shards in '" + shards.out() +
                                "' cannot be merged: journal-1-of-3.jsonl was begun with another configuration (/seed "
                                "differs)");
  write_file(shards.journal(1), file_content(shards.journal(2)));
  CHECK(contains(shards.refusal(), "journal-1-of-3.jsonl was begun as shard 2/3"));
  write_file(shards.journal(1), own);
  write_file(shards.out("/journal-1-of-4.jsonl"), own);
  CHECK(contains(shards.refusal(), "journal-1-of-3.jsonl is one of 3, but journal-1-of-4.jsonl is one of 4; remove"));
}

TEST_CASE("results that exist are replaced only when asked to, by shards and by merging") {
  Shards shards;
  shards.run_all();
  write_file(shards.out("/results.csv"), "mine");
  CHECK_THROWS_AS(run_shard(shards.options(), 1, 3), ConfigError);
  CHECK_THROWS_AS(merge_shards(shards.out()), ConfigError);
  CHECK(file_content(shards.out("/results.csv")) == "mine");
  CHECK_NOTHROW(merge_shards(shards.out(), true));
}

}  // namespace parsimap::test
