#include "reference_probabilities.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/georeference.hpp"
#include "parsimap/io/gdal/scene.hpp"

namespace parsimap {
namespace {

void check_bands(const SceneSource& probabilities, const std::vector<std::string>& classes) {
  const BandTable& bands = probabilities.bands();
  const bool known = std::any_of(bands.begin(), bands.end(), [&](const Band& band) {
    return std::find(classes.begin(), classes.end(), band.name) != classes.end();
  });
  if (!known) {
    throw DataError(probabilities.name() + ": no band has the name of a class; it must be a raster of 'classify " +
                    "--probabilities'");
  }
}

}  // namespace

Reliability read_reliability(const std::string& path, const ClassMapSource& map, const LabelledPixels& reference,
                             const ClassMatch& match) {
  const std::unique_ptr<SceneSource> scene = open_scene(path).source;
  check_same_grid(scene->grid(), scene->name(), map.grid(), map.name(), "probabilities must lie on the map's grid");
  check_bands(*scene, match.names);
  Indices bands(scene->bands().size());
  std::iota(bands.begin(), bands.end(), Index{0});
  const Index width = scene->grid().width;
  Reliability reliability;
  Spectra row;
  Index read = -1;
  for (const LabelledPixel& pixel : reference.pixels) {
    if (pixel.pixel / width != read) {
      read = pixel.pixel / width;
      scene->read({0, read, width, 1}, bands, row);
    }
    const auto values = row.row(pixel.pixel % width);
    if (values.allFinite()) {
      Index best = 0;
      const float largest = values.maxCoeff(&best);
      const Index wanted = match.row[static_cast<std::size_t>(pixel.label)];
      reliability.add(largest, scene->bands()[static_cast<std::size_t>(best)].name ==
                                   match.names[static_cast<std::size_t>(wanted)]);
    }
  }
  return reliability;
}

}  // namespace parsimap
