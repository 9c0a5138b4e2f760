// The kernel of a class between all training samples and the centres that machines share (svm/reduced_problem.hpp),
// computed where it is asked for: in single precision to train, in double precision to check.
//
// Coordinates in the metric of the class are computed in double precision from the spectra, in which a class varies
// along few directions far more than the metric counts them, and are only then rounded.
#pragma once

#include "parsimap/core/basis_form.hpp"
#include "parsimap/core/work.hpp"
#include "parsimap/kernel/class_metric.hpp"
#include "parsimap/kernel/mahalanobis_kernel.hpp"

namespace parsimap {

template <typename Scalar>
class CentreForm final : public BasisForm {
 public:
  // `spectra` (n x d, or n x (d + q) with profiles) is kept by the caller; both have one origin near the data. `work`
  // is told of the operations of all kernel values.
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

}  // namespace parsimap
