#include "parsimap/commands/merge_experiment.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <regex>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text_file.hpp"
#include "parsimap/experiment/run_experiment.hpp"
#include "parsimap/json/experiment_spec.hpp"

#include "experiment_outputs.hpp"
#include "job_frame.hpp"
#include "journal_content.hpp"

namespace parsimap {
namespace {

namespace fs = std::filesystem;

struct JournalFile {
  Shard shard;  // by its name
  std::string path;
};

std::optional<Shard> shard_of(const std::string& name) {
  static const std::regex form("journal-([0-9]{1,7})-of-([0-9]{1,7})\\.jsonl");
  std::smatch match;
  return std::regex_match(name, match, form) ? std::optional(parse_shard(match.str(1) + "/" + match.str(2)))
                                             : std::nullopt;
}

// In the order of their shards.
std::vector<JournalFile> journals_in(const std::string& folder) {
  std::vector<JournalFile> files;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    if (const std::optional<Shard> shard = shard_of(entry.path().filename().string())) {
      files.push_back({*shard, entry.path().string()});
    }
  }
  std::sort(files.begin(), files.end(), [](const JournalFile& a, const JournalFile& b) {
    return std::pair(a.shard.count, a.shard.number) < std::pair(b.shard.count, b.shard.number);
  });
  return files;
}

// What is wrong with journals, as one sentence that names the first ones.
class Complaints {
 public:
  void add(const std::string& text) {
    if (count_++ < kNamed) {
      text_ += (text_.empty() ? "" : "; ") + text;
    }
  }
  [[nodiscard]] bool none() const { return count_ == 0; }
  [[noreturn]] void refuse(const std::string& folder) const {
    throw DataError("the shards in '" + folder + "' cannot be merged: " + text_ +
                    (count_ > kNamed ? "; and " + std::to_string(count_ - kNamed) + " more" : ""));
  }

 private:
  static constexpr Index kNamed = 10;
  Index count_ = 0;
  std::string text_;
};

std::string name_of(const std::string& path) { return fs::path(path).filename().string(); }

// Which of several numbers of shards is meant, nobody can know.
void check_counts(const std::string& folder, const std::vector<JournalFile>& files) {
  if (files.empty()) {
    throw DataError("'" + folder +
                    "' has no journals of shards, such as journal-1-of-8.jsonl; for parts of a map, name the map");
  }
  const JournalFile& first = files.front();
  const JournalFile& last = files.back();
  if (first.shard.count != last.shard.count) {
    throw DataError("the shards in '" + folder + "' cannot be merged: " + name_of(first.path) + " is one of " +
                    std::to_string(first.shard.count) + ", but " + name_of(last.path) + " is one of " +
                    std::to_string(last.shard.count) + "; remove those that are not wanted");
  }
}

// The configuration that most journals of this version have: those that differ are foreign. Empty where there is none.
std::string usual_configuration(const std::vector<JournalFile>& files) {
  std::map<std::string, Index> counts;
  for (const JournalFile& file : files) {
    try {
      const JournalHeader header = journal_header(file.path, read_text_file(file.path));
      counts[header.configuration] += header.version == PARSIMAP_VERSION ? 1 : 0;
    } catch (const DataError&) {
      continue;  // reading it all says so again
    }
  }
  const auto most =
      std::max_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == counts.end() || most->second == 0 ? std::string() : most->first;
}

// What the journals of all shards hold together.
class JoinedJournals {
 public:
  JoinedJournals(std::string folder, const std::vector<JournalFile>& files)
      : folder_(std::move(folder)), configuration_(usual_configuration(files)) {
    if (!configuration_.empty()) {
      spec_ = parse_experiment(configuration_);
    }
    for (const JournalFile& file : files) {
      add(file);
    }
    if (!configuration_.empty()) {
      check_missing(files);
    }
    if (!complaints_.none()) {
      complaints_.refuse(folder_);
    }
  }

  [[nodiscard]] ExperimentRecord record() const {
    return joined_record(spec_, experiment_json(spec_), descriptions_, runs_);
  }

 private:
  void add(const JournalFile& file) {
    try {
      const std::string text = read_text_file(file.path);
      const JournalHeader header = journal_header(file.path, text);
      const std::string other = difference(
          header, {PARSIMAP_VERSION, configuration_.empty() ? header.configuration : configuration_, file.shard});
      if (other.empty()) {
        take(file.shard, name_of(file.path), parse_journal(file.path, text));
      } else {
        complaints_.add(name_of(file.path) + " was begun " + other);
      }
    } catch (const DataError& error) {
      complaints_.add(error.what());
    }
  }

  void take(const Shard& shard, const std::string& name, const JournalContent& journal) {
    const ItemRange share = share_of(shard, run_count(spec_));
    const auto own = std::count_if(journal.runs.begin(), journal.runs.end(), [&](const ExperimentRun& run) {
      const std::optional<Index> place = run_place(spec_, run);
      return place && *place >= share.first && *place < share.last;
    });
    if (own < share.size()) {
      complaints_.add(name + " has " + std::to_string(own) + " of " + std::to_string(share.size()) +
                      " runs; run shard " + to_string(shard) + " again");
    }
    runs_.insert(runs_.end(), journal.runs.begin(), journal.runs.end());
    descriptions_.insert(descriptions_.end(), journal.descriptions.begin(), journal.descriptions.end());
  }

  // Shards that come after the last run have no journal.
  void check_missing(const std::vector<JournalFile>& files) {
    const Index count = files.front().shard.count;
    auto next = files.begin();
    for (Index number = 1; number <= std::min(count, run_count(spec_)); ++number) {
      if (next != files.end() && next->shard.number == number) {
        ++next;
      } else {
        complaints_.add(name_of(journal_path(folder_, Shard{number, count})) + " is missing");
      }
    }
  }

  std::string folder_;
  std::string configuration_;
  ExperimentSpec spec_;
  std::vector<ExperimentRun> runs_;
  std::vector<DataDescription> descriptions_;
  Complaints complaints_;
};

}  // namespace

ExperimentResult merge_experiment(const MergeOptions& options, Listener& listener) {
  begin_job(options, listener);
  repair_files({options.map + "/results.json"}, listener);
  const std::vector<JournalFile> files = journals_in(options.map);
  check_counts(options.map, files);
  ExperimentRecord record = JoinedJournals(options.map, files).record();
  MergeOptions copy = options;
  std::vector<NamedFile> inputs = input_files(work_syntax(copy));
  for (const JournalFile& file : files) {
    inputs.push_back({"journal", file.path, {}});
  }
  ExperimentOutputs outputs(options.map, options.overwrite, inputs);
  ExperimentResult result = outputs.publish(std::move(record));
  for (const JournalFile& file : files) {
    fs::remove(file.path);
  }
  return result;
}

}  // namespace parsimap
