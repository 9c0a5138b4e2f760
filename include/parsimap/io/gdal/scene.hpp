// Scenes read through GDAL: any raster it opens, with its bands as spectra.
//
// Alpha bands are not spectral bands. Wavelengths are nanometres, from the ENVI metadata domain or the bands' own
// `wavelength` and `wavelength_units`; without a unit, values below 100 are micrometres. Bands are bad where a `bbl` of
// their own or of the ENVI domain says 0. A value is missing (NaN) where it equals its band's nodata value as stored,
// is infinite, or where the dataset's mask or an alpha band is 0. Values are those after the bands' scale and offset.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

// `path` is whatever GDAL opens, /vsi paths included; for ENVI the data file or its .hdr.
// DataError: not readable, no bands (subdatasets are listed), complex values.
std::unique_ptr<SceneSource> open_scene(const std::string& path);

struct SceneDescription {
  std::string driver;              // GDAL's short name, such as "GTiff"
  std::string data_type;           // of the first band, such as "Int16"
  std::vector<std::string> files;  // all files the scene consists of, the main one first
  std::int64_t bytes = 0;          // of all of them together; 0 where unknown
  std::optional<double> nodata;    // of all bands; unset where there is none or where bands differ
  bool nodata_differs = false;     // by band; alpha bands do not count
  // Entries of a bad-band list that has not one for every band: it marks none.
  std::optional<Index> misfit_bad_band_entries;
};

// DataError as for open_scene().
SceneDescription describe_scene(const std::string& path);

// True when GDAL can open `path` (or the data file of an ENVI .hdr) as a raster.
bool is_raster(const std::string& path);

}  // namespace parsimap
