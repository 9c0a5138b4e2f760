// Classifiers whose kernels are polynomials in the metrics of the classes, or the sum of the classes' Gaussian kernels
// (kernel/kernel.hpp). Metrics and C are chosen by the risk of left-out samples, as those of Gaussian kernels.
#pragma once

#include <cstdint>

#include "parsimap/core/progress.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/selection/metric_selection.hpp"

#include "method_training.hpp"

namespace parsimap {

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
