// All values of a raster, as the program reads them.
#pragma once

#include <string>

#include "parsimap/gdal/raster/scene.hpp"

namespace parsimap::test {

// Pixels x bands.
inline Spectra values_of(const std::string& path) {
  const OpenScene scene = open_scene(path);
  Indices bands;
  for (std::size_t i = 0; i < scene.source->bands().size(); ++i) {
    bands.push_back(static_cast<Index>(i));
  }
  Spectra values;
  scene.source->read({0, 0, scene.source->grid().width, scene.source->grid().height}, bands, values);
  return values;
}

}  // namespace parsimap::test
