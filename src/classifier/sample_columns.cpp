#include "parsimap/classifier/sample_columns.hpp"

namespace parsimap {

Matrix joined_columns(const Matrix& spectra, const Matrix& profiles) {
  Matrix joined(spectra.rows(), spectra.cols() + profiles.cols());
  joined << spectra, profiles;
  return joined;
}

Index profile_features(const Model& model) {
  return model.machines.empty() ? 0 : model.machines.front().metric.profile.features;
}

Spectra raw_columns(const Model& model, const SampleSet& samples) {
  return profile_features(model) > 0 ? Spectra(joined_columns(samples.spectra, samples.profiles).cast<float>())
                                     : Spectra(samples.spectra.cast<float>());
}

Matrix scaled_columns(const Model& model, const SampleSet& samples) {
  Matrix scaled = model.scaling.apply(samples.spectra);
  return profile_features(model) > 0 ? joined_columns(scaled, samples.profiles) : scaled;
}

}  // namespace parsimap
