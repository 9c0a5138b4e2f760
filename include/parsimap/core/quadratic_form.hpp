// What a solver sees of a kernel matrix: a symmetric positive semidefinite matrix K of order n, of which it asks for
// some rows and columns at a time. The folder svm knows kernels by this interface alone, so a solver can be tested with
// a matrix of order three.
#pragma once

#include <memory>
#include <utility>

#include "parsimap/core/types.hpp"

namespace parsimap {

class QuadraticForm {
 public:
  virtual ~QuadraticForm() = default;

  // The order n.
  [[nodiscard]] virtual Index size() const = 0;
  // K(rows, columns); indices in [0, n).
  [[nodiscard]] virtual Matrix block(const Indices& rows, const Indices& columns) const = 0;
  // K(:, columns) * coefficients, a vector of length n; as many coefficients as columns.
  [[nodiscard]] virtual Vector product(const Indices& columns, const Vector& coefficients) const = 0;

  // K(first .. first + count - 1, :), which a form may compute without gathering what belongs to the columns.
  [[nodiscard]] virtual Matrix panel(Index first, Index count) const;
  // The form of some rows and columns, for those who ask for much of it: a form may gather what belongs to them, once.
  // This form must outlive the other.
  [[nodiscard]] virtual std::unique_ptr<const QuadraticForm> restricted(Indices rows) const;
};

// A matrix held in memory by the caller, who keeps it alive.
class DenseQuadraticForm final : public QuadraticForm {
 public:
  explicit DenseQuadraticForm(const Matrix& matrix, int threads = 1) : matrix_(matrix), threads_(threads) {}

  [[nodiscard]] Index size() const override { return matrix_.rows(); }
  [[nodiscard]] Matrix block(const Indices& rows, const Indices& columns) const override;
  [[nodiscard]] Vector product(const Indices& columns, const Vector& coefficients) const override;

 private:
  const Matrix& matrix_;
  int threads_;
};

// Some rows and columns of a larger form, which the caller keeps alive.
class RestrictedForm final : public QuadraticForm {
 public:
  RestrictedForm(const QuadraticForm& whole, Indices rows) : whole_(whole), rows_(std::move(rows)) {}

  [[nodiscard]] Index size() const override { return static_cast<Index>(rows_.size()); }
  [[nodiscard]] Matrix block(const Indices& rows, const Indices& columns) const override;
  [[nodiscard]] Vector product(const Indices& columns, const Vector& coefficients) const override;

 private:
  [[nodiscard]] Indices in_whole(const Indices& indices) const;

  const QuadraticForm& whole_;
  Indices rows_;
};

}  // namespace parsimap
