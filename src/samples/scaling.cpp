#include "parsimap/samples/scaling.hpp"

#include "parsimap/core/error.hpp"
#include "parsimap/samples/robust_centre.hpp"

namespace parsimap {
namespace {

// Times the median absolute deviation is the standard deviation of a normal distribution.
constexpr double kDeviationsPerMedian = 1.4826;

}  // namespace

ScalingRule parse_scaling_rule(const std::string& text) {
  if (text == "none") {
    return ScalingRule::none;
  }
  if (text == "global") {
    return ScalingRule::global;
  }
  if (text == "standardise") {
    return ScalingRule::standardise;
  }
  throw ConfigError("scaling '" + text + "' is unknown; it must be none, global or standardise");
}

std::string to_string(ScalingRule rule) {
  switch (rule) {
    case ScalingRule::none:
      return "none";
    case ScalingRule::global:
      return "global";
    case ScalingRule::standardise:
      return "standardise";
  }
  return {};
}

Matrix Scaling::apply(const Matrix& spectra) const {
  return ((spectra.rowwise() - offset.transpose()).array().rowwise() / scale.transpose().array()).matrix();
}

Scaling fit_scaling(const Matrix& spectra, ScalingRule rule) {
  const Index d = spectra.cols();
  if (rule == ScalingRule::none) {
    return {Vector::Zero(d), Vector::Ones(d)};
  }
  Scaling scaling{band_medians(spectra), Vector::Ones(d)};
  if (rule == ScalingRule::global) {
    scaling.scale.setConstant(usual_distance((spectra.rowwise() - scaling.offset.transpose()).rowwise().norm()));
    return scaling;
  }
  for (Index band = 0; band < d; ++band) {
    const Vector deviations = (spectra.col(band).array() - scaling.offset(band)).abs();
    scaling.scale(band) = usual_distance(deviations, kDeviationsPerMedian);
  }
  return scaling;
}

}  // namespace parsimap
