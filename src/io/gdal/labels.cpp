#include "parsimap/io/gdal/labels.hpp"

#include <algorithm>
#include <map>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/class_map.hpp"
#include "parsimap/io/gdal/same_grid.hpp"
#include "parsimap/io/gdal/settings.hpp"

#include "dataset.hpp"
#include "vector_labels.hpp"

namespace parsimap {

namespace {

LabelledPixels read_raster_labels(const std::string& path, const RasterGrid& grid, const std::string& grid_name) {
  const std::unique_ptr<ClassMapSource> source = open_class_map(path);
  check_same_grid(source->grid(), source->name(), grid, grid_name, "label rasters must lie on the scene's grid");
  LabelledPixels labels;
  labels.classes = source->classes();
  std::map<int, int> label_of;
  for (const ClassEntry& entry : labels.classes) {
    label_of.emplace(entry.code, static_cast<int>(label_of.size()));
  }
  constexpr Index strip_pixels = Index{1} << 20;
  const Index rows = std::max<Index>(1, strip_pixels / grid.width);
  std::vector<std::uint16_t> codes;
  for (Index row = 0; row < grid.height; row += rows) {
    source->read({0, row, grid.width, std::min(rows, grid.height - row)}, codes);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (codes[i] != 0) {
        labels.pixels.push_back(
            {std::int64_t{row} * grid.width + static_cast<std::int64_t>(i), label_of.at(codes[i]), 0});
      }
    }
  }
  return labels;
}

gdal::DatasetPtr open_vector(const std::string& path) {
  const gdal::ErrorCollector errors;
  gdal::DatasetPtr vector(GDALDataset::Open(gdal::resolve_envi_header(path).c_str(),
                                            GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, nullptr));
  if (vector != nullptr) {
    return vector;
  }
  if (gdal::is_raster(path)) {
    throw ConfigError(
        path + ": is a raster; class fields, conditions and several files of labels only go with vector labels.");
  }
  throw DataError(path + ": cannot be opened as a raster or vector of labels: " + errors.text());
}

}  // namespace

LabelledPixels read_labels(const std::string& path, const LabelOptions& options, const RasterGrid& grid,
                           const std::string& grid_name) {
  return read_labels(std::vector<std::string>{path}, options, grid, grid_name);
}

LabelledPixels read_labels(const std::vector<std::string>& paths, const LabelOptions& options, const RasterGrid& grid,
                           const std::string& grid_name) {
  initialise_gdal();
  const bool wants_vector = options.class_field || options.where || options.group_field;
  if (paths.size() == 1 && !wants_vector && gdal::is_raster(paths.front())) {
    return read_raster_labels(paths.front(), grid, grid_name);
  }
  std::vector<gdal::VectorFile> files;
  for (const std::string& path : paths) {
    files.push_back({path, open_vector(path)});
  }
  return gdal::read_vector_labels(files, options, grid, grid_name);
}

}  // namespace parsimap
