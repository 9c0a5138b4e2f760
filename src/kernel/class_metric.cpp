#include <algorithm>
#include <cmath>

#include "parsimap/core/text.hpp"
#include "parsimap/kernel/kernel.hpp"

namespace parsimap {
namespace {

// Smallest variance, relative to the largest.
constexpr double kVarianceFloor = 1e-8;

// The variances of a model along its directions and across them, floored.
struct Spectrum {
  Eigen::ArrayXd signal;
  double noise;
};

Spectrum floored_spectrum(const SubspaceModel& model) {
  const double largest = std::max(model.dimension() > 0 ? model.variances(0) : 0.0, model.noise_variance);
  const double floor = kVarianceFloor * largest;
  return {model.variances.array().max(floor), std::max(model.noise_variance, floor)};
}

const Names<KernelFamily>& family_names() {
  static const Names<KernelFamily> names = {
      {KernelFamily::hdda, "hdda"}, {KernelFamily::pca, "pca"}, {KernelFamily::gaussian, "gaussian"}};
  return names;
}

}  // namespace

KernelFamily parse_kernel_family(const std::string& text) { return parse_name("kernel", text, family_names()); }

std::string to_string(KernelFamily family) { return name_among(family, family_names()); }

ClassMetric damped_metric(const SubspaceModel& model, double damping, double width) {
  const Index d = model.directions.rows();
  const Index p = model.dimension();
  const auto [signal, noise] = floored_spectrum(model);
  if (!(noise > 0)) {
    return {Matrix(d, 0), Vector(), width};
  }
  const double mean_distance =
      2 * (signal.pow(1 - damping).sum() + static_cast<double>(d - p) * std::pow(noise, 1 - damping));
  const double tau = width / mean_distance;
  if (damping == 0) {
    return {Matrix(d, 0), Vector(), tau};
  }
  return {model.directions, tau * signal.pow(-damping), tau * std::pow(noise, -damping)};
}

ClassMetric damped_directions(const SubspaceModel& model, double damping, double width) {
  const Eigen::ArrayXd signal = floored_spectrum(model).signal;
  const double tau = width / (2 * signal.pow(1 - damping).sum());
  return {model.directions, tau * signal.pow(-damping), 0};
}

ClassMetric scaled(ClassMetric metric, double factor) {
  metric.weights *= factor;
  metric.rest_weight *= factor;
  return metric;
}

ClassMetric with_directions_of(const ClassMetric& metric, const Matrix& spectra) {
  if (metric.weights.size() == 0) {
    return metric;
  }
  const DimensionRule rule{DimensionMethod::fixed, static_cast<double>(metric.weights.size())};
  const Matrix directions = subspace_model(class_statistics(spectra), rule).directions;
  return {directions, metric.weights.head(directions.cols()), metric.rest_weight};
}

ClassMetric with_profile(ClassMetric metric, const ProfileTerm& profile) {
  metric.profile = profile;
  return metric;
}

}  // namespace parsimap
