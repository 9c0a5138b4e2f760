#include "parsimap/io/gdal/labels.hpp"

#include <gdal_alg.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/class_map.hpp"
#include "parsimap/io/gdal/scene.hpp"
#include "parsimap/io/gdal/settings.hpp"

#include "dataset.hpp"
#include "vector_labels.hpp"

namespace parsimap {

namespace {

std::string size_text(const RasterGrid& grid) {
  return std::to_string(grid.width) + " x " + std::to_string(grid.height);
}

std::string position_text(const std::array<double, 6>& g) {
  return CPLSPrintf("origin (%.10g, %.10g), pixel %.10g x %.10g", g[0], g[3], std::hypot(g[1], g[4]),
                    std::hypot(g[2], g[5]));
}

// The largest distance, in pixels of the scene, between the same corner of both grids.
double corner_shift(const RasterGrid& labels, const RasterGrid& scene) {
  std::array<double, 6> forward = *labels.geotransform;
  std::array<double, 6> scene_forward = *scene.geotransform;
  std::array<double, 6> inverse{};
  if (GDALInvGeoTransform(scene_forward.data(), inverse.data()) == 0) {
    return HUGE_VAL;
  }
  double shift = 0;
  for (const auto column : {0.0, static_cast<double>(scene.width)}) {
    for (const auto row : {0.0, static_cast<double>(scene.height)}) {
      double x = 0;
      double y = 0;
      GDALApplyGeoTransform(forward.data(), column, row, &x, &y);
      double scene_column = 0;
      double scene_row = 0;
      GDALApplyGeoTransform(inverse.data(), x, y, &scene_column, &scene_row);
      shift = std::max({shift, std::abs(scene_column - column), std::abs(scene_row - row)});
    }
  }
  return shift;
}

void check_grid(const ClassMapSource& labels, const RasterGrid& grid, const std::string& grid_name) {
  const RasterGrid& own = labels.grid();
  if (own.width != grid.width || own.height != grid.height) {
    throw DataError(labels.name() + ": is " + size_text(own) + " pixels, but " + grid_name + " is " + size_text(grid) +
                    "; label rasters must lie on the scene's grid.");
  }
  if (!own.crs.empty() && !grid.crs.empty() && !gdal::same_crs(own.crs, grid.crs)) {
    throw DataError(labels.name() + ": is in " + gdal::crs_title(own.crs) + ", but " + grid_name + " is in " +
                    gdal::crs_title(grid.crs) + "; label rasters must lie on the scene's grid.");
  }
  constexpr double tolerance = 1e-3;
  if (own.geotransform && grid.geotransform && !(corner_shift(own, grid) <= tolerance)) {
    throw DataError(labels.name() + ": has " + position_text(*own.geotransform) + ", but " + grid_name + " has " +
                    position_text(*grid.geotransform) + "; label rasters must lie on the scene's grid.");
  }
}

LabelledPixels read_raster_labels(const std::string& path, const RasterGrid& grid, const std::string& grid_name) {
  const std::unique_ptr<ClassMapSource> source = open_class_map(path);
  check_grid(*source, grid, grid_name);
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

}  // namespace

LabelledPixels read_labels(const std::string& path, const LabelOptions& options, const RasterGrid& grid,
                           const std::string& grid_name) {
  initialise_gdal();
  const bool wants_vector = options.class_field || options.where;
  if (!wants_vector && is_raster(path)) {
    return read_raster_labels(path, grid, grid_name);
  }
  const gdal::ErrorCollector errors;
  const gdal::DatasetPtr vector(GDALDataset::Open(gdal::resolve_envi_header(path).c_str(),
                                                  GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, nullptr));
  if (vector != nullptr) {
    return gdal::read_vector_labels(*vector, path, options, grid, grid_name);
  }
  if (wants_vector && is_raster(path)) {
    throw ConfigError(path + ": is a raster; a class field or a condition only goes with vector labels.");
  }
  throw DataError(path + ": cannot be opened as a raster or vector of labels: " + errors.text());
}

}  // namespace parsimap
