// The two criteria that hyperparameters are chosen by, and how an optimiser of the second one sees them.
//
// Parameters are theta = (log w_1 .. log w_p, log w_0 where the kernel has it, log C): positivity for free, and steps
// are relative (docs/method.md, "The radius-margin bound").
#pragma once

#include <string>

#include "parsimap/core/types.hpp"
#include "parsimap/kernel/training_geometry.hpp"

namespace parsimap {

enum class CriterionKind {
  leave_one_out,  // loss of samples whose region was left out, one metric for all classes (metric_selection.hpp)
  radius_margin   // T = R^2 M^2, the paper's bound, of every class by itself (radius_margin.hpp)
};

// "leave-one-out", "radius-margin" and back; another text is a ConfigError that lists them.
CriterionKind parse_criterion(const std::string& text);
std::string to_string(CriterionKind kind);

struct Hyperparameters {
  KernelWeights weights;
  double C = 1;
};

// Between hyperparameters and theta, for a geometry with `directions` directions and perhaps an isotropic term.
Vector to_theta(const Hyperparameters& parameters, bool has_isotropic);
Hyperparameters from_theta(const Vector& theta, Index directions, bool has_isotropic);

struct CriterionValue {
  double value = 0;  // infinite when a quadratic problem was not solved: never a quotient of unchecked solves
  Vector gradient;   // with respect to theta; empty when only the value was asked for
};

}  // namespace parsimap
