#include "parsimap/selection/leave_one_out.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "parsimap/selection/logistic_calibration.hpp"

namespace parsimap {
namespace {

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

// Precision of the prior on the weights, times n: a weight e times as large as that of all bands costs half of a sample
// whose loss is one.
constexpr double kPriorPrecision = 1;

// The negative logarithm of a prior on the weights along the directions, 1/n sum 1/2 log(1 + w_l / w_0)^2, and what it
// adds to the gradient: with few samples only a clear gain makes the kernel differ from the Gaussian one.
double add_prior(const KernelWeights& weights, double samples, Vector& gradient) {
  const Index p = weights.directional.size();
  const double precision = kPriorPrecision / samples;
  double value = 0;
  for (Index l = 0; l < p; ++l) {
    const double ratio = weights.directional(l) / weights.isotropic;
    const double logarithm = std::log1p(ratio);
    value += 0.5 * precision * logarithm * logarithm;
    if (gradient.size() > 0) {
      const double slope = precision * logarithm * ratio / (1 + ratio);
      gradient(l) += slope;
      gradient(p) -= slope;
    }
  }
  return value;
}

}  // namespace

Matrix leave_one_out_inverse(const MarginSolution& margin) {
  const Index s = margin.factor.rows();
  // (K_SS + I/C)^-1 = L^-T L^-1 with only the lower triangle computed, then the bordered system's correction.
  Matrix inverse_factor = Matrix::Identity(s, s);
  margin.factor.lower().triangularView<Eigen::Lower>().solveInPlace(inverse_factor);
  Matrix inverse = Matrix::Zero(s, s);
  inverse.selfadjointView<Eigen::Lower>().rankUpdate(inverse_factor.transpose());
  inverse.triangularView<Eigen::StrictlyUpper>() = inverse.transpose();
  const Vector sums = inverse.rowwise().sum();
  inverse.noalias() -= sums * sums.transpose() / sums.sum();
  return inverse;
}

Vector leave_one_out_decisions(const MarginSolution& margin, const Vector& labels, const Vector& diagonal) {
  Vector decisions = margin.decision;
  for (std::size_t k = 0; k < margin.support.size(); ++k) {
    const Index i = margin.support[k];
    decisions(i) = labels(i) - margin.coefficients(i) / diagonal(static_cast<Index>(k));
  }
  return decisions;
}

LeaveOneOut::LeaveOneOut(TrainingGeometry geometry, Vector labels) : solved_(1), labels_(std::move(labels)) {
  parts_.push_back({std::move(geometry), outside({}, labels_.size())});
}

LeaveOneOut::LeaveOneOut(std::vector<Part> parts, Vector labels)
    : parts_(std::move(parts)), solved_(parts_.size()), labels_(std::move(labels)) {}

CriterionValue LeaveOneOut::evaluate(const Hyperparameters& parameters, bool with_gradient) {
  Vector decisions(labels_.size());
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    Solved& solved = solved_[k];
    parts_[k].geometry.gram(parameters.weights, solved.kernel);
    solved.margin = solve_margin(DenseQuadraticForm(solved.kernel), labels_, parameters.C,
                                 solved.start.size() > 0 ? &solved.start : nullptr);
    if (solved.margin.stop != SolverStop::optimal) {
      return {std::numeric_limits<double>::infinity(), {}};
    }
    solved.start = solved.margin.decision;
    solved.inverse = leave_one_out_inverse(solved.margin);
    const Vector left_out = leave_one_out_decisions(solved.margin, labels_, solved.inverse.diagonal());
    decisions(parts_[k].counted) = left_out(parts_[k].counted);
  }
  const LogisticCalibration calibration = calibrate(decisions, labels_);
  CriterionValue result{calibration.loss, {}};
  for (std::size_t k = 0; k < parts_.size() && with_gradient; ++k) {
    Vector slopes = Vector::Zero(labels_.size());
    slopes(parts_[k].counted) = calibration.derivative(parts_[k].counted);
    const Vector part = gradient(parameters, parts_[k].geometry, solved_[k], slopes);
    result.gradient = k == 0 ? part : Vector(result.gradient + part);
  }
  if (parts_.front().geometry.has_isotropic()) {
    result.value += add_prior(parameters.weights, static_cast<double>(labels_.size()), result.gradient);
  }
  return result;
}

// With l_i = dJ/dr_i of r_i = g_i / B_ii, u = B (l / diag B), v_i = l_i g_i / B_ii^2, the samples of S contribute
// sum_jk Gbar_jk dK_jk, Gbar = -sym(u g') + B diag(v) B; those outside, with t_j = dJ/df_j and
// h = H^-1 sum_j t_j [K_jS, 1]', contribute sum_j t_j dK_jS g - h_S' dK_SS g.
Vector LeaveOneOut::gradient(const Hyperparameters& parameters, const TrainingGeometry& geometry, const Solved& solved,
                             const Vector& slopes) const {
  const MarginSolution& margin = solved.margin;
  const Matrix& inverse = solved.inverse;
  const Index n = labels_.size();
  const auto s = static_cast<Index>(margin.support.size());
  const Vector g = margin.coefficients(margin.support);
  const Eigen::ArrayXd diagonal = inverse.diagonal().array();
  const Eigen::ArrayXd l = -slopes(margin.support).array();
  const Vector u = inverse * (l / diagonal).matrix();
  const Vector v = (l * g.array() / diagonal.square()).matrix();

  const Indices rest = outside(margin.support, n);
  const Vector t = slopes(rest);
  const Matrix rest_kernel = solved.kernel(rest, margin.support);
  // The S part of H^-1 [a; c] is B a + c A^-1 1 / (1' A^-1 1), A = K_SS + I/C.
  const Vector ones_solution = margin.factor.solve(Vector::Ones(s));
  const Vector h = inverse * (rest_kernel.transpose() * t) + (t.sum() / ones_solution.sum()) * ones_solution;

  Matrix inner = inverse * v.asDiagonal() * inverse;
  const Vector w = u + h;
  inner.noalias() -= 0.5 * (w * g.transpose() + g * w.transpose());
  const double c_derivative = -inner.trace() / parameters.C;
  inner.array() *= solved.kernel(margin.support, margin.support).array();
  const Matrix outer = t.asDiagonal() * rest_kernel * g.asDiagonal();

  const Vector weights_part = geometry.derivatives(parameters.weights, margin.support, margin.support, inner) +
                              geometry.derivatives(parameters.weights, rest, margin.support, outer);
  Vector result(weights_part.size() + 1);
  result << weights_part, c_derivative;
  return result;
}

}  // namespace parsimap
