// Scenes and labels in MATLAB files, as the benchmark scenes of hyperspectral imaging are published (PaviaU.mat and
// PaviaU_gt.mat): versions 5 to 7.3 (`save -v6`, `-v7` or `-v7.3`), compressed or not, any numeric type.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/open_scene.hpp"

namespace parsimap {

// Which array of a file with several.
struct MatlabSceneChoice {
  std::optional<std::string> variable{};                      // its name
  std::optional<std::pair<Index, Index>> height_and_width{};  // its size
};

// The only three-dimensional array of real numbers, rows x columns x bands, that fits the choice. It has no
// georeferencing, and its bands have neither names nor wavelengths; an infinite value is missing (NaN). The whole scene
// is held in memory, from its first reading on. Of the description, driver, file and size are known.
// DataError: not a MATLAB file, damaged, or without exactly one such array (the arrays that it has are listed); without
// a name in the choice also where another array may be the scene with its pixels in a row, and has more bands.
OpenScene open_matlab_scene(const std::string& path, const MatlabSceneChoice& choice);

// The only two-dimensional array that has the size of `grid`, rows x columns, and the name `variable` where that is
// given: class codes 0 .. 65535, where NaN means unlabelled, and 0 unless it is a class (`zero_class`). Classes are
// named by their codes. `grid_name` names the scene in messages. DataError: as open_matlab_scene(), and values that are
// not such codes (the first one is named).
LabelledPixels read_matlab_labels(const std::string& path, const std::optional<std::string>& variable,
                                  const RasterGrid& grid, const std::string& grid_name, bool zero_class = false);

}  // namespace parsimap
