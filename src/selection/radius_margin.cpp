#include "radius_margin.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/kernel/mahalanobis_kernel.hpp"

namespace parsimap {
namespace {

// Columns of a matrix that a thread takes at a time.
constexpr Index kColumns = 64;

// The samples in either of two ascending supports.
Indices either(const Indices& a, const Indices& b) {
  Indices result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

}  // namespace

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
  const Vector kernel_part = -geometry_.derivatives(parameters.weights, support, support, weighted);
  const double margin_c = g.squaredNorm() / parameters.C;
  const double sphere_c = (b.squaredNorm() - 1) / parameters.C;
  Vector result(kernel_part.size() + 1);
  result << kernel_part, sphere.squared_radius * margin_c + margin.squared_margin * sphere_c;
  return result;
}

}  // namespace parsimap
