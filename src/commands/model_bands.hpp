// The bands of a model in the scene that it is applied to.
#pragma once

#include <optional>

#include "parsimap/classifier/model.hpp"
#include "parsimap/commands/input_files.hpp"
#include "parsimap/samples/spectral_library.hpp"

namespace parsimap {

// Leaves a scene as it is that has the bands of the model. Another becomes one whose bands are computed from its own,
// where `resample` allows that; bands that it marks as bad do not count. Returns how that was done. DataError: the
// scene lacks bands (the message says where resampling would help), or, with `resample`, as plan_resampling().
std::optional<ResamplingFacts> fit_bands(InputScene& scene, const Model& model, bool resample);

// The bands that a scene does not mark as bad.
Indices good_bands(const BandTable& bands);

}  // namespace parsimap
