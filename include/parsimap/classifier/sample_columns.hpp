// Samples as the machines of a model see them: a row of the bands, followed by the features of the profile where the
// machines have a kernel of profiles.
#pragma once

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/samples/sample_set.hpp"

namespace parsimap {

// [spectra | profiles], n x (d + q).
Matrix joined_columns(const Matrix& spectra, const Matrix& profiles);

// q: how many features the machines of a model want behind the bands. 0 without a kernel of profiles.
Index profile_features(const Model& model);

// Of samples that have the bands of the model, and profiles where it wants them: what DecisionFunction takes, and the
// same scaled, what kernels take. Profiles that it does not want are left out; DataError where it wants others.
Spectra raw_columns(const Model& model, const SampleSet& samples);
Matrix scaled_columns(const Model& model, const SampleSet& samples);

}  // namespace parsimap
