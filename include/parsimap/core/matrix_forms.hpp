// Kernel matrices as solvers see them: they ask for parts, which are computed where the whole is not in memory.
#pragma once

#include <memory>
#include <utility>

#include "parsimap/core/types.hpp"

namespace parsimap {

// What a solver sees of a kernel matrix: a symmetric positive semidefinite matrix K of order n, of which it asks for
// some rows and columns at a time. The folder svm knows kernels by this interface alone, so a solver can be tested with
// a matrix of order three.
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
  const QuadraticForm& whole_;
  Indices rows_;
};

// What a solver sees of a kernel between n samples and m centres: functions sum_j g_j k(x, z_j) of n samples x_i, in
// which m is so much smaller than n that matrices of m x m may be held, but not all n rows of m values.
class BasisForm {
 public:
  virtual ~BasisForm() = default;

  // The number n of samples.
  [[nodiscard]] virtual Index size() const = 0;
  // The number m of centres.
  [[nodiscard]] virtual Index centres() const = 0;
  // k(z_j, z_l) of all centres, m x m, symmetric positive semidefinite.
  [[nodiscard]] virtual Matrix centre_matrix() const = 0;
  // Writes k(x_i, z_j) of the samples `rows`, each in [0, n), and all centres to `values`, as many rows x m. Called
  // from several threads at a time.
  virtual void rows(const Indices& rows, Eigen::Ref<Matrix> values) const = 0;
};

// Some samples of a larger form, which the caller keeps alive, and all of its centres.
class RestrictedBasisForm final : public BasisForm {
 public:
  RestrictedBasisForm(const BasisForm& whole, Indices rows) : whole_(whole), rows_(std::move(rows)) {}

  [[nodiscard]] Index size() const override { return static_cast<Index>(rows_.size()); }
  [[nodiscard]] Index centres() const override { return whole_.centres(); }
  [[nodiscard]] Matrix centre_matrix() const override { return whole_.centre_matrix(); }
  void rows(const Indices& rows, Eigen::Ref<Matrix> values) const override {
    whole_.rows(values_at(rows_, rows), values);
  }

 private:
  const BasisForm& whole_;
  Indices rows_;
};

}  // namespace parsimap
