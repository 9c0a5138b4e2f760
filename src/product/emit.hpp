// Products of EMIT.
#pragma once

#include <optional>
#include <string>

#include "parsimap/scene/open_scene.hpp"

namespace parsimap {

// EMIT L2A reflectance and L1B radiance (netCDF), with the mask of L2A where its file lies beside.
std::optional<OpenScene> open_emit(const std::string& path);

}  // namespace parsimap
