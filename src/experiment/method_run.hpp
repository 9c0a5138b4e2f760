// One method on one draw of a data set: training and tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/experiment/experiment_spec.hpp"
#include "parsimap/experiment/run_experiment.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/selection/metric_selection.hpp"

namespace parsimap {

struct MethodTask {
  std::string data;  // name of the data set
  Index repeat = 0;
  std::uint64_t seed = 0;    // of selection subsets and folds
  std::vector<int> classes;  // indices of those to train, in this order
  Method method;
  ScalingRule scaling = ScalingRule::global;
};

ExperimentRun run_method(const Dataset& dataset, const MethodTask& task, const Work& work);

// About how many operations that takes.
double method_work(const Dataset& dataset, const MethodTask& task);

// What a run asks of a way to train: binary classifiers of the classes, and their decisions.

// One class against the rest, trained.
struct TrainedClass {
  BinaryClassifier classifier;  // its support are rows of the training samples
  bool trivial = false;         // as in ClassRun
  double seconds = 0;           // processor time of what was done for this class alone
};

class MethodTraining {
 public:
  virtual ~MethodTraining() = default;

  // The classifiers of these classes, in their order.
  [[nodiscard]] virtual std::vector<TrainedClass> train(const std::vector<int>& classes) const = 0;

  // Decision values of spectra (m x d, raw) by classifiers of these classes: m x classes.
  [[nodiscard]] virtual Matrix decisions(const std::vector<TrainedClass>& classifiers, const std::vector<int>& classes,
                                         const Matrix& spectra) const = 0;

  // What combines the decision values of all classes before they are compared (Judgement::combination).
  [[nodiscard]] virtual Matrix combination() const { return {}; }
};

// The time of this thread alone, so that other programs on the computer do not change what is measured.
double processor_seconds();

// Classifiers whose kernels are polynomials in the metrics of the classes, or the sum of the classes' Gaussian kernels
// (kernel/kernel.hpp). Metrics and C are chosen by the risk of left-out samples, as those of Gaussian kernels.

struct MetricKernelOptions {
  MetricKernel kernel;
  DimensionRule dimension;
  ScalingRule scaling = ScalingRule::global;
  std::uint64_t seed = 0;
};

class MetricKernelTraining final : public MethodTraining {
 public:
  // Chooses metrics and C. The samples are kept by the caller; progress is given as fractions of the choice.
  MetricKernelTraining(const SampleSet& samples, const MetricKernelOptions& options, const Progress& progress);

  // Holds the kernel matrix of the training samples as a whole. The metric of a classifier is that of its class; the
  // kernel of sums has those of the other classes as well. DataError when the kernel matrix is not positive definite
  // to working precision.
  [[nodiscard]] std::vector<TrainedClass> train(const std::vector<int>& classes) const override;
  [[nodiscard]] Matrix decisions(const std::vector<TrainedClass>& classifiers, const std::vector<int>& classes,
                                 const Matrix& spectra) const override;
  [[nodiscard]] Matrix combination() const override { return selection_.judgement.combination; }

  [[nodiscard]] const MetricSelection& selection() const { return selection_; }

 private:
  [[nodiscard]] std::vector<ClassMetric> metrics_of(const std::vector<int>& group) const;
  [[nodiscard]] BinaryClassifier fit(int c, const Matrix& kernel) const;

  const SampleSet& samples_;
  MetricKernel kernel_;
  Scaling scaling_;
  Matrix spectra_;  // scaled
  MetricSelection selection_;
  std::vector<ClassMetric> metrics_;  // by class
};

}  // namespace parsimap
