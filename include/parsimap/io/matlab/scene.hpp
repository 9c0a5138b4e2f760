// Scenes in MATLAB files, as the benchmark scenes of hyperspectral imaging are published (PaviaU.mat and others).
//
// Versions 5 to 7.3 (`save -v6`, `-v7` or `-v7.3`), compressed or not, any numeric type. The scene is a
// three-dimensional array rows x columns x bands of real numbers; it has no georeferencing, and its bands have neither
// names nor wavelengths. An infinite value is missing (NaN).
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "parsimap/scene/open_scene.hpp"

namespace parsimap {

// Which array of a file with several.
struct MatlabSceneChoice {
  std::optional<std::string> variable{};                      // its name
  std::optional<std::pair<Index, Index>> height_and_width{};  // its size
};

// The only such array of the file that fits the choice. The whole scene is held in memory. Of the
// description, driver, file and size are known.
// DataError: not a MATLAB file, damaged, or without exactly one such array (the arrays that it has are listed).
OpenScene open_matlab_scene(const std::string& path, const MatlabSceneChoice& choice);

}  // namespace parsimap
