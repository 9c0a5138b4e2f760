// A scene of a dataset that is open already.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "parsimap/scene/scene_source.hpp"

#include "dataset.hpp"

namespace parsimap {

// As open_scene() reads it. `path` names it in messages; the stamps of `files` tell whether it changes while it is
// read.
std::unique_ptr<SceneSource> scene_of(const std::string& path, DatasetPtr dataset,
                                      const std::vector<std::string>& files);

}  // namespace parsimap
