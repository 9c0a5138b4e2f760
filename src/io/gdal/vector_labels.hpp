// Labels from vector features.
#pragma once

#include <string>

#include "parsimap/io/gdal/labels.hpp"

#include "dataset.hpp"

namespace parsimap::gdal {

// As read_labels(), for a dataset with vector layers.
LabelledPixels read_vector_labels(GDALDataset& dataset, const std::string& path, const LabelOptions& options,
                                  const RasterGrid& grid, const std::string& grid_name);

}  // namespace parsimap::gdal
