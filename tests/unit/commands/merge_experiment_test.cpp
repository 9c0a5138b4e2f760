#include "parsimap/commands/merge_experiment.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

#include "parsimap/core/error.hpp"

#include "support/small_scene.hpp"
#include "unit/commands/small_experiment.hpp"

namespace parsimap::test {
namespace {

ExperimentShard run_shard(const ExperimentOptions& options, Index number, Index count) {
  Listener deaf;
  return run_experiment_shard(options, {number, count}, deaf);
}

ExperimentResult merge_shards(const std::string& folder, bool overwrite = false) {
  Listener deaf;
  MergeOptions options{{}, folder};
  options.overwrite = overwrite;
  return merge_experiment(options, deaf);
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
  Listener deaf;
  const ExperimentResult one = run_experiment_file(whole, deaf);
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
  without_runs.configuration = std::string(PARSIMAP_SOURCE_DIR) + "/config/paper/kernel-shape.json";
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
