// A scene in the sensor's own geometry as the map shows it.
#pragma once

#include <memory>

#include "parsimap/scene/geometry_lookup.hpp"
#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

// The scene on the grid of the lookup: each pixel of the map has the spectrum of the pixel that it shows (nearest
// neighbour, nothing is mixed), NaN where it shows none. Name and bands are those of `scene`. What is read of the scene
// at once is bounded, however its pixels are turned on the map.
std::unique_ptr<SceneSource> orthorectify(std::unique_ptr<SceneSource> scene, std::unique_ptr<GeometryLookup> lookup);

}  // namespace parsimap
