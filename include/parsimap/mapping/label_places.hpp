// Where to label next: the places of a scene whose label would teach a model most (active learning).
//
// Pixels weigh by how undecided their class is, or by how novel they are, and places are chosen to cover what weighs:
// each stands for many pixels like itself, and is unlike what is labelled and unlike the other places
// (docs/suggestion.md). Uncertainty alone would ask for the oddest pixels first, when the model does not yet know what
// is common.
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
