// Labels from vector features.
#pragma once

#include <string>
#include <vector>

#include "parsimap/io/gdal/labels.hpp"

#include "dataset.hpp"

namespace parsimap::gdal {

struct VectorFile {
  std::string path;
  DatasetPtr dataset;
};

// As read_labels(), for datasets with vector layers, at least one.
LabelledPixels read_vector_labels(const std::vector<VectorFile>& files, const LabelOptions& options,
                                  const RasterGrid& grid, const std::string& grid_name);

}  // namespace parsimap::gdal
