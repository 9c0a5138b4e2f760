#include "parsimap/commands/experiment.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/experiment/run_experiment.hpp"
#include "parsimap/json/experiment_spec.hpp"

#include "experiment_data.hpp"
#include "experiment_journal.hpp"
#include "experiment_outputs.hpp"
#include "job_frame.hpp"

namespace parsimap {
namespace {

// What a run left that was killed while it put its outputs in place belongs to the experiment that is resumed.
bool may_replace(const ExperimentOptions& options) {
  return options.overwrite || (options.resume && ExperimentJournal::begun(journal_path(options.output_folder)));
}

ExperimentServices services_of(const std::string& configuration, const ExperimentOptions& options,
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
auto with_journal(const ExperimentJournal& journal, Index total, const std::string& advice, Listener& listener,
                  const Work& work) {
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

}  // namespace

ExperimentResult run_experiment_file(const ExperimentOptions& options, Listener& listener) {
  begin_job(options, listener);
  const ExperimentSpec spec = read_experiment(options.configuration);
  const std::string path = journal_path(options.output_folder);
  const std::vector<NamedFile> inputs = experiment_inputs(options, spec);
  ExperimentOutputs outputs(options.output_folder, may_replace(options), inputs);
  check_journal(inputs, path);
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
  begin_job(options, listener);
  const ExperimentSpec spec = read_experiment(options.configuration);
  if (run_count(spec) == 0) {
    throw ConfigError(options.configuration + " has no runs that shards could share; run it without --shard");
  }
  const std::string path = journal_path(options.output_folder, shard);
  const bool resume = options.resume || !options.overwrite;
  // Nothing is published here. Outputs that stand in the way of merging are better found before the work.
  const std::vector<NamedFile> inputs = experiment_inputs(options, spec);
  const ExperimentOutputs outputs(options.output_folder, options.overwrite, inputs);
  check_journal(inputs, path);
  const ItemRange runs = share_of(shard, run_count(spec));
  if (runs.size() == 0) {
    return {shard, 0, 0, path};
  }
  const std::string configuration = experiment_json(spec);
  ExperimentJournal journal(path, {PARSIMAP_VERSION, configuration, shard}, {resume, options.overwrite});
  ExperimentServices services = services_of(configuration, options, journal, listener);
  services.on_description = [&](const DataDescription& description) { journal.append(description); };
  std::transform(journal.descriptions().begin(), journal.descriptions().end(), std::back_inserter(services.described),
                 [](const DataDescription& description) { return description.name; });
  const Index resumed = journal.size();
  with_journal(journal, runs.size(), "the same call", listener,
               [&] { run_experiment_part(spec, services, runs, thread_count(options)); });
  return {shard, runs.size(), resumed, path};
}

}  // namespace parsimap
