#include "class_shares.hpp"

#include <Eigen/Cholesky>

#include <algorithm>

namespace parsimap {
// The least over sum x = 1 of the free entries, the others being 0: with u = H^-1 g and v = H^-1 1 it is u - l v, where
// the multiplier l makes the sum 1.
static Vector minimum_on_face(const Matrix& hessian, const Vector& gradient, const Indices& free, double& multiplier) {
  const Eigen::LLT<Matrix> factor(hessian(free, free));
  const Vector u = factor.solve(gradient(free));
  const Vector v = factor.solve(Vector::Ones(u.size()));
  multiplier = (u.sum() - 1) / v.sum();
  return u - multiplier * v;
}

Vector minimise_on_simplex(const Matrix& hessian, const Vector& gradient) {
  const Index size = gradient.size();
  Vector x = Vector::Constant(size, 1 / static_cast<double>(size));
  Indices free(static_cast<std::size_t>(size));
  for (Index i = 0; i < size; ++i) {
    free[static_cast<std::size_t>(i)] = i;
  }
  // An active-set method: the minimum on the face of the free entries is approached until one of them becomes 0, which
  // leaves the face. At the minimum of a face, the entry with the steepest descent becomes free. The value falls with
  // every face, so that none comes back; rounding is bounded by the number of steps.
  for (Index step = 0; step < 20 * size + 20; ++step) {
    double multiplier = 0;
    const Vector least = minimum_on_face(hessian, gradient, free, multiplier);
    double length = 1;
    Index leaving = -1;
    for (Index k = 0; k < least.size(); ++k) {
      const double from = x(free[static_cast<std::size_t>(k)]);
      if (least(k) < 0 && from / (from - least(k)) < length) {
        length = from / (from - least(k));
        leaving = k;
      }
    }
    for (Index k = 0; k < least.size(); ++k) {
      double& entry = x(free[static_cast<std::size_t>(k)]);
      entry = std::max(0.0, entry + length * (least(k) - entry));
    }
    if (leaving >= 0) {
      x(free[static_cast<std::size_t>(leaving)]) = 0;
      free.erase(free.begin() + leaving);
      continue;
    }
    const Vector slope = ((hessian * x - gradient).array() + multiplier).matrix();
    Index steepest = 0;
    if (slope.minCoeff(&steepest) >= -1e-9 * (1 + gradient.cwiseAbs().maxCoeff()) ||
        std::ranges::count(free, steepest) > 0) {
      break;
    }
    free.push_back(steepest);
  }
  return x / x.sum();
}

Vector class_shares(const Matrix& confusion, const Vector& map_shares, const Vector& variances, const Vector& prior,
                    double prior_variance) {
  const auto classes = static_cast<double>(confusion.rows());
  const Vector weights = (classes - 1) / classes * variances.cwiseInverse();
  Matrix hessian = confusion * weights.asDiagonal() * confusion.transpose();
  hessian.diagonal().array() += 1 / prior_variance;
  return minimise_on_simplex(hessian, confusion * weights.cwiseProduct(map_shares) + prior / prior_variance);
}

}  // namespace parsimap
