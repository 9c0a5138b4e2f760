// Scenes in MATLAB files, as the benchmark scenes of hyperspectral imaging are published (PaviaU.mat and others).
//
// Versions 5 to 7 (`save -v6` or `-v7`), compressed or not, any numeric type. The scene is a three-dimensional array
// rows x columns x bands of real numbers; it has no georeferencing, and its bands are named "band 1", "band 2", ... An
// infinite value is missing (NaN).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

// The only such array of the file; where `height_and_width` is given, the only one of that size. The whole scene is
// held in memory.
// DataError: not a MATLAB file, one of version 7.3 (HDF5), damaged, or without exactly one such array (the arrays that
// it has are listed).
std::unique_ptr<SceneSource> open_matlab_scene(
    const std::string& path, const std::optional<std::pair<Index, Index>>& height_and_width = std::nullopt);

}  // namespace parsimap
