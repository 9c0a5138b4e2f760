// Scenes and labels in files of any kind: MATLAB's where the path ends in .mat, GDAL's everywhere else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/io/gdal/labels.hpp"
#include "parsimap/io/gdal/scene.hpp"
#include "parsimap/io/matlab/scene.hpp"

namespace parsimap {

bool is_matlab_file(const std::string& path);

// open_matlab_scene() or open_scene(). ConfigError: a variable of a file that is not MATLAB's. Else errors as there.
OpenScene open_scene_file(const std::string& path, const MatlabSceneChoice& choice);

// read_matlab_labels() or read_labels(). ConfigError: a variable of a file that is not MATLAB's, options of vectors for
// one that is. Else errors as there.
LabelledPixels read_label_file(const std::string& path, const LabelOptions& options,
                               const std::optional<std::string>& variable, const RasterGrid& grid,
                               const std::string& grid_name);

// The same of several vector files, as if they were one: read_labels().
LabelledPixels read_label_files(const std::vector<std::string>& paths, const LabelOptions& options,
                                const std::optional<std::string>& variable, const RasterGrid& grid,
                                const std::string& grid_name);

}  // namespace parsimap
