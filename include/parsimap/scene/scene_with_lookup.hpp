// A scene in the sensor's own geometry, together with the table that says where its pixels lie on the map.
#pragma once

#include <memory>

#include "parsimap/scene/geometry_lookup.hpp"
#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

// The scene as it is, with a lookup().
std::unique_ptr<SceneSource> scene_with_lookup(std::unique_ptr<SceneSource> scene,
                                               std::unique_ptr<GeometryLookup> lookup);

}  // namespace parsimap
