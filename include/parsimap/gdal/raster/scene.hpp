// Rasters read through GDAL: scenes, class maps, and arrays of a caller that GDAL reads where they are.
//
// A scene is any raster that GDAL opens, with its bands as spectra. Alpha bands are not spectral bands. Wavelengths are
// nanometres, from the ENVI metadata domain or the bands' own `wavelength` and `wavelength_units`; without a unit,
// values below 100 are micrometres. Bands are bad where a `bbl` of their own or of the ENVI domain says 0. A mosaic
// (VRT) that has lost what describes its bands has it from its sources, where they agree. A value is missing (NaN)
// where it equals its band's nodata value as stored, is infinite, or where the dataset's mask or an alpha band is 0.
// Values are those after the bands' scale and offset.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/samples/band.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/scene/memory_scene.hpp"
#include "parsimap/scene/open_scene.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// Opens `path`, which is whatever GDAL opens, /vsi paths included; for ENVI it is the data file or its .hdr.
// DataError: the file cannot be read, has no bands (its subdatasets are listed) or complex values.
OpenScene open_scene(const std::string& path);

// All files that GDAL reads for the raster or vector file at `path`, the main one first: headers, tables of attributes,
// sources of a mosaic and what lies beside them. It is empty where GDAL opens nothing there.
std::vector<std::string> dataset_files(const std::string& path);

// A raster of class codes: one band of codes 0 .. 65535; nodata counts as 0. Names come from the band's category names,
// the ENVI header or the attribute table, colours from the colour table, ENVI's `class lookup` or the attribute table,
// unless all classes have the same. The raster is scanned once, block by block, for the codes that occur. DataError:
// not readable, several bands, values that are not whole numbers in range.
//
// The code 0 is a class where the raster says so: by a name that does not mean unlabelled, or, where it has no name, by
// another nodata value; and with `zero_class`. Since 0 stands for no class in every map, it gets the code after the
// largest. Elsewhere pixels of the code 0 are unlabelled.
std::unique_ptr<ClassMapSource> open_class_map(const std::string& path, bool zero_class = false);

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
