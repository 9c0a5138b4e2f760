#include "input_files.hpp"

#include <filesystem>

#include "parsimap/core/error.hpp"
#include "parsimap/io/matlab/labels.hpp"

namespace parsimap {
namespace {

void refuse_variable(const std::string& path, const std::optional<std::string>& variable) {
  if (variable) {
    throw ConfigError(path + " is no MATLAB file (.mat); it has no variable '" + *variable + "' to choose");
  }
}

}  // namespace

bool is_matlab_file(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  return extension == ".mat" || extension == ".MAT";
}

OpenScene open_scene_file(const std::string& path, const MatlabSceneChoice& choice) {
  if (is_matlab_file(path)) {
    return open_matlab_scene(path, choice);
  }
  refuse_variable(path, choice.variable);
  return open_scene(path);
}

LabelledPixels read_label_file(const std::string& path, const LabelOptions& options,
                               const std::optional<std::string>& variable, const RasterGrid& grid,
                               const std::string& grid_name) {
  if (!is_matlab_file(path)) {
    refuse_variable(path, variable);
    return read_labels(path, options, grid, grid_name);
  }
  if (options.class_field || options.where || options.group_field) {
    throw ConfigError(path + " is a MATLAB file; a class field or a condition only goes with vector labels");
  }
  return read_matlab_labels(path, variable, grid, grid_name);
}

LabelledPixels read_label_files(const std::vector<std::string>& paths, const LabelOptions& options,
                                const std::optional<std::string>& variable, const RasterGrid& grid,
                                const std::string& grid_name) {
  if (paths.size() == 1) {
    return read_label_file(paths.front(), options, variable, grid, grid_name);
  }
  for (const std::string& path : paths) {
    refuse_variable(path, variable);
  }
  return read_labels(paths, options, grid, grid_name);
}

}  // namespace parsimap
