// Grids and scenes of which only the size and the values matter.
#pragma once

#include <limits>
#include <string>

#include "support/memory_scene.hpp"

namespace parsimap::test {

inline constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();

inline RasterGrid grid_of(Index width, Index height) {
  RasterGrid grid;
  grid.width = width;
  grid.height = height;
  return grid;
}

// `values` are pixels x bands.
inline MemoryScene plain_scene(const std::string& name, Index width, Index height, const Spectra& values) {
  return {name, grid_of(width, height), BandTable(static_cast<std::size_t>(values.cols())), values};
}

inline Indices all_bands(const SceneSource& scene) {
  Indices bands;
  for (std::size_t band = 0; band < scene.bands().size(); ++band) {
    bands.push_back(static_cast<Index>(band));
  }
  return bands;
}

}  // namespace parsimap::test
