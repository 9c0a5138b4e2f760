#include "parsimap/classifier/calibration.hpp"

#include <cmath>

#include "parsimap/selection/minimise.hpp"

namespace parsimap {
namespace {

constexpr double kLargestLogSlope = 5;

// Mean log-loss at slope exp(theta), and its derivative in theta.
double log_loss(const Matrix& decisions, const std::vector<int>& labels, double theta, double& derivative) {
  const double slope = std::exp(theta);
  double loss = 0;
  derivative = 0;
  for (Index i = 0; i < decisions.rows(); ++i) {
    const Eigen::ArrayXd f = decisions.row(i).transpose().array();
    const Eigen::ArrayXd e = (slope * (f - f.maxCoeff())).exp();
    const double own = f(labels[static_cast<std::size_t>(i)]);
    loss += std::log(e.sum()) - slope * (own - f.maxCoeff());
    derivative += slope * ((e * f).sum() / e.sum() - own);
  }
  const auto n = static_cast<double>(decisions.rows());
  derivative /= n;
  return loss / n;
}

}  // namespace

double fit_softmax_slope(const Matrix& decisions, const std::vector<int>& labels) {
  const Objective objective = [&](const Vector& point, Vector& gradient) {
    return log_loss(decisions, labels, point(0), gradient(0));
  };
  const Vector start = Vector::Ones(1);
  const Descent descent = minimise(objective, start, Vector::Constant(1, -kLargestLogSlope),
                                   Vector::Constant(1, kLargestLogSlope), DescentOptions{});
  return std::exp(descent.point(0));
}

double argmax_accuracy(const Matrix& decisions, const std::vector<int>& labels) {
  Index right = 0;
  for (Index i = 0; i < decisions.rows(); ++i) {
    Index best = 0;
    decisions.row(i).maxCoeff(&best);
    right += best == labels[static_cast<std::size_t>(i)] ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(decisions.rows());
}

}  // namespace parsimap
