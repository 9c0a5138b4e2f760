// Arrays of a caller that GDAL reads where they are.
#pragma once

#include <optional>
#include <string>

#include "parsimap/samples/band.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/scene/memory_scene.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// What is known of the values of an array.
struct ArrayFacts {
  RasterGrid grid;
  BandTable bands;  // whose scale and offset are still to be applied
  std::optional<double> nodata = {};
  ClassTable classes = {};  // of a class map or labels whose classes have names
};

// An array of a caller as a raster in GDAL's memory, for functions that take the names of files. It goes with the
// object. The values are not copied: the caller keeps them as they are for as long.
class ArrayRaster {
 public:
  // The array has the size of the grid and as many bands as the table, and its steps are above 0 where there are
  // several values. `name` is what it is called in messages. DataError: the array has no pixel or no band, or a type
  // that GDAL does not know (int8).
  ArrayRaster(const std::string& name, const ArrayFacts& facts, const SceneArray& array);
  ~ArrayRaster();
  ArrayRaster(const ArrayRaster&) = delete;
  ArrayRaster& operator=(const ArrayRaster&) = delete;

  // Names the raster for open_scene() and all others that open rasters.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace parsimap
