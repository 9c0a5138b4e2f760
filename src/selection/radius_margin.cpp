#include "parsimap/selection/radius_margin.hpp"

#include <limits>
#include <utility>

namespace parsimap {
namespace {

// sum_ij c_i c_j dK_ij over the support, with respect to the kernel's log-weights.
Vector kernel_derivatives(const TrainingGeometry& geometry, const KernelWeights& weights, const Matrix& kernel,
                          const Indices& support, const Vector& coefficients) {
  const Vector c = coefficients(support);
  const Matrix weighted = c.asDiagonal() * kernel(support, support) * c.asDiagonal();
  return geometry.derivatives(weights, support, support, weighted);
}

}  // namespace

RadiusMargin::RadiusMargin(const TrainingGeometry& geometry, Vector labels)
    : geometry_(geometry), labels_(std::move(labels)) {}

CriterionValue RadiusMargin::evaluate(const Hyperparameters& parameters, bool with_gradient) {
  const Matrix kernel = geometry_.gram(parameters.weights);
  const DenseQuadraticForm form(kernel);
  const MarginSolution margin = solve_margin(form, labels_, parameters.C, decision_.size() > 0 ? &decision_ : nullptr);
  const SphereSolution sphere = solve_sphere(form, parameters.C, enclosed_.empty() ? nullptr : &enclosed_);
  if (margin.stop != SolverStop::optimal || sphere.stop != SolverStop::optimal) {
    return {std::numeric_limits<double>::infinity(), {}};
  }
  decision_ = margin.decision;
  enclosed_ = sphere.support;
  CriterionValue result{sphere.squared_radius * margin.squared_margin, {}};
  if (with_gradient) {
    result.gradient = gradient(parameters, kernel, margin, sphere);
  }
  return result;
}

Vector RadiusMargin::gradient(const Hyperparameters& parameters, const Matrix& kernel, const MarginSolution& margin,
                              const SphereSolution& sphere) const {
  // dM^2 = - g' dK g and dR^2 = - b' dK b; with respect to log C: sum a^2 / C and (sum b^2 - 1) / C.
  const Vector margin_part =
      -kernel_derivatives(geometry_, parameters.weights, kernel, margin.support, margin.coefficients);
  const Vector sphere_part =
      -kernel_derivatives(geometry_, parameters.weights, kernel, sphere.support, sphere.coefficients);
  Vector result(margin_part.size() + 1);
  result.head(margin_part.size()) = sphere.squared_radius * margin_part + margin.squared_margin * sphere_part;
  const double margin_c = margin.coefficients.squaredNorm() / parameters.C;
  const double sphere_c = (sphere.coefficients.squaredNorm() - 1) / parameters.C;
  result(margin_part.size()) = sphere.squared_radius * margin_c + margin.squared_margin * sphere_c;
  return result;
}

}  // namespace parsimap
