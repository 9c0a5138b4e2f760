#include <cstdlib>
#include <filesystem>

#include "parsimap/commands/command.hpp"
#include "parsimap/commands/experiment.hpp"
#include "parsimap/commands/heap.hpp"
#include "parsimap/json/experiment_results.hpp"
#include "parsimap/report/experiment_report.hpp"

namespace parsimap {
namespace {

std::vector<OptionSyntax> run_options(ExperimentOptions& options) {
  return {
      {.name = "output-dir",
       .value_name = "DIR",
       .help = "Folder to write to, made when its parent exists; unset: a folder named like CONFIG in the current one",
       .field = bound(options.output_folder),
       .file = {{FileContent::folder}, true},
       .effect = Effect::run},
      {.name = "data-dir",
       .value_name = "DIR",
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
ExperimentOptions with_folders(ExperimentOptions options) {
  if (options.output_folder.empty()) {
    options.output_folder = std::filesystem::path(options.configuration).stem().string();
  }
  const char* variable = std::getenv("PARSIMAP_DATA");
  if (options.data_folder.empty() && variable != nullptr) {
    options.data_folder = variable;
  }
  return options;
}

void run_run(const ExperimentOptions& asked, CommandListener& listener) {
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

}  // namespace

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
  };
}

Command run_command() { return command_of<ExperimentOptions>(run_run); }

}  // namespace parsimap
