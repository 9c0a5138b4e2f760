#include "parsimap/io/matlab/scene.hpp"

#include "parsimap/scene/memory_scene.hpp"

#include "array_file.hpp"

namespace parsimap {

std::unique_ptr<SceneSource> open_matlab_scene(const std::string& path,
                                               const std::optional<std::pair<Index, Index>>& height_and_width) {
  const matlab::ArrayFile file(path);
  const matlab::Array& cube = height_and_width
                                  ? file.only({height_and_width->first, height_and_width->second, std::nullopt},
                                              std::to_string(height_and_width->first) + " x " +
                                                  std::to_string(height_and_width->second) + " x bands")
                                  : file.only({std::nullopt, std::nullopt, std::nullopt}, "rows x columns x bands");
  RasterGrid grid;
  grid.height = cube.shape[0];
  grid.width = cube.shape[1];
  BandTable bands;
  for (Index band = 1; band <= cube.shape[2]; ++band) {
    bands.push_back({"band " + std::to_string(band), std::nullopt});
  }
  const Vector numbers = file.read(cube);
  // MATLAB's pixels go down the columns, those of a scene along the rows.
  const Eigen::Map<const Matrix> by_columns(numbers.data(), grid.pixels(), cube.shape[2]);
  Spectra values(grid.pixels(), cube.shape[2]);
  for (Index row = 0; row < grid.height; ++row) {
    values.middleRows(row * grid.width, grid.width) =
        by_columns(Eigen::seqN(row, grid.width, grid.height), Eigen::all).cast<float>();
  }
  return std::make_unique<MemoryScene>(path, grid, std::move(bands), std::move(values));
}

}  // namespace parsimap
