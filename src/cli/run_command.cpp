#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/staged_file.hpp"
#include "parsimap/experiment/run_experiment.hpp"
#include "parsimap/io/json/experiment_results.hpp"
#include "parsimap/io/json/experiment_spec.hpp"
#include "parsimap/report/csv.hpp"
#include "parsimap/report/experiment_report.hpp"

#include "commands.hpp"
#include "experiment_data.hpp"
#include "experiment_journal.hpp"
#include "output_folder.hpp"
#include "paths.hpp"

namespace parsimap {
namespace {

namespace fs = std::filesystem;

CommandSyntax syntax() {
  return {
      .name = "run",
      .summary = "Run an experiment: methods x data sets x repeats, with a report",
      .details =
          "Trains and tests every method on every repeat of every data set of a JSON configuration and writes\n"
          "results.json, results.csv and report.html. Finished runs are kept in journal.jsonl until these are\n"
          "there, so that an experiment that was stopped continues with --resume. The same configuration gives\n"
          "the same results apart from times.",
      .arguments = {{"CONFIG", "Experiment, a JSON file such as config/paper/madelon.json"}},
      .options = {{.name = "output-dir",
                   .kind = OptionKind::text,
                   .value_name = "DIR",
                   .help = "Folder to write to, made when its parent exists; unset: named like CONFIG, in this one"},
                  {.name = "data-dir",
                   .kind = OptionKind::text,
                   .value_name = "DIR",
                   .help = "Folder with the data; unset: that of the environment variable PARSIMAP_DATA, or this one"},
                  {.name = "resume", .help = "Continue an experiment that was stopped"}},
  };
}

struct Targets {
  std::string results, table, report, journal;

  [[nodiscard]] std::vector<std::string> outputs() const { return {results, table, report}; }
};

Targets targets_in(const fs::path& folder) {
  return {(folder / "results.json").string(), (folder / "results.csv").string(), (folder / "report.html").string(),
          (folder / "journal.jsonl").string()};
}

std::string data_folder(const OptionValues& values) {
  const char* variable = std::getenv("PARSIMAP_DATA");
  return values.text("data-dir").value_or(variable != nullptr ? variable : "");
}

void check_targets(const Targets& targets, const std::string& config, bool overwrite) {
  for (const std::string& output : targets.outputs()) {
    check_outputs_distinct({{"CONFIG", config}}, {{"output", output}});
    check_target(output, overwrite);
  }
}

// All are complete before the first appears.
void write_outputs(const ExperimentRecord& record, const std::string& results, const Targets& targets, bool overwrite) {
  const std::vector<std::string> documents = {results, experiment_csv(record), experiment_html(record, results)};
  std::vector<std::unique_ptr<StagedFile>> staged;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    staged.push_back(std::make_unique<StagedFile>(targets.outputs()[i], overwrite));
    staged.back()->stream() << documents[i] << std::flush;
  }
  for (const auto& file : staged) {
    file->commit();
  }
}

std::size_t run_count(const ExperimentSpec& spec) {
  return spec.data.size() * static_cast<std::size_t>(spec.repeats) * spec.methods.size();
}

ExperimentRecord measure(const ExperimentSpec& spec, const std::string& configuration, const OptionValues& values,
                         ExperimentJournal& journal, Console& console) {
  ExperimentServices services;
  services.configuration = configuration;
  services.load = [folder = data_folder(values)](const DataSpec& data) { return load_dataset(data, folder); };
  services.finished = journal.finished();
  services.on_run = [&](const ExperimentRun& run) { journal.append(run); };
  services.progress = console.progress("running");
  const std::string total = std::to_string(run_count(spec));
  if (!services.finished.empty()) {
    console.message(std::to_string(services.finished.size()) + " of " + total + " runs are done already");
  }
  try {
    return run_experiment(spec, services, resolve_threads(static_cast<int>(*values.integer("threads"))));
  } catch (...) {
    if (journal.size() > 0) {
      console.message(std::to_string(journal.size()) + " of " + total +
                      " runs are kept; --resume continues from there");
    }
    throw;
  }
}

void run(const OptionValues& values, Console& console) {
  const std::string& config = values.argument("CONFIG");
  const ExperimentSpec spec = read_experiment(config);
  const fs::path output = values.text("output-dir").value_or(fs::path(config).stem().string());
  const bool overwrite = values.flag("overwrite");
  const OutputFolder folder(output);
  const Targets targets = targets_in(output);
  check_targets(targets, config, overwrite);
  const std::string configuration = experiment_json(spec);
  ExperimentJournal journal(targets.journal, configuration, PARSIMAP_VERSION, {values.flag("resume"), overwrite});
  const ExperimentRecord record = measure(spec, configuration, values, journal, console);
  const std::string results = results_json(record);
  write_outputs(record, results, targets, overwrite);
  journal.remove();
  console.result(console.json() ? results : experiment_text(record) + "\nReport: " + targets.report + "\n");
}

}  // namespace

Command run_command() { return {syntax(), run}; }

}  // namespace parsimap
