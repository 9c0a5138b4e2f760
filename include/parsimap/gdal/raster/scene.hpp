// Rasters read through GDAL: scenes, class maps, and arrays of a caller that GDAL reads where they are.
//
// A scene is any raster that GDAL opens, with its bands as spectra. Alpha bands are not spectral bands. Wavelengths are
// nanometres, from the ENVI metadata domain or the bands' own `wavelength` and `wavelength_units`; without a unit,
// values below 100 are micrometres. Bands are bad where a `bbl` of their own or of the ENVI domain says 0. A mosaic
// (VRT) that has lost what describes its bands has it from its sources, where they agree. A value is missing (NaN)
// where it equals its band's nodata value as stored, is infinite, or where the dataset's mask or an alpha band is 0.
// Values are those after the bands' scale and offset.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/samples/band.hpp"
#include "parsimap/scene/open_scene.hpp"

namespace parsimap {

// Opens `path`, which is whatever GDAL opens, /vsi paths included; for ENVI it is the data file or its .hdr.
// DataError: the file cannot be read, has no bands (its subdatasets are listed) or complex values.
OpenScene open_scene(const std::string& path);

// Bands of a raster as another file than its own describes them, such as the metadata of a product.
struct BandDescription {
  // One entry for each band of the scene. Scale and offset turn the numbers that the raster stores into values.
  BandTable bands;
  std::optional<double> nodata;  // a number that the raster stores where there is no value
};

// The scene under the name `name` with these bands. Scale and offset count for bands that have none in the raster, and
// the nodata value among these where no band has one there. DataError also: another number of bands.
OpenScene open_scene(const std::string& path, const BandDescription& description, const std::string& name);

// All files that GDAL reads for the raster or vector file at `path`, the main one first: headers, tables of attributes,
// sources of a mosaic and what lies beside them. It is empty where GDAL opens nothing there.
std::vector<std::string> dataset_files(const std::string& path);

}  // namespace parsimap
