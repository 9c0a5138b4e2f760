// How the bands of a model are found in a scene: a model maps scenes of other sensors or with other bands left out, as
// long as they have the bands that it uses.
#pragma once

#include "parsimap/classifier/model.hpp"
#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

// How far, in nanometres, the same band of two scenes may be apart: 5, or half the usual (median) distance between the
// model's neighbouring bands where that is less, so that a neighbour is not taken for a band that is missing.
double wavelength_tolerance(const BandTable& bands);

// The scene's band for every band that the model uses: an index per entry of model.bands.
//
// - Where the model knows the wavelengths of all its bands and the scene any: one to one, nearest pairs first, within
//   wavelength_tolerance(). Among bands of the same wavelength the name decides, then the position.
// - Else, where all of the model's bands have different names and the scene names any band: by name.
// - Else the scene must have as many bands as the training scene, in the same order; bands whose wavelengths both know
//   must agree.
// Bands that the model does not use are ignored, whatever they are; the order is free in the first two cases.
// DataError: a band is missing (all of them are listed), a name that several bands of the scene have, another number of
// bands.
Indices match_bands(const SceneSource& scene, const Model& model);

}  // namespace parsimap
