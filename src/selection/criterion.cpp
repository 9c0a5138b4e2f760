#include "parsimap/selection/criterion.hpp"

#include <cmath>

#include "parsimap/core/text.hpp"

namespace parsimap {
namespace {

const Names<CriterionKind>& criterion_names() {
  static const Names<CriterionKind> names = {{CriterionKind::leave_one_out, "leave-one-out"},
                                             {CriterionKind::radius_margin, "radius-margin"}};
  return names;
}

}  // namespace

CriterionKind parse_criterion(const std::string& text) { return parse_name("criterion", text, criterion_names()); }

std::string to_string(CriterionKind kind) { return name_among(kind, criterion_names()); }

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
