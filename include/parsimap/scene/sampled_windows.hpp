// Some windows of a scene that stand for all of it.
#pragma once

#include <functional>

#include "parsimap/scene/window_reader.hpp"

namespace parsimap {

// Calls use() with the valid pixels of windows of at most 64 x 64 pixels, drawn without regard to memory, threads or
// storage blocks until they hold 65536 pixels with values or 512 of them have been looked at; only with windows that
// have such a pixel. A scene and bands have one sample, in one order. Throws IoError from the source, and what use()
// throws.
void for_sampled_windows(SceneSource& scene, const Indices& bands, const std::function<void(ValidSpectra&&)>& use);

}  // namespace parsimap
