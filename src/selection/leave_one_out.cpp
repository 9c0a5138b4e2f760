#include "parsimap/selection/leave_one_out.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace parsimap {
namespace {

// log(1 + exp(-2 m)) and its derivative in m, without overflow.
double loss(double margin) {
  const double x = -2 * margin;
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

double loss_slope(double margin) { return -2 / (1 + std::exp(2 * margin)); }

Indices outside(const Indices& support, Index n) {
  Indices rest;
  std::size_t next = 0;
  for (Index i = 0; i < n; ++i) {
    if (next < support.size() && support[next] == i) {
      ++next;
    } else {
      rest.push_back(i);
    }
  }
  return rest;
}

}  // namespace

Matrix leave_one_out_inverse(const MarginSolution& margin) {
  const Index s = margin.factor.rows();
  // (K_SS + I/C)^-1 = L^-T L^-1 with only the lower triangle computed, then the bordered system's correction.
  Matrix inverse_factor = Matrix::Identity(s, s);
  margin.factor.matrixL().solveInPlace(inverse_factor);
  Matrix inverse = Matrix::Zero(s, s);
  inverse.selfadjointView<Eigen::Lower>().rankUpdate(inverse_factor.transpose());
  inverse.triangularView<Eigen::StrictlyUpper>() = inverse.transpose();
  const Vector sums = inverse.rowwise().sum();
  inverse.noalias() -= sums * sums.transpose() / sums.sum();
  return inverse;
}

Vector leave_one_out_decisions(const MarginSolution& margin, const Vector& labels, const Matrix& inverse) {
  Vector decisions = margin.decision;
  for (std::size_t k = 0; k < margin.support.size(); ++k) {
    const Index i = margin.support[k];
    const auto s = static_cast<Index>(k);
    decisions(i) = labels(i) - margin.coefficients(i) / inverse(s, s);
  }
  return decisions;
}

LeaveOneOut::LeaveOneOut(const TrainingGeometry& geometry, Vector labels)
    : geometry_(geometry), labels_(std::move(labels)) {}

CriterionValue LeaveOneOut::evaluate(const Hyperparameters& parameters, bool with_gradient) {
  const Matrix kernel = geometry_.gram(parameters.weights);
  const DenseQuadraticForm form(kernel);
  const MarginSolution margin = solve_margin(form, labels_, parameters.C, decision_.size() > 0 ? &decision_ : nullptr);
  if (margin.stop != SolverStop::optimal) {
    return {std::numeric_limits<double>::infinity(), {}};
  }
  decision_ = margin.decision;
  const Matrix inverse = leave_one_out_inverse(margin);
  const Vector decisions = leave_one_out_decisions(margin, labels_, inverse);
  CriterionValue result;
  for (Index i = 0; i < labels_.size(); ++i) {
    result.value += loss(labels_(i) * decisions(i));
  }
  result.value /= static_cast<double>(labels_.size());
  if (with_gradient) {
    result.gradient = gradient(parameters, kernel, margin, inverse, decisions);
  }
  return result;
}

// With l_i = dJ/dr_i of r_i = g_i / B_ii, u = B (l / diag B), v_i = l_i g_i / B_ii^2, the samples of S contribute
// sum_jk Gbar_jk dK_jk, Gbar = -sym(u g') + B diag(v) B; those outside, with t_j = dJ/df_j and
// h = H^-1 sum_j t_j [K_jS, 1]', contribute sum_j t_j dK_jS g - h_S' dK_SS g.
Vector LeaveOneOut::gradient(const Hyperparameters& parameters, const Matrix& kernel, const MarginSolution& margin,
                             const Matrix& inverse, const Vector& decisions) const {
  const Index n = labels_.size();
  const auto s = static_cast<Index>(margin.support.size());
  Vector slopes(n);  // dJ/df_i
  for (Index i = 0; i < n; ++i) {
    slopes(i) = labels_(i) * loss_slope(labels_(i) * decisions(i)) / static_cast<double>(n);
  }
  const Vector g = margin.coefficients(margin.support);
  const Eigen::ArrayXd diagonal = inverse.diagonal().array();
  const Eigen::ArrayXd l = -slopes(margin.support).array();
  const Vector u = inverse * (l / diagonal).matrix();
  const Vector v = (l * g.array() / diagonal.square()).matrix();

  const Indices rest = outside(margin.support, n);
  const Vector t = slopes(rest);
  const Matrix rest_kernel = kernel(rest, margin.support);
  // The S part of H^-1 [a; c] is B a + c A^-1 1 / (1' A^-1 1), A = K_SS + I/C.
  const Vector ones_solution = margin.factor.solve(Vector::Ones(s));
  const Vector h = inverse * (rest_kernel.transpose() * t) + (t.sum() / ones_solution.sum()) * ones_solution;

  Matrix inner = inverse * v.asDiagonal() * inverse;
  const Vector w = u + h;
  inner.noalias() -= 0.5 * (w * g.transpose() + g * w.transpose());
  const double c_derivative = -inner.trace() / parameters.C;
  inner.array() *= kernel(margin.support, margin.support).array();
  const Matrix outer = t.asDiagonal() * rest_kernel * g.asDiagonal();

  const Vector weights_part = geometry_.derivatives(parameters.weights, margin.support, margin.support, inner) +
                              geometry_.derivatives(parameters.weights, rest, margin.support, outer);
  Vector result(weights_part.size() + 1);
  result << weights_part, c_derivative;
  return result;
}

}  // namespace parsimap
