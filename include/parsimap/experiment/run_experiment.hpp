// Runs an experiment: every method on every repeat of every data set.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "parsimap/core/progress.hpp"
#include "parsimap/core/shard.hpp"
#include "parsimap/experiment/dataset.hpp"
#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/experiment/experiment_spec.hpp"

namespace parsimap {

struct ExperimentServices {
  // The resolved configuration as JSON text, for the record.
  std::string configuration;
  // Reads a data set from its files (tables and scenes; simulated ones are drawn by the experiment itself). Called once
  // per data set.
  std::function<Dataset(const DataSpec& data)> load;
  // Runs that an earlier, interrupted call finished; they are taken over and not repeated.
  std::vector<ExperimentRun> finished;
  // For run_experiment_part() alone: the data sets that the earlier call described.
  std::vector<std::string> described;
  // Called with the description of a data set, before the first run.
  std::function<void(const DataDescription& description)> on_description;
  // Called after every run, from one thread at a time, in any order: what a journal is written from.
  std::function<void(const ExperimentRun& run)> on_run;
  Progress progress;
};

// The record, with runs in the order data, repeat, method. Runs are shared between `threads` threads; nothing but the
// times depends on their number.
//
// All data sets are loaded, drawn once and described before the first run. Progress is the fraction of the
// operations of all runs that is done, about. A kernel with a pooled covariance is computed as the Gaussian kernel of
// spectra that are scaled and then whitened; they are not scaled again, so that w_0 is the weight of the squared
// Mahalanobis distance. A grid is searched once for all classes of a run: each of them has the evaluations of the whole
// search and an equal share of its seconds, and its criterion is the cross-validated error.
//
// ConfigError as check_experiment(), and for a class to train that the data set has not. DataError: what `load` throws,
// fewer than two classes, a class without training samples, an empty test set, a fixed dimension that is not
// smaller than the rank of the covariance of a class. Both name the data set.
ExperimentRecord run_experiment(const ExperimentSpec& spec, const ExperimentServices& services, int threads);

// The same of the runs `part` alone, counted in the order of the record: on_run() and on_description() tell of them,
// and joined_record() (experiment_parts.hpp) makes the record of all parts. A data set is described by the part that
// has its first run, and is not loaded where nothing on it is left to be done.
void run_experiment_part(const ExperimentSpec& spec, const ExperimentServices& services, const ItemRange& part,
                         int threads);

}  // namespace parsimap
