// Experiments of a configuration file, in one process or in several.
#pragma once

#include <string>

#include "parsimap/commands/job.hpp"
#include "parsimap/commands/maps/merge.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/experiment/experiment_record.hpp"

namespace parsimap {

struct ExperimentOptions : JobOptions {
  std::string configuration;        // JSON file
  std::string output_folder;        // made when its parent exists
  std::string data_folder;          // of the data sets; empty: paths are taken as they are
  bool resume = false;              // continue an experiment that was stopped
  std::optional<Shard> shard = {};  // do its share of the runs
};

struct ExperimentResult {
  ExperimentRecord record;
  std::string json;    // what results.json holds
  std::string report;  // path of the page
};

// Trains and tests every method on every repeat of every data set, and writes results.json, results.csv and
// report.html: all of them, or none. Runs that are finished are kept in journal.jsonl until then.
// ConfigError: a configuration that breaks a rule, outputs that cannot be written, a journal of another experiment.
// DataError: data that is missing or cannot be read. IoError: writing fails on the way.
ExperimentResult run_experiment_file(const ExperimentOptions& options, Listener& listener);

// Does the runs of one shard: the runs of the experiment (data set, repeat, method, as the record has them) are shared
// out by share_of(). They are kept in a journal of the shard, such as journal-3-of-64.jsonl, from which a call that was
// stopped continues unless `overwrite` begins again; merge_experiment() makes the outputs of all
// journals. A data set on which the shard has nothing to do is not read. Shards may run at the same time, also on
// several computers that share the folder. Errors as run_experiment_file().
ExperimentShard run_experiment_shard(const ExperimentOptions& options, const Shard& shard, Listener& listener);

// The outputs of an experiment whose runs were shared out to shards.

// Writes results.json, results.csv and report.html from the journals of all shards (run_experiment_shard()), all of
// them or none, and removes the journals. But for times they are those of run_experiment_file(). The data are not read.
// DataError, which names up to ten journals: one is missing, lacks runs, is damaged, or is of another experiment,
// version or number of shards; or runs on a data set differ in their classes or test sets. ConfigError: outputs that
// cannot be written. IoError: writing fails on the way.
ExperimentResult merge_experiment(const MergeOptions& options, Listener& listener);

}  // namespace parsimap
