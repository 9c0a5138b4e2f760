#include "left_out_risk.hpp"

#include <cmath>

#include "parsimap/selection/minimise.hpp"

namespace parsimap {
namespace {

constexpr double kLargestLogSlope = 5;

bool counts(const Matrix& scores, const std::vector<int>& labels, Index i) {
  return std::isfinite(scores(i, labels[static_cast<std::size_t>(i)]));
}

bool is_wrong(const Matrix& scores, const std::vector<int>& labels, Index i) {
  Index best = 0;
  scores.row(i).maxCoeff(&best);
  return best != labels[static_cast<std::size_t>(i)];
}

// The losses of all samples at slope exp(theta), their weighted mean and its derivative in theta.
double losses_at(const Matrix& scores, const std::vector<int>& labels, const Vector& weights, double theta,
                 double& derivative, Vector& losses) {
  const double slope = std::exp(theta);
  double sum = 0;
  double derivative_sum = 0;
  double weight = 0;
  for (Index i = 0; i < scores.rows(); ++i) {
    losses(i) = 0;
    if (!counts(scores, labels, i)) {
      continue;
    }
    const Eigen::ArrayXd f = scores.row(i).transpose().array();
    const double largest = f.maxCoeff();
    const double own = f(labels[static_cast<std::size_t>(i)]);
    // exp(-infinity) is 0, and so is its part of the mean.
    const Eigen::ArrayXd e = (slope * (f - largest)).exp();
    const double mean = (e > 0).select(e * f, 0.0).sum() / e.sum();
    losses(i) = std::log(e.sum()) - slope * (own - largest);
    sum += weights(i) * losses(i);
    derivative_sum += weights(i) * slope * (mean - own);
    weight += weights(i);
  }
  derivative = weight > 0 ? derivative_sum / weight : 0;
  return weight > 0 ? sum / weight : 0;
}

}  // namespace

LeftOutRisk left_out_risk(const Matrix& scores, const std::vector<int>& labels, const Vector& weights) {
  LeftOutRisk result;
  result.risks.resize(scores.rows());
  const Objective objective = [&](const Vector& point, Vector& gradient) {
    return losses_at(scores, labels, weights, point(0), gradient(0), result.risks);
  };
  const Descent descent = minimise(objective, Vector::Ones(1), Vector::Constant(1, -kLargestLogSlope),
                                   Vector::Constant(1, kLargestLogSlope), DescentOptions{});
  double derivative = 0;
  result.slope = std::exp(descent.point(0));
  result.mean = losses_at(scores, labels, weights, descent.point(0), derivative, result.risks);
  for (Index i = 0; i < scores.rows(); ++i) {
    result.risks(i) += counts(scores, labels, i) && is_wrong(scores, labels, i) ? 1 : 0;
  }
  result.errors = left_out_errors(scores, labels, weights);
  result.mean += result.errors;
  return result;
}

double left_out_errors(const Matrix& scores, const std::vector<int>& labels, const Vector& weights) {
  double wrong = 0;
  double all = 0;
  for (Index i = 0; i < scores.rows(); ++i) {
    if (counts(scores, labels, i)) {
      all += weights(i);
      wrong += is_wrong(scores, labels, i) ? weights(i) : 0;
    }
  }
  return all > 0 ? wrong / all : 0;
}

}  // namespace parsimap
