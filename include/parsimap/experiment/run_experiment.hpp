// Experiments: the draws of a data set, the description of its samples, all runs of methods on them, and the record of
// runs that several processes have shared.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/experiment/experiment_spec.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/samples/sample_set.hpp"

namespace parsimap {

// One draw of a data set: samples to train on and samples to test on.

struct TestSet {
  std::string name;
  SampleSet samples;  // same classes as the training samples
};

struct Dataset {
  SampleSet train;
  std::vector<TestSet> tests;       // at least one
  std::vector<double> wavelengths;  // nanometres, one per band, or empty
};

// The draw of a simulated data set for a seed, which decides the scene and which of its pixels are for training.
Dataset draw_simulation(const SimulatedData& data, std::uint64_t seed);

// `train_per_class` of every class stay in training; the others become the first test set, "rest". DataError when a
// class has no sample left for the test.
Dataset split_training(const Dataset& dataset, Index train_per_class, std::uint64_t seed);

// What training samples are like: spectra and scree tests of every class, for reports.

// `wavelengths` has one for every band, or none; `rules` are those whose choice of the dimension is shown.
DataDescription describe_samples(const std::string& name, const SampleSet& samples,
                                 const std::vector<double>& wavelengths, const std::vector<DimensionRule>& rules,
                                 ScalingRule scaling);

// Runs an experiment: every method on every repeat of every data set.

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
// `spec` is one that check_experiment() takes. ConfigError for a class to train that the data set has not. DataError:
// what `load` throws, fewer than two classes, a class without training samples, an empty test set, a fixed dimension
// that is not smaller than the rank of the covariance of a class. Both name the data set.
ExperimentRecord run_experiment(const ExperimentSpec& spec, const ExperimentServices& services, int threads);

// The same of the runs `part` alone, counted in the order of the record: on_run() and on_description() report them,
// and joined_record() makes the record of all parts. A data set is described by the part that
// has its first run, and is not loaded where nothing on it is left to be done.
void run_experiment_part(const ExperimentSpec& spec, const ExperimentServices& services, const ItemRange& part,
                         int threads);

// An experiment whose runs are shared out to several processes: how runs are counted, and the record of what the
// processes have done, which is that of one process that does everything.

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

// The values k(0, x) of kernels in the plane, which show what their weights do: one surface for each of `shape`. The
// weights 1 / sigma^2 stand along the first eigenvectors of the covariance, as many as the surface has directional
// sigmas.
std::vector<KernelSurface> kernel_surfaces(const KernelShapeSpec& shape);

}  // namespace parsimap
