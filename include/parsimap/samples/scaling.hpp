// Scaling of the features before training, and of every pixel before classification.
#pragma once

#include <string>

#include "parsimap/core/types.hpp"

namespace parsimap {

enum class ScalingRule {
  none,        // values as they are
  global,      // centred per band, divided by one constant: relations between bands are kept
  standardise  // centred per band, divided by the band's robust standard deviation
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

// The scaling that `rule` gives on the training spectra (n x d, n >= 1): from medians, so that no bad value decides
// where all others lie. Bands are centred on their medians. The constant of `global` is the median distance of the
// samples from that centre, so that half of them are within 1 of it and squared distances between samples are about 2.
// A band's deviation for `standardise` is 1.4826 times its median absolute deviation, which is the standard deviation
// of normally distributed values. A median of 0, as of bands that are mostly one value, is replaced by the root of the
// mean square, and that of constant bands by 1.
Scaling fit_scaling(const Matrix& spectra, ScalingRule rule);

}  // namespace parsimap
