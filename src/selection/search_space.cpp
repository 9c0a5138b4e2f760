#include "search_space.hpp"

#include <limits>

namespace parsimap {
namespace {

// Mean squared distances between samples in the kernel's metric, penalties and exponents that the scan tries.
constexpr double kScanDistances[] = {0.3, 3, 30, 300};
constexpr double kScanPenalties[] = {0.1, 1, 100, 10000};
constexpr double kScanExponents[] = {0, 0.5, 1, 1.5};

// Factors from a limit of the HDDA kernel into its inside: the first one is the limit to working precision.
constexpr double kStepsInside[] = {1e-14, 1e-4, 1e-2, 1e-1, 1};

// The box, in logarithms: weights around the value that alone makes the mean squared distance 1, and C.
constexpr double kLowestWeight = -35;
constexpr double kHighestWeight = 14;
constexpr double kLowestLogPenalty = -7;
constexpr double kHighestLogPenalty = 16;

// Smallest variance, relative to the largest, that scan shapes are built with.
constexpr double kVarianceFloor = 1e-8;

Vector with_last(const Vector& vector, double value) {
  Vector result(vector.size() + 1);
  result << vector, value;
  return result;
}

}  // namespace

SearchSpace::SearchSpace(const BinaryProblem& problem, KernelFamily family)
    : directions_(family == KernelFamily::gaussian ? 0 : problem.projections.cols()),
      has_isotropic_(family != KernelFamily::pca),
      unit_(directions_ + (has_isotropic_ ? 1 : 0)),
      variances_(unit_.size()) {
  // The unit of a weight is what makes the mean squared distance 1: the mean of (u_i - u_j)^2 over all pairs is twice
  // the variance of the projections u.
  const auto n = static_cast<double>(problem.labels.size());
  for (Index l = 0; l < directions_; ++l) {
    const auto u = problem.projections.col(l).array();
    unit_(l) = 2 * (u - u.mean()).square().mean();
  }
  variances_.head(directions_) = problem.variances.head(directions_);
  if (has_isotropic_) {
    unit_(directions_) = problem.distances->sum() / (n * n);
    variances_(directions_) = problem.noise_variance;
  }
  unit_ = unit_.cwiseMax(std::numeric_limits<double>::min());
}

std::vector<std::vector<Hyperparameters>> SearchSpace::scan() const {
  std::vector<std::vector<Hyperparameters>> groups;
  for (const double exponent : kScanExponents) {
    if (exponent > 0 && directions_ == 0) {
      break;
    }
    const Vector weights = shape(exponent);
    for (const double C : kScanPenalties) {
      groups.emplace_back();
      for (const double distance : kScanDistances) {
        groups.back().push_back(with_weights(weights * (distance / weights.dot(unit_)), C));
      }
    }
  }
  return groups;
}

// From a Gaussian optimum the directional weights grow from almost nothing to as much as w_0; from a PCA optimum w_0
// grows until it counts as much in the mean distance as all directions together.
std::vector<Hyperparameters> SearchSpace::near_limit(const Hyperparameters& limit) const {
  std::vector<Hyperparameters> starts;
  for (const double step : kStepsInside) {
    Hyperparameters start = limit;
    if (limit.weights.directional.size() == 0) {
      start.weights.directional = Vector::Constant(directions_, step * limit.weights.isotropic);
    } else {
      start.weights.isotropic = step * limit.weights.directional.dot(unit_.head(directions_)) / unit_(directions_);
    }
    starts.push_back(start);
  }
  return starts;
}

Vector SearchSpace::lower() const {
  return with_last((-unit_.array().log() + kLowestWeight).matrix(), kLowestLogPenalty);
}

Vector SearchSpace::upper() const {
  return with_last((-unit_.array().log() + kHighestWeight).matrix(), kHighestLogPenalty);
}

// Weights in proportion to variance^-exponent: 0 is the Euclidean metric, 1 the Mahalanobis metric.
Vector SearchSpace::shape(double exponent) const {
  const double largest = variances_.maxCoeff();
  if (!(largest > 0)) {
    return Vector::Ones(unit_.size());
  }
  return (variances_ / largest).cwiseMax(kVarianceFloor).array().pow(-exponent);
}

Hyperparameters SearchSpace::with_weights(const Vector& weights, double C) const {
  Hyperparameters parameters;
  parameters.weights.directional = weights.head(directions_);
  parameters.weights.isotropic = has_isotropic_ ? weights(directions_) : 0.0;
  parameters.C = C;
  return parameters;
}

}  // namespace parsimap
