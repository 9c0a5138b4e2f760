// Machines of so many samples that none can be trained exactly: all classes share some of the samples as centres, and
// each machine is the best on their kernels (svm/reduced_problem.hpp), in the metric of its class.
#pragma once

#include "parsimap/classifier/class_trainer.hpp"

namespace parsimap {

class CentreTraining {
 public:
  // `samples` and their scaled spectra, followed by profiles where kernels have a term for them (n x (d + q)), are kept
  // by the caller; `count` centres, in [1, n]. Keeps a copy of the columns in single precision.
  CentreTraining(const SampleSet& samples, const Matrix& columns, const TrainingOptions& options, Index count);

  // Rows of the samples, ascending.
  [[nodiscard]] const Indices& centres() const { return centres_; }

  // The machine of one class, whose support are the centres. One class at a time: the threads share its samples.
  // DataError when the kernel matrix of the centres is not positive definite to working precision.
  [[nodiscard]] BinaryMachine fit(int c, const ClassChoice& choice, const Work& work) const;

  // About how many operations fit() takes for one class, of samples of d + q columns, q of them features.
  static double operations(Index samples, Index columns, Index centres, Index features = 0);

  // About how much memory all of that holds, beside the samples and their scaled spectra.
  static std::int64_t bytes(Index samples, Index columns, Index centres, int threads);

 private:
  const SampleSet& samples_;
  TrainingOptions options_;
  Indices centres_;
  Spectra spectra_;        // about the mean of the centres
  Matrix centre_spectra_;  // likewise
};

}  // namespace parsimap
