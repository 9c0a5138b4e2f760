// What the features of vector files claim.
#pragma once

#include <string>
#include <vector>

#include "parsimap/gdal/vector/labels.hpp"
#include "parsimap/scene/raster.hpp"

#include "label_claims.hpp"

namespace parsimap {

// Reads the files at `paths`, which must agree in the type of their class field. Errors as read_labels().
std::vector<VectorClaims> read_vector_claims(const std::vector<std::string>& paths, const LabelOptions& options,
                                             const RasterGrid& grid, const std::string& grid_name);

}  // namespace parsimap
