// Reads all bands of an array of netCDF, HDF5 or Zarr at once: GDAL reads band by band, and so decodes a compressed
// chunk, which has many bands, for each of them anew, and number by number where it converts their type.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "../dataset.hpp"

namespace parsimap {

// An array of GDAL, and which of its dimensions are columns, rows and bands; all others have one value.
struct GdalCube {
  DatasetPtr file;  // which the array needs
  std::shared_ptr<GDALMDArray> array;
  std::size_t x = 0;
  std::size_t y = 0;
  std::optional<std::size_t> band = {};  // none of an array of one band
  bool same_rows = false;                // whether it is known that the rows have the order of the raster
};

// The raster, which GDAL has made of the array, with windows read from the array as boxes of whole chunks; the last one
// is kept, in the memory that GDAL has for blocks. The values are those of the raster: where
// its rows are neither those of the array nor these in reverse order, it is read as before.
DatasetPtr read_at_once(DatasetPtr raster, GdalCube cube);

}  // namespace parsimap
