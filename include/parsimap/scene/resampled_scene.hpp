// A scene in the bands of another sensor.
#pragma once

#include <memory>

#include "parsimap/samples/spectral_resampling.hpp"
#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

// The scene with the bands `bands`, computed from its own by the weights of `resampling`, which has as many. Where a
// band that counts has no value, what is computed from it has none. Reads only bands that count for those asked for,
// and besides what it hands out holds some 32 MB, or one row of a window. Values do not depend on the windows. Name,
// grid and storage blocks are those of `scene`.
std::unique_ptr<SceneSource> resample_scene(std::unique_ptr<SceneSource> scene, const SpectralResampling& resampling,
                                            BandTable bands);

}  // namespace parsimap
