#include "parsimap/commands/experiments/experiment.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "parsimap/commands/command.hpp"
#include "parsimap/commands/input_files.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/experiment/run_experiment.hpp"
#include "parsimap/json/experiment_spec.hpp"
#include "parsimap/report/experiment_json.hpp"
#include "parsimap/report/experiment_report.hpp"

#include "../job_frame.hpp"
#include "experiment_data.hpp"
#include "experiment_files.hpp"

namespace parsimap {

static ExperimentOutputs stage_experiment(Job& job, const ExperimentOptions& options, const ExperimentSpec& spec,
                                          const std::string& journal) {
  for (NamedFile& file : data_inputs(options, spec)) {
    job.add_input(std::move(file));
  }
  ExperimentOutputs outputs(job.outputs(), options.output_folder);
  check_journal(job.inputs(), journal);
  return outputs;
}

static ExperimentServices services_of(const std::string& configuration, const ExperimentOptions& options,
                                      ExperimentJournal& journal, Listener& listener) {
  ExperimentServices services;
  services.configuration = configuration;
  services.load = [&](const DataSpec& data) {
    return load_dataset(data, options.data_folder, [&](const std::string& text) { listener.message(text); });
  };
  services.finished = journal.finished();
  services.on_run = [&](const ExperimentRun& run) { journal.append(run); };
  services.progress = listener.progress("running");
  return services;
}

// Says how many of the runs are kept before and after `work`, where that is not all.
template <typename Work>
static auto with_journal(const ExperimentJournal& journal, Index total, const std::string& advice, Listener& listener,
                         const Work& work) {
  // The journal is flushed after every run, so that runs are kept whatever ends the work: an error, an interruption or
  // a kill. The message says how to continue, and the error itself is passed on.
  const std::string of_total = " of " + std::to_string(total) + " runs are ";
  if (journal.size() > 0) {
    listener.message(std::to_string(journal.size()) + of_total + "done already");
  }
  try {
    return work();
  } catch (...) {
    if (journal.size() > 0) {
      listener.message(std::to_string(journal.size()) + of_total + "kept; " + advice + " continues from there");
    }
    throw;
  }
}

ExperimentResult run_experiment_file(const ExperimentOptions& options, Listener& listener) {
  ExperimentOptions replacing = options;
  const std::string path = journal_path(options.output_folder);
  // What a run left that was killed while it put its outputs in place belongs to the experiment that is resumed.
  replacing.overwrite = options.overwrite || (options.resume && ExperimentJournal::begun(path));
  Job job(replacing, listener);
  const ExperimentSpec spec = read_experiment(options.configuration);
  ExperimentOutputs outputs = stage_experiment(job, options, spec, path);
  const std::string configuration = experiment_json(spec);
  ExperimentJournal journal(path, {PARSIMAP_VERSION, configuration}, {options.resume, options.overwrite});
  const ExperimentServices services = services_of(configuration, options, journal, listener);
  ExperimentResult result = outputs.publish(with_journal(journal, run_count(spec), "--resume", listener, [&] {
    return run_experiment(spec, services, thread_count(options));
  }));
  journal.remove();
  return result;
}

ExperimentShard run_experiment_shard(const ExperimentOptions& options, const Shard& shard, Listener& listener) {
  Job job(options, listener);
  const ExperimentSpec spec = read_experiment(options.configuration);
  if (run_count(spec) == 0) {
    throw ConfigError(options.configuration + " has no runs that shards could share; run it without --shard");
  }
  const std::string path = journal_path(options.output_folder, shard);
  // A shard continues from its journal unless --overwrite is given: a scheduler may repeat the same call.
  const bool resume = options.resume || !options.overwrite;
  // Nothing is published here. Outputs that stand in the way of merging are better found before the work.
  stage_experiment(job, options, spec, path);
  const ItemRange runs = share_of(shard, run_count(spec));
  if (runs.size() == 0) {
    return {shard, 0, 0, path};
  }
  const std::string configuration = experiment_json(spec);
  ExperimentJournal journal(path, {PARSIMAP_VERSION, configuration, shard}, {resume, options.overwrite});
  ExperimentServices services = services_of(configuration, options, journal, listener);
  services.on_description = [&](const DataDescription& description) { journal.append(description); };
  services.described = mapped<std::string>(journal.descriptions(), &DataDescription::name);
  // Descriptions of data sets are kept in the journal as runs are, because merging does not read the data. Those that
  // an earlier call has written are not repeated, and runs that it has finished are skipped.
  const Index resumed = journal.size();
  with_journal(journal, runs.size(), "the same call", listener,
               [&] { run_experiment_part(spec, services, runs, thread_count(options)); });
  return {shard, runs.size(), resumed, path};
}

static std::vector<OptionSyntax> run_options(ExperimentOptions& options) {
  return {
      {.name = "output-dir",
       .help = "Folder to write to, made when its parent exists; unset: a folder named like CONFIG in the current one",
       .field = bound(options.output_folder),
       .file = {{FileContent::folder}, true},
       .effect = Effect::run},
      {.name = "data-dir",
       .help = "Folder with the data; unset: that of the environment variable PARSIMAP_DATA, or the current one",
       .field = bound(options.data_folder),
       .file = {{FileContent::folder}}},
      {.name = "resume",
       .help = "Continue an experiment that was stopped",
       .field = bound(options.resume),
       .effect = Effect::run},
      {.name = "shard",
       .value_name = "NUMBER/COUNT",
       .help = "Do one of COUNT parts of the runs, such as 3/64, and keep them in a journal in the output folder, "
               "from which the same call continues; merge makes the outputs of all parts",
       .field = bound(options.shard, parse_shard),
       .label = "Part of the runs",
       .effect = Effect::run}};
}

// With the folders of a command line that names none.
static ExperimentOptions with_folders(ExperimentOptions options) {
  if (options.output_folder.empty()) {
    options.output_folder = std::filesystem::path(options.configuration).stem().string();
  }
  const char* variable = std::getenv("PARSIMAP_DATA");
  if (options.data_folder.empty() && variable != nullptr) {
    options.data_folder = variable;
  }
  return options;
}

static void run_run(const ExperimentOptions& asked, CommandListener& listener) {
  keep_free_memory();
  const ExperimentOptions options = with_folders(asked);
  if (options.shard) {
    const ExperimentShard done = run_experiment_shard(options, *options.shard, listener);
    listener.result(listener.json() ? experiment_shard_json(done) : experiment_shard_text(done));
    return;
  }
  const ExperimentResult result = run_experiment_file(options, listener);
  listener.result(listener.json() ? result.json : experiment_text(result.record) + "\nReport: " + result.report + "\n");
}

CommandSyntax describe(ExperimentOptions& options) {
  return {
      .name = "run",
      .summary = "Run an experiment: methods x data sets x repeats, with a report",
      .details =
          "Trains and tests every method on every repeat of every data set of a JSON configuration and writes\n"
          "results.json, results.csv and report.html. Finished runs are kept in journal.jsonl until these files\n"
          "are written, so that --resume can continue an experiment that was stopped. The same configuration gives\n"
          "the same results apart from times.",
      .arguments = {{.name = "CONFIG",
                     .help = "Experiment, a JSON file such as config/paper/madelon.json",
                     .field = bound(options.configuration),
                     .file = {{FileContent::document}, false, {".json"}}}},
      .options = run_options(options),
      .tool = true,
  };
}

Command run_command() { return command_of<ExperimentOptions>(run_run); }

namespace {

namespace fs = std::filesystem;

struct JournalFile {
  Shard shard;  // by its name
  std::string path;
};

std::optional<Shard> shard_of(const std::string& name) {
  Shard shard;
  const bool named = std::sscanf(name.c_str(), "journal-%7td-of-%7td", &shard.number, &shard.count) == 2;
  return named && journal_path("", shard) == name ? std::optional(parse_shard(to_string(shard))) : std::nullopt;
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
  std::ranges::sort(files, [](const JournalFile& a, const JournalFile& b) {
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
      // The configuration is part of each journal, and the experiment file is not needed for merging. If configurations
      // differ, the most frequent one is taken as the intended one, and the others are reported.
      counts[header.configuration] += header.version == PARSIMAP_VERSION ? 1 : 0;
    } catch (const DataError&) {
      continue;  // reading it all says so again
    }
  }
  const auto most = std::ranges::max_element(counts, [](const auto& a, const auto& b) { return a.second < b.second; });
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
    const auto own = std::ranges::count_if(journal.runs, [&](const ExperimentRun& run) {
      // A run counts for its shard only if it belongs to the share of this shard. A journal that was renamed would
      // otherwise provide some runs twice and others not at all.
      const std::optional<Index> place = run_place(spec_, run);
      return place && *place >= share.first && *place < share.last;
    });
    if (own < share.size()) {
      complaints_.add(name + " has " + std::to_string(own) + " of " + std::to_string(share.size()) +
                      " runs; run shard " + to_string(shard) + " again");
    }
    add_all(runs_, journal.runs);
    add_all(descriptions_, journal.descriptions);
  }

  // Shards that come after the last run have no journal.
  void check_missing(const std::vector<JournalFile>& files) {
    const Index count = files.front().shard.count;
    auto next = files.begin();
    // Files are sorted by number, so that one pass finds the gaps.
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
  Job job(options, listener);
  repair_files({options.map + "/results.json"}, listener);
  const std::vector<JournalFile> files = journals_in(options.map);
  check_counts(options.map, files);
  ExperimentRecord record = JoinedJournals(options.map, files).record();
  for (const JournalFile& file : files) {
    job.add_input({"journal", file.path, {}});
  }
  ExperimentOutputs outputs(job.outputs(), options.map);
  ExperimentResult result = outputs.publish(std::move(record));
  for (const JournalFile& file : files) {
    // Journals are removed after the outputs are in place; until then merging can be repeated.
    fs::remove(file.path);
  }
  return result;
}

}  // namespace parsimap
