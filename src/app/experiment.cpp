#include "parsimap/app/experiment.hpp"

#include <filesystem>

#include "parsimap/experiment/run_experiment.hpp"
#include "parsimap/io/json/experiment_results.hpp"
#include "parsimap/io/json/experiment_spec.hpp"
#include "parsimap/io/output/output_set.hpp"
#include "parsimap/report/csv.hpp"
#include "parsimap/report/experiment_report.hpp"

#include "experiment_data.hpp"
#include "experiment_journal.hpp"

namespace parsimap {
namespace {

std::string journal_path(const ExperimentOptions& options) {
  return (std::filesystem::path(options.output_folder) / "journal.jsonl").string();
}

void add_inputs(OutputSet& outputs, const ExperimentOptions& options, const ExperimentSpec& spec) {
  outputs.add_input("CONFIG", options.configuration);
  add_inputs(outputs, options.option_files);
  for (const DataSpec& data : spec.data) {
    for (const std::string& file : experiment_files(data, options.data_folder)) {
      outputs.add_input("data file", file);
    }
  }
}

// The journal is written and removed in its place, not published. The rules of outputs hold for it all the same.
void check_journal(const ExperimentOptions& options, const ExperimentSpec& spec) {
  OutputSet only_journal(true);
  add_inputs(only_journal, options, spec);
  only_journal.stage("journal", journal_path(options));
}

// What a run left that was killed while it put its outputs in place belongs to the experiment that is resumed.
bool may_replace(const ExperimentOptions& options) {
  return options.overwrite || (options.resume && ExperimentJournal::begun(journal_path(options)));
}

struct ExperimentOutputs {
  ExperimentOutputs(const ExperimentOptions& options, const ExperimentSpec& spec) : set(may_replace(options)) {
    add_inputs(set, options, spec);
    set.make_folder(options.output_folder);
    check_journal(options, spec);
    const auto stage = [&](const char* name) {
      return &set.stage("output", (std::filesystem::path(options.output_folder) / name).string());
    };
    report = stage("report.html");
    table = stage("results.csv");
    results = stage("results.json");
  }

  OutputSet set;
  const StagedOutput* results = nullptr;
  const StagedOutput* table = nullptr;
  const StagedOutput* report = nullptr;
};

ExperimentRecord measure(const ExperimentSpec& spec, const std::string& configuration, const ExperimentOptions& options,
                         ExperimentJournal& journal, Listener& listener) {
  ExperimentServices services;
  services.configuration = configuration;
  services.load = [&](const DataSpec& data) {
    return load_dataset(data, options.data_folder, [&](const std::string& text) { listener.message(text); });
  };
  services.finished = journal.finished();
  services.on_run = [&](const ExperimentRun& run) { journal.append(run); };
  services.progress = listener.progress("running");
  const std::string total =
      std::to_string(spec.data.size() * static_cast<std::size_t>(spec.repeats) * spec.methods.size());
  if (!services.finished.empty()) {
    listener.message(std::to_string(services.finished.size()) + " of " + total + " runs are done already");
  }
  try {
    return run_experiment(spec, services, options.threads);
  } catch (...) {
    if (journal.size() > 0) {
      listener.message(std::to_string(journal.size()) + " of " + total +
                       " runs are kept; --resume continues from there");
    }
    throw;
  }
}

}  // namespace

ExperimentResult run_experiment_file(const ExperimentOptions& options, Listener& listener) {
  repair_files({options.configuration, options.output_folder + "/results.json"}, listener);
  const ExperimentSpec spec = read_experiment(options.configuration);
  ExperimentOutputs outputs(options, spec);
  const std::string configuration = experiment_json(spec);
  ExperimentJournal journal(journal_path(options), configuration, PARSIMAP_VERSION,
                            {options.resume, options.overwrite});
  ExperimentRecord record = measure(spec, configuration, options, journal, listener);
  std::string results = results_json(record);
  write_text(*outputs.results, results);
  write_text(*outputs.table, experiment_csv(record));
  write_text(*outputs.report, experiment_html(record, results));
  outputs.set.publish();
  journal.remove();
  return {std::move(record), std::move(results), outputs.report->target};
}

}  // namespace parsimap
