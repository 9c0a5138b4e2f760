// Training on centres that all classes share, for more samples than can be trained on exactly, and the kernel between
// samples and centres that it needs.
#pragma once

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/core/matrix_forms.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/kernel/kernel.hpp"

namespace parsimap {

// The kernel of a class between all training samples and the centres that classifiers share (svm/l2_svm.hpp),
// computed where it is asked for: in single precision to train, in double precision to check.
//
// Coordinates in the metric of the class are computed in double precision from the spectra, in which a class varies
// along few directions far more than the metric counts them, and are only then rounded.
template <typename Scalar>
class CentreForm final : public BasisForm {
 public:
  // `spectra` (n x d, or n x (d + q) with profiles) is kept by the caller; both have one origin near the data. `work`
  // receives the operations of all kernel values.
  CentreForm(const ClassMetric& metric, const Spectra& spectra, const Matrix& centres, Work work);

  [[nodiscard]] Index size() const override { return spectra_.rows(); }
  [[nodiscard]] Index centres() const override { return centre_matrix_.rows(); }
  [[nodiscard]] Matrix centre_matrix() const override { return centre_matrix_; }
  void rows(const Indices& rows, Eigen::Ref<Matrix> values) const override;

 private:
  using Values = Eigen::MatrixX<Scalar>;
  using Norms = Eigen::VectorX<Scalar>;

  void full_rows(const Matrix& spectra, Eigen::Ref<Matrix> values) const;

  const Spectra& spectra_;
  MahalanobisKernel kernel_;
  Matrix centre_matrix_;
  Values centres_;  // in the coordinates of the kernel, coordinates x m
  Values norms_;    // -1/2 of the squared norms of their spectra and, where the kernel has a term for them, profiles
  Work work_;
};

extern template class CentreForm<float>;
extern template class CentreForm<double>;

// Classifiers of so many samples that none can be trained exactly: all classes share some of the samples as centres,
// and each classifier is the best on their kernels (svm/l2_svm.hpp), in the metric of its class.
class CentreTraining {
 public:
  // `samples` and their scaled spectra, followed by profiles where kernels have a term for them (n x (d + q)), are kept
  // by the caller; `count` centres, in [1, n]. Keeps a copy of the columns in single precision.
  CentreTraining(const SampleSet& samples, const Matrix& columns, const TrainingOptions& options, Index count);

  // Rows of the samples, ascending.
  [[nodiscard]] const Indices& centres() const { return centres_; }

  // The classifier of one class, whose support are the centres. One class at a time: the threads share its samples.
  // DataError when the kernel matrix of the centres is not positive definite to working precision.
  [[nodiscard]] BinaryClassifier fit(int c, const ClassChoice& choice, const Work& work) const;

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
