// Where to label next: the places of a scene whose label would teach a model most (active learning).
//
// Of every pixel the model says how undecided its class is, u = 1 - (p_1 - p_2) of its two largest probabilities
// (breaking ties; Luo et al., Active learning to recognize multiple types of plankton, 2005), and how novel it is. A
// novelty n is above 0.95 for 5 % of the pixels of known surfaces, so only what is beyond says something:
//   e = max(0, n - 0.95) / 0.05.
// A pixel weighs w = max(u, e): it is undecided, or like nothing that is labelled. Places are then chosen to cover what
// weighs (place_choice.hpp in src/mapping): each stands for many pixels like itself, is unlike what is labelled
// already, and unlike the other places. Early, when nearly all pixels weigh much, that spreads places over the kinds of
// surfaces that there are; later it goes where classes are confused. Uncertainty alone would ask for the oddest pixels
// first, when the model does not yet know what is common.
//
// Some thousand candidates stand for all pixels (place_choice.hpp in src/mapping), whatever the size of the scene.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

struct PlaceOptions {
  Index count = 20;                           // >= 1
  std::optional<double> least_distance = {};  // between two places, in pixels; unset: half of sqrt(pixels / count), the
                                              // usual distance of as many places spread evenly over the pixels
  Index candidates = 4096;                    // that stand for all pixels, >= 1
  std::int64_t ram_bytes = std::int64_t{256} << 20U;  // for windows of the scene
  int threads = 0;                                    // 0 = all processors
  std::optional<double> pixel_metres = {};            // how wide a pixel is, for profiles with radii in metres
};

struct LabelPlace {
  std::int64_t pixel = 0;  // row * width + column
  int label = 0;           // the most likely class, index into the model's classes, and the second one
  int second = 0;
  float probability = 0;  // of these two
  float second_probability = 0;
  float uncertainty = 0;  // u
  float novelty = 0;      // n
};

struct LabelPlaces {
  std::vector<LabelPlace> places;  // the most useful first; fewer than asked for where there are no more
  std::int64_t pixels = 0;         // that could be chosen: with a value in every band used, and not excluded
  double least_distance = 0;       // in effect, in pixels
};

// Reads the scene once, window by window. Pixels where `excluded` (which may be null) has a number are not chosen. What
// is labelled already is taken to be like the support spectra of the model. The result depends neither on ram_bytes,
// nor on threads, nor on the storage blocks. The model's bands are found by match_bands(). Errors as there, and
// IoError.
LabelPlaces choose_label_places(SceneSource& scene, const Model& model, SegmentSource* excluded,
                                const PlaceOptions& options, const Progress& progress);

}  // namespace parsimap
