// What must be true of every scene and of all labels that a reader accepts.
#pragma once

#include <algorithm>
#include <cmath>

#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/raster.hpp"

#include "fuzz/target.hpp"

namespace parsimap::fuzz {

// Reads a corner of the scene, which may be too large to be read as a whole.
inline void check_scene(SceneSource& scene) {
  constexpr Index kMost = 8;
  const RasterGrid& grid = scene.grid();
  require(grid.width > 0 && grid.height > 0 && !scene.bands().empty(), "a scene has pixels and bands");
  Window corner{0, 0, std::min(grid.width, kMost), std::min(grid.height, kMost)};
  Indices bands;
  for (Index band = 0; band < std::min(static_cast<Index>(scene.bands().size()), kMost); ++band) {
    bands.push_back(band);
  }
  Spectra values;
  scene.read(corner, bands, values);
  require(values.rows() == corner.pixels() && values.cols() == static_cast<Index>(bands.size()),
          "a window has a value for each of its pixels and bands");
  require(!values.array().isInf().any(), "an infinite value is missing");
  corner.column = grid.width - corner.width;
  corner.row = grid.height - corner.height;
  [[maybe_unused]] const bool empty = scene.known_empty(corner);
  scene.read(corner, {bands.back()}, values);
}

inline void check_labels(const LabelledPixels& labels, const RasterGrid& grid) {
  std::int64_t last = -1;
  for (const LabelledPixel& pixel : labels.pixels) {
    require(pixel.pixel > last && pixel.pixel < grid.pixels(), "labelled pixels lie in the scene, each once");
    require(pixel.label >= 0 && pixel.label < static_cast<int>(labels.classes.size()), "a label is one of a class");
    last = pixel.pixel;
  }
  for (const ClassEntry& entry : labels.classes) {
    require(entry.code >= 1 && entry.code <= 65535 && !entry.name.empty(), "a class has a code and a name");
  }
}

}  // namespace parsimap::fuzz
