#include "parsimap/classifier/sample_columns.hpp"

#include <string>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

void require_profiles(const Model& model, const SampleSet& samples) {
  if (samples.profiles.cols() != profile_features(model)) {
    throw DataError("the samples have profiles of " + std::to_string(samples.profiles.cols()) +
                    " features; the model wants " + std::to_string(profile_features(model)));
  }
}

}  // namespace

Matrix joined_columns(const Matrix& spectra, const Matrix& profiles) {
  Matrix joined(spectra.rows(), spectra.cols() + profiles.cols());
  joined << spectra, profiles;
  return joined;
}

Index profile_features(const Model& model) {
  return model.machines.empty() ? 0 : model.machines.front().metric.profile.features;
}

Spectra raw_columns(const Model& model, const SampleSet& samples) {
  if (profile_features(model) == 0) {
    return samples.spectra.cast<float>();
  }
  require_profiles(model, samples);
  return joined_columns(samples.spectra, samples.profiles).cast<float>();
}

Matrix scaled_columns(const Model& model, const SampleSet& samples) {
  Matrix scaled = model.scaling.apply(samples.spectra);
  if (profile_features(model) == 0) {
    return scaled;
  }
  require_profiles(model, samples);
  return joined_columns(scaled, samples.profiles);
}

}  // namespace parsimap
