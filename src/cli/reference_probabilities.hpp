// What the probabilities of a map are worth at the reference pixels.
#pragma once

#include <string>

#include "parsimap/accuracy/reliability.hpp"

#include "reference_comparison.hpp"

namespace parsimap {

// `path` is a raster of `classify --probabilities`: one band for each class of the map, named like it. A pixel counts
// as right where the class of its largest probability is that of the reference, whatever the map says there. Pixels
// without probabilities are left out. Reads single rows.
// DataError: no raster on the map's grid, or no band with the name of a class.
Reliability read_reliability(const std::string& path, const ClassMapSource& map, const LabelledPixels& reference,
                             const ClassMatch& match);

}  // namespace parsimap
