// An output set that holds one raster or vector file, for tests that write one.
#pragma once

#include <string>

#include "parsimap/gdal/raster/map_output.hpp"
#include "parsimap/gdal/vector/vector_output.hpp"
#include "parsimap/job/output_set.hpp"

namespace parsimap::test {

struct SingleRaster {
  explicit SingleRaster(const std::string& path, const OutputOptions& options = {}, bool overwrite = false)
      : outputs(overwrite), staged(stage_raster(outputs, "MAP", path, options)) {}

  OutputSet outputs;
  const StagedOutput& staged;
};

struct SingleVector {
  explicit SingleVector(const std::string& path, bool overwrite = false)
      : outputs(overwrite), staged(stage_vector(outputs, "POINTS", path)) {}

  OutputSet outputs;
  const StagedOutput& staged;
};

}  // namespace parsimap::test
