// The outputs of an experiment whose runs were shared out to shards.
#pragma once

#include <string>
#include <vector>

#include "parsimap/commands/experiment.hpp"
#include "parsimap/commands/merge_map.hpp"

namespace parsimap {

// Writes results.json, results.csv and report.html from the journals of all shards (run_experiment_shard()), all of
// them or none, and removes the journals. But for times they are those of run_experiment_file(). The data are not read.
// DataError, which names up to ten journals: one is missing, lacks runs, is damaged, or is of another experiment,
// version or number of shards; or runs on a data set differ in their classes or test sets. ConfigError: outputs that
// cannot be written. IoError: writing fails on the way.
ExperimentResult merge_experiment(const MergeOptions& options, Listener& listener);

}  // namespace parsimap
