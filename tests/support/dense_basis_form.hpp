// A matrix form for tests of what takes one.
#pragma once

#include "parsimap/core/matrix_forms.hpp"

namespace parsimap {

// Matrices held in memory by the caller, who keeps them alive: n x m and m x m.
class DenseBasisForm final : public BasisForm {
 public:
  DenseBasisForm(const Matrix& samples, const Matrix& centres) : samples_(samples), centres_(centres) {}

  [[nodiscard]] Index size() const override { return samples_.rows(); }
  [[nodiscard]] Index centres() const override { return samples_.cols(); }
  [[nodiscard]] Matrix centre_matrix() const override { return centres_; }
  void rows(const Indices& rows, Eigen::Ref<Matrix> values) const override { values = samples_(rows, Eigen::all); }

 private:
  const Matrix& samples_;
  const Matrix& centres_;
};

}  // namespace parsimap
