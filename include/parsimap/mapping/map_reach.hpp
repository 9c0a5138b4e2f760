// How far around a pixel a map looks: what pieces of a scene that are classified apart must share.
#pragma once

#include <optional>

#include "parsimap/classifier/model.hpp"
#include "parsimap/mapping/regularisation.hpp"

namespace parsimap {

// The largest distance, in rows or columns, of a pixel whose spectrum has a say in the label, the probabilities or any
// layer of another one: pixels at least so far from the edges of a piece of a scene, unless they are edges of the scene
// itself, get from classify_scene() what they get in the whole scene. 0 where pixels are judged by their own spectra.
// Profiles reach as far as their elements and reconstructions, neighbours as far as their weights, both together as far
// as their sum.
//
// ConfigError for an automatic regularisation, which looks at the whole scene; DataError as by pixel_radii().
Index map_reach(const Model& model, const Regularisation& regularisation, std::optional<double> pixel_metres);

}  // namespace parsimap
