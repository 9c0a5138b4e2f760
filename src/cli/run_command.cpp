#include <cstdlib>
#include <filesystem>

#include "parsimap/app/experiment.hpp"
#include "parsimap/io/json/experiment_results.hpp"
#include "parsimap/report/experiment_report.hpp"

#include "commands.hpp"
#include "heap.hpp"
#include "shared_options.hpp"

namespace parsimap {
namespace {

CommandSyntax run_syntax() {
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
                     .file = {{FileContent::document}, false, {".json"}}}},
      .options =
          {{.name = "output-dir",
            .kind = OptionKind::text,
            .value_name = "DIR",
            .help = "Folder to write to, made when its parent exists; unset: a folder named like CONFIG in the current "
                    "one",
            .file = {{FileContent::folder}, true}},
           {.name = "data-dir",
            .kind = OptionKind::text,
            .value_name = "DIR",
            .help = "Folder with the data; unset: that of the environment variable PARSIMAP_DATA, or the current one",
            .file = {{FileContent::folder}}},
           {.name = "resume", .help = "Continue an experiment that was stopped"},
           {.name = "shard",
            .kind = OptionKind::text,
            .value_name = "NUMBER/COUNT",
            .help = "Do one of COUNT parts of the runs, such as 3/64, and keep them in a journal in the output folder, "
                    "from which the same call continues; merge makes the outputs of all parts",
            .check = [](const std::string& text) { parse_shard(text); },
            .label = "Part of the runs"}},
  };
}

ExperimentOptions run_options(const OptionValues& values) {
  const char* variable = std::getenv("PARSIMAP_DATA");
  ExperimentOptions options;
  options.configuration = values.argument("CONFIG");
  options.output_folder =
      values.text("output-dir").value_or(std::filesystem::path(options.configuration).stem().string());
  options.data_folder = values.text("data-dir").value_or(variable != nullptr ? variable : "");
  options.threads = thread_count(values);
  options.resume = values.flag("resume");
  options.overwrite = values.flag("overwrite");
  options.option_files = option_files(values);
  return options;
}

void run_run(const OptionValues& values, CommandListener& listener) {
  keep_free_memory();
  if (const auto shard = values.text("shard")) {
    const ExperimentShard done = run_experiment_shard(run_options(values), parse_shard(*shard), listener);
    listener.result(listener.json() ? experiment_shard_json(done) : experiment_shard_text(done));
    return;
  }
  const ExperimentResult result = run_experiment_file(run_options(values), listener);
  listener.result(listener.json() ? result.json : experiment_text(result.record) + "\nReport: " + result.report + "\n");
}

}  // namespace

Command run_command() { return {run_syntax(), run_run}; }

}  // namespace parsimap
