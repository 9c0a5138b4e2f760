// The kinds of products, as product.cpp asks for them in turn. Each gives nothing for what is not its kind.
#pragma once

#include <optional>
#include <string>

#include "parsimap/scene/open_scene.hpp"

namespace parsimap {

// EMIT L2A reflectance and L1B radiance (netCDF), with the mask of L2A where its file lies beside.
std::optional<OpenScene> open_emit(const std::string& path);

// PRISMA L1 to L2D (.he5, or a .zip that holds one).
std::optional<OpenScene> open_prisma(const std::string& path);

// A raster of ENVI in the sensor's own geometry, as of AVIRIS, with the lookup table (_glt) that lies beside it.
std::optional<OpenScene> open_envi_with_lookup(const std::string& path);

}  // namespace parsimap
