#include "parsimap/io/matlab/scene.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include "parsimap/scene/memory_scene.hpp"

#include "array_file.hpp"

namespace parsimap {
namespace {

SceneDescription describe(const std::string& path) {
  SceneDescription description;
  description.driver = "MATLAB";
  description.data_type = "numeric array";
  description.files = {path};
  std::error_code failure;
  const std::uintmax_t bytes = std::filesystem::file_size(path, failure);
  description.bytes = failure ? 0 : static_cast<std::int64_t>(bytes);
  return description;
}

}  // namespace

OpenScene open_matlab_scene(const std::string& path, const MatlabSceneChoice& choice) {
  const matlab::ArrayFile file(path);
  std::vector<std::optional<Index>> shape(3);
  std::string shape_text = "rows x columns x bands";
  if (choice.height_and_width) {
    shape[0] = choice.height_and_width->first;
    shape[1] = choice.height_and_width->second;
    shape_text = std::to_string(*shape[0]) + " x " + std::to_string(*shape[1]) + " x bands";
  }
  const matlab::Array& cube = file.only(shape, shape_text, choice.variable);
  RasterGrid grid;
  grid.height = cube.shape[0];
  grid.width = cube.shape[1];
  BandTable bands(static_cast<std::size_t>(cube.shape[2]));
  const VectorF numbers = file.read<float>(cube);
  // MATLAB's pixels go down the columns, those of a scene along the rows.
  const Eigen::Map<const MatrixF> by_columns(numbers.data(), grid.pixels(), cube.shape[2]);
  Spectra values(grid.pixels(), cube.shape[2]);
  for (Index row = 0; row < grid.height; ++row) {
    values.middleRows(row * grid.width, grid.width) = by_columns(Eigen::seqN(row, grid.width, grid.height), Eigen::all);
  }
  return {std::make_unique<MemoryScene>(path, grid, std::move(bands), std::move(values)), describe(path)};
}

}  // namespace parsimap
