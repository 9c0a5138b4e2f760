// What a reference has in common with the pixels that the model of a map was trained on.
#pragma once

#include <string>

#include "parsimap/accuracy/comparison.hpp"
#include "parsimap/commands/assess.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// The model that the options or the map name; empty without.
std::string model_of_map(const AssessOptions& options);

// Compares the reference with the training pixels of that model; where these are not known, the result says why. Warns
// of a model that is not the one of the map. `map` is its grid. Errors as load_model().
TrainingOverlap training_overlap(const AssessOptions& options, const RasterGrid& map, const Comparison& comparison,
                                 const LabelledPixels& reference, Listener& listener);

}  // namespace parsimap
