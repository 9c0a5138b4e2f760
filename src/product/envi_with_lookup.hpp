// Scenes of ENVI with a geometry lookup table beside them.
#pragma once

#include <optional>
#include <string>

#include "parsimap/scene/open_scene.hpp"

namespace parsimap {

// A raster of ENVI in the sensor's own geometry, as of AVIRIS, with the lookup table (_glt) that lies beside it.
std::optional<OpenScene> open_envi_with_lookup(const std::string& path);

}  // namespace parsimap
