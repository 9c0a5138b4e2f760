#include "parsimap/samples/scaling.hpp"

#include <cmath>

#include "parsimap/core/error.hpp"

namespace parsimap {

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
  Scaling scaling{spectra.colwise().mean().transpose(), Vector::Ones(d)};
  const Vector variance = (spectra.rowwise() - scaling.offset.transpose()).colwise().squaredNorm().transpose() /
                          static_cast<double>(spectra.rows());
  if (rule == ScalingRule::global) {
    const double total = variance.sum();
    scaling.scale.setConstant(total > 0 ? std::sqrt(total) : 1.0);
  } else {
    scaling.scale = (variance.array() > 0).select(variance.array().sqrt(), 1.0);
  }
  return scaling;
}

}  // namespace parsimap
