// How the bands of a model are found in a scene.
#pragma once

#include "parsimap/classifier/model.hpp"
#include "parsimap/samples/band_match.hpp"
#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

// The bands that the model uses, as match_bands() of samples/band_match.hpp wants them.
WantedBands wanted_bands(const Model& model);

// The scene's band for every band that the model uses, found as there: an index per entry of model.bands. DataError: a
// misfit.
Indices match_bands(const SceneSource& scene, const Model& model);

}  // namespace parsimap
