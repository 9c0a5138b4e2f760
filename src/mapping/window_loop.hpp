// Going through a scene window by window: the next window is read while one is worked on.
#pragma once

#include <functional>
#include <vector>

#include "parsimap/core/progress.hpp"
#include "parsimap/scene/scene_source.hpp"
#include "parsimap/scene/window_reader.hpp"

namespace parsimap {

// Calls use() with the valid pixels of every window, in their order. Progress is the share of the pixels of the
// windows. Returns the seconds that reading took. Errors as those of the source and of use().
double for_each_window(SceneSource& scene, const Indices& bands, const std::vector<Window>& windows,
                       const std::function<void(const ValidSpectra&)>& use, const Progress& progress);

}  // namespace parsimap
