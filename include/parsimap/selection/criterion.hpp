// The two criteria that hyperparameters are chosen by.
#pragma once

#include "parsimap/core/standard.hpp"

namespace parsimap {

enum class CriterionKind {
  leave_one_out,  // loss of samples whose region was left out, one metric for all classes (metric_selection.hpp)
  radius_margin   // T = R^2 M^2, the paper's bound, of every class by itself (radius_margin.hpp)
};

// "leave-one-out", "radius-margin" and back; another text is a ConfigError that lists them.
CriterionKind parse_criterion(const std::string& text);
std::string to_string(CriterionKind kind);

}  // namespace parsimap
