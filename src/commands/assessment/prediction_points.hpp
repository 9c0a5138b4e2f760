// Points of what a map says at the pixels of a reference.
#pragma once

#include "parsimap/accuracy/comparison.hpp"
#include "parsimap/gdal/vector/vector_output.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// One point for each pixel of the reference, in its order, with its classes in the reference and on the map; with
// `probabilities`, also those of every class. Ids count from 1, rows and columns from 0; where the map is unclassified
// there is no label. Errors as create_features().
void write_predictions(const StagedOutput& output, const RasterGrid& grid, const LabelledPixels& reference,
                       const Comparison& comparison, SceneSource* probabilities, const Progress& progress);

}  // namespace parsimap
