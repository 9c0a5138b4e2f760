#include "parsimap/selection/criterion.hpp"

#include <cmath>

#include "parsimap/core/error.hpp"

namespace parsimap {

CriterionKind parse_criterion(const std::string& text) {
  if (text == "leave-one-out") {
    return CriterionKind::leave_one_out;
  }
  if (text == "radius-margin") {
    return CriterionKind::radius_margin;
  }
  throw ConfigError("criterion '" + text + "' is unknown; it must be leave-one-out or radius-margin");
}

std::string to_string(CriterionKind kind) {
  return kind == CriterionKind::leave_one_out ? "leave-one-out" : "radius-margin";
}

Vector to_theta(const Hyperparameters& parameters, bool has_isotropic) {
  const Index p = parameters.weights.directional.size();
  Vector theta(p + (has_isotropic ? 2 : 1));
  theta.head(p) = parameters.weights.directional.array().log();
  if (has_isotropic) {
    theta(p) = std::log(parameters.weights.isotropic);
  }
  theta(theta.size() - 1) = std::log(parameters.C);
  return theta;
}

Hyperparameters from_theta(const Vector& theta, Index directions, bool has_isotropic) {
  Hyperparameters parameters;
  parameters.weights.directional = theta.head(directions).array().exp();
  parameters.weights.isotropic = has_isotropic ? std::exp(theta(directions)) : 0.0;
  parameters.C = std::exp(theta(theta.size() - 1));
  return parameters;
}

}  // namespace parsimap
