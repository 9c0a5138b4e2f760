// A scene some of whose pixels a mask hides.
#pragma once

#include <memory>

#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

// The scene with all bands NaN where the mask, a raster of one band on the same grid, is 0 or has no value. Name, grid,
// bands and storage blocks are those of `scene`. DataError: the mask has several bands.
std::unique_ptr<SceneSource> mask_scene(std::unique_ptr<SceneSource> scene, std::unique_ptr<SceneSource> mask);

}  // namespace parsimap
