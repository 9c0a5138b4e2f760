// All values of a raster, as the program reads them.
#pragma once

#include <string>

#include "parsimap/gdal/raster/scene.hpp"

#include "support/spectra.hpp"

namespace parsimap::test {

inline Spectra values_of(const std::string& path) { return values_of(*open_scene(path).source); }

}  // namespace parsimap::test
