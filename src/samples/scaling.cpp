#include "parsimap/samples/scaling.hpp"

#include "parsimap/core/text.hpp"
#include "parsimap/samples/robust_centre.hpp"

namespace parsimap {
namespace {

// Times the median absolute deviation is the standard deviation of a normal distribution.
constexpr double kDeviationsPerMedian = 1.4826;

const Names<ScalingRule>& scaling_names() {
  static const Names<ScalingRule> names = {
      {ScalingRule::none, "none"}, {ScalingRule::global, "global"}, {ScalingRule::standardise, "standardise"}};
  return names;
}

}  // namespace

ScalingRule parse_scaling_rule(const std::string& text) { return parse_name("scaling", text, scaling_names()); }

std::string to_string(ScalingRule rule) { return name_among(rule, scaling_names()); }

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
