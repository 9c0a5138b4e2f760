#include "radius_margin.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/kernel/kernel.hpp"

namespace parsimap {

// Columns of a matrix that a thread takes at a time.
constexpr Index kColumns = 64;

// The samples in either of two ascending supports.
static Indices either(const Indices& a, const Indices& b) {
  Indices result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

RadiusMargin::RadiusMargin(const TrainingGeometry& geometry, Vector labels, Work work, int threads)
    : geometry_(geometry), labels_(std::move(labels)), work_(std::move(work)), threads_(threads) {}

CriterionValue RadiusMargin::evaluate(const Hyperparameters& parameters, bool with_gradient) {
  // Both quadratic problems have the matrix K + I/C, so they share one set of factorised systems.
  geometry_.gram(parameters.weights, kernel_);
  count_work(work_, operations(kernel_.rows(), kernel_.cols(), kernel_operations(geometry_.directions())) / 2);
  const DenseQuadraticForm form(kernel_, threads_);
  SolverOptions options;
  options.work = work_;
  options.threads = threads_;
  ActiveSystem system(form, parameters.C, options);
  const Vector theta = to_theta(parameters, geometry_.has_isotropic());
  const Start* start = nearest(theta);
  const MarginSolution margin = solve_margin(system, labels_, start != nullptr ? &start->decision : nullptr, options);
  const SphereSolution sphere = solve_sphere(system, start != nullptr ? &start->enclosed : nullptr, options);
  if (margin.stop != SolverStop::optimal || sphere.stop != SolverStop::optimal) {
    // A bound made of a problem that was not solved could look better than all others.
    return {std::numeric_limits<double>::infinity(), {}};
  }
  CriterionValue result{sphere.squared_radius * margin.squared_margin, {}};
  last_ = {theta, margin.decision, sphere.support, result.value};
  if (lowest_.decision.size() == 0 || result.value < lowest_.value) {
    lowest_ = last_;
  }
  if (with_gradient) {
    result.gradient = gradient(parameters, margin, sphere);
  }
  return result;
}

const RadiusMargin::Start* RadiusMargin::nearest(const Vector& theta) const {
  // Solutions that the two problems start from: those of the last point or of the lowest one, whichever is closer to
  // theta. Line searches return to the neighbourhood of the lowest point.
  if (last_.decision.size() == 0) {
    return nullptr;
  }
  return (theta - lowest_.theta).squaredNorm() < (theta - last_.theta).squaredNorm() ? &lowest_ : &last_;
}

// The gradient of T = R^2 M^2 by the product rule, R^2 dM^2 + M^2 dR^2. At the optima of the two problems only the
// kernel matrix varies: dM^2 = - g'dK g and dR^2 = - b'dK b, and with respect to log C, sum a^2 / C and (sum b^2 - 1) /
// C (docs/method.md, "The radius-margin bound").
Vector RadiusMargin::gradient(const Hyperparameters& parameters, const MarginSolution& margin,
                              const SphereSolution& sphere) const {
  const Indices support = either(margin.support, sphere.support);
  const Vector g = margin.coefficients(support);
  const Vector b = sphere.coefficients(support);
  // Both terms are sums over k_ij dlog k_ij with weights g_i g_j and b_i b_j: one matrix of weights serves them
  // together.
  Matrix weighted = DenseQuadraticForm(kernel_, threads_).block(support, support);
  parallel_for((weighted.cols() + kColumns - 1) / kColumns, threads_, [&](Index part) {
    for (Index j = part * kColumns; j < std::min((part + 1) * kColumns, weighted.cols()); ++j) {
      weighted.col(j).array() *=
          (sphere.squared_radius * g(j)) * g.array() + (margin.squared_margin * b(j)) * b.array();
    }
  });
  count_work(work_, operations(weighted.rows(), weighted.cols(), geometry_.directions() + 2));
  // log k_ij depends on log w_l as -1/2 w_l D_l,ij, so that derivatives() gives g'dK g and b'dK b with the weights
  // above; both enter with the sign minus.
  const Vector kernel_part = -geometry_.derivatives(parameters.weights, support, support, weighted);
  const double margin_c = g.squaredNorm() / parameters.C;
  const double sphere_c = (b.squaredNorm() - 1) / parameters.C;
  Vector result(kernel_part.size() + 1);
  result << kernel_part, sphere.squared_radius * margin_c + margin.squared_margin * sphere_c;
  return result;
}

// Mean squared distances between samples in the kernel's metric, penalties and exponents that the scan tries.
constexpr double kScanDistances[] = {0.3, 3, 30, 300};
constexpr double kScanPenalties[] = {0.1, 1, 100, 10000};
constexpr double kScanExponents[] = {0, 0.5, 1, 1.5};

// Factors from a limit of the HDDA kernel into its inside: the first one is the limit to working precision.
constexpr double kStepsInside[] = {1e-14, 1e-4, 1e-2, 1e-1, 1};

// The box, in logarithms: weights around the value that alone makes the mean squared distance 1, and C. At exp(-35),
// about 6e-16, a term of the distance is lost to rounding, and at exp(14) nearly all kernel values between different
// samples are 0: beyond these limits T hardly changes.
constexpr double kLowestWeight = -35;
constexpr double kHighestWeight = 14;
constexpr double kLowestLogPenalty = -7;
constexpr double kHighestLogPenalty = 16;

// Smallest variance, relative to the largest, that scan shapes are built with.
constexpr double kVarianceFloor = 1e-8;

static Vector with_last(const Vector& vector, double value) {
  Vector result(vector.size() + 1);
  result << vector, value;
  return result;
}

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
  // A group has one shape and one C, at all four scales of the kernel. Weights are scaled so that the mean squared
  // distance of two samples in the metric is that of the scan. Without directions all exponents are the same kernel.
  std::vector<std::vector<Hyperparameters>> groups;
  for (const double exponent : kScanExponents) {
    if (exponent > 0 && directions_ == 0) {
      break;
    }
    const Vector weights = shape(exponent);
    for (const double C : kScanPenalties) {
      groups.emplace_back();
      for (const double distance : kScanDistances) {
        const Vector scaled = weights * (distance / weights.dot(unit_));
        groups.back().push_back({{scaled.head(directions_), has_isotropic_ ? scaled(directions_) : 0.0}, C});
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

}  // namespace parsimap
