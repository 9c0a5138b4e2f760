// Regions of interest as the text that ENVI exports.
#pragma once

#include <optional>
#include <string>

#include "parsimap/scene/raster.hpp"

#include "label_claims.hpp"

namespace parsimap {

// Regions of interest as ENVI exports them: comment lines (;) with the names, colours and numbers of pixels of all
// regions, the names of the columns, and a line for each pixel, region after region.
//
// `text` is what the file at `path` holds. Pixels are found by the columns X and Y, which count from 1, where the file
// says that its image has the size of `grid`, else by Map X and Map Y, which lie at the upper left corners or in the
// middle of pixels, else by Lat and Lon. Errors as read_envi_roi().
VectorClaims read_roi_text(const std::string& path, const std::string& text, std::optional<int> epsg,
                           const RasterGrid& grid, const std::string& grid_name);

}  // namespace parsimap
