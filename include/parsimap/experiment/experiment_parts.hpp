// An experiment whose runs are shared out to several processes: how runs are counted, and the record of what the
// processes have done, which is that of one process that does everything.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/shard.hpp"
#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/experiment/experiment_spec.hpp"

namespace parsimap {

// Data sets x repeats x methods.
Index run_count(const ExperimentSpec& spec);

// The place of a run in the order of the record (data, repeat, method), from 0; unset where the experiment has no such
// run.
std::optional<Index> run_place(const ExperimentSpec& spec, const ExperimentRun& run);

// The place of the first run on a data set, by its index. Who does this run describes the data set too.
Index first_run_of_data(const ExperimentSpec& spec, std::size_t data);

// The record of an experiment from the descriptions of its data sets and its runs, both in any order.
// DataError: a description or a run is missing, there twice or not of the experiment, or the runs on a data set differ
// in their classes or test sets, as they do when processes read different data.
ExperimentRecord joined_record(const ExperimentSpec& spec, const std::string& configuration,
                               const std::vector<DataDescription>& descriptions,
                               const std::vector<ExperimentRun>& runs);

// What one shard of an experiment has done.
struct ExperimentShard {
  Shard shard;
  Index runs = 0;       // that the shard has
  Index resumed = 0;    // of them, those that an earlier call had finished
  std::string journal;  // where they are kept; not there for a shard without runs
};

}  // namespace parsimap
