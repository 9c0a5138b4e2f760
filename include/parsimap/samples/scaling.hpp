// Scaling of the features before training, and of every pixel before classification.
#pragma once

#include <string>

#include "parsimap/core/types.hpp"

namespace parsimap {

enum class ScalingRule {
  none,        // values as they are
  global,      // centred per band, divided by one constant: relations between bands are kept
  standardise  // centred per band, divided by the band's standard deviation
};

// "none", "global", "standardise" and back; another text is a ConfigError that lists them.
ScalingRule parse_scaling_rule(const std::string& text);
std::string to_string(ScalingRule rule);

// x -> (x - offset) / scale, band by band.
struct Scaling {
  Vector offset;  // d
  Vector scale;   // d, all > 0
  [[nodiscard]] Matrix apply(const Matrix& spectra) const;
};

// The scaling that `rule` gives on the training spectra (n x d, n >= 1). The constant of `global` is the square root
// of the total variance, so that the mean squared distance between samples is 2.
Scaling fit_scaling(const Matrix& spectra, ScalingRule rule);

}  // namespace parsimap
