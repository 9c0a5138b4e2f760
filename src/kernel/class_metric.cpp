#include <algorithm>
#include <cmath>

#include "parsimap/core/text.hpp"
#include "parsimap/kernel/kernel.hpp"

namespace parsimap {
namespace {

// Smallest variance, relative to the largest: smaller ones are mostly rounding errors, and their inverse would give a
// direction without information nearly all of the weight.
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
  // v_l = tau lambda_l^-g and w_0 = tau b^-g (docs/method.md, "Two families of kernels"). The difference of two samples
  // of the class has the variance 2 lambda_l along direction l, and 2 b along each of the d - p others. Their mean
  // squared distance with the weights lambda_l^-g and b^-g is therefore 2 [sum_l lambda_l^(1-g) + (d - p) b^(1-g)], and
  // tau is `width` divided by it.
  const auto [signal, noise] = floored_spectrum(model);
  // Noise without variance after flooring means a class without any variance: all bands get the weight `width`.
  if (!(noise > 0)) {
    return {Matrix(d, 0), Vector(), width};
  }
  const double mean_distance =
      2 * (signal.pow(1 - damping).sum() + static_cast<double>(d - p) * std::pow(noise, 1 - damping));
  const double tau = width / mean_distance;
  // All weights are equal for g = 0: a Gaussian kernel, for which directions would only cost time.
  if (damping == 0) {
    return {Matrix(d, 0), Vector(), tau};
  }
  return {model.directions, tau * signal.pow(-damping), tau * std::pow(noise, -damping)};
}

ClassMetric damped_directions(const SubspaceModel& model, double damping, double width) {
  // The same with w_0 = 0: tau follows from the mean squared distance along the directions only.
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
  // Fewer samples may have fewer directions than there are weights. Weights are sorted by the variance of their
  // direction, so that those of the largest variances are kept.
  const Matrix directions = subspace_model(class_statistics(spectra), rule).directions;
  return {directions, metric.weights.head(directions.cols()), metric.rest_weight};
}

ClassMetric with_profile(ClassMetric metric, const ProfileTerm& profile) {
  metric.profile = profile;
  return metric;
}

}  // namespace parsimap
