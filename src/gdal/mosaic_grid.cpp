#include "parsimap/gdal/mosaic_grid.hpp"

#include <gdal_alg.h>
#include <gdal_utils.h>
#include <gdalwarper.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "parsimap/core/error.hpp"

#include "dataset.hpp"
#include "dataset_scene.hpp"

namespace parsimap {
namespace {

constexpr double kSameLine = 1e-3;  // pixels: edges that are nearer to a line of the grid lie on it

struct Extent {
  double left = std::numeric_limits<double>::infinity();
  double top = -std::numeric_limits<double>::infinity();
  double right = -std::numeric_limits<double>::infinity();
  double bottom = std::numeric_limits<double>::infinity();
};

bool is_rotated(const std::array<double, 6>& g) { return g[2] != 0 || g[4] != 0 || g[1] <= 0 || g[5] >= 0; }

Extent extent_of(const std::array<double, 6>& g, Index width, Index height) {
  return {g[0], g[3], g[0] + g[1] * static_cast<double>(width), g[3] + g[5] * static_cast<double>(height)};
}

void check_placed(const RasterGrid& grid, const std::string& path, const RasterGrid& first,
                  const std::string& first_path) {
  if (!grid.geotransform && grid.control_points.empty()) {
    throw DataError(path + " has no place on the map (no geotransform and no control points); a mosaic needs one");
  }
  if (grid.crs.empty() != first.crs.empty()) {
    throw DataError((grid.crs.empty() ? path : first_path) + " has no coordinate reference system, but " +
                    (grid.crs.empty() ? first_path : path) + " has one; a mosaic needs it of all rasters or of none");
  }
}

// The raster's own grid without rotation in the coordinate system `crs`, as GDAL suggests it.
RasterGrid suggested_grid(GDALDataset& dataset, const std::string& path, const std::string& crs) {
  const ErrorCollector errors;
  CPLStringList options;
  if (!crs.empty()) {
    options.SetNameValue("DST_SRS", crs.c_str());
  }
  void* transformer = GDALCreateGenImgProjTransformer2(&dataset, nullptr, options.List());
  RasterGrid grid;
  grid.crs = crs;
  std::array<double, 6> transform{};
  int width = 0;
  int height = 0;
  const bool done = transformer != nullptr && GDALSuggestedWarpOutput(&dataset, GDALGenImgProjTransform, transformer,
                                                                      transform.data(), &width, &height) == CE_None;
  if (transformer != nullptr) {
    GDALDestroyGenImgProjTransformer(transformer);
  }
  if (!done) {
    throw DataError(path + " cannot be brought to " + crs_title(crs) + ": " + errors.text());
  }
  grid.geotransform = transform;
  grid.width = width;
  grid.height = height;
  return grid;
}

// The raster's extent in the coordinate system of `first`.
Extent extent_in(const std::string& path, const RasterGrid& first, const std::string& first_path) {
  const DatasetPtr dataset = open_raster(path);
  RasterGrid grid = grid_of(*dataset);
  check_placed(grid, path, first, first_path);
  const bool same = grid.crs.empty() || same_crs(grid.crs, first.crs);
  if (!same || !grid.geotransform || is_rotated(*grid.geotransform)) {
    grid = suggested_grid(*dataset, path, first.crs);
  }
  return extent_of(*grid.geotransform, grid.width, grid.height);
}

// A grid that tells the place of a mosaic's lines: the first raster's own, or one like it without rotation.
RasterGrid lines_of(const std::string& path) {
  const DatasetPtr dataset = open_raster(path);
  const RasterGrid grid = grid_of(*dataset);
  check_placed(grid, path, grid, path);
  return grid.geotransform && !is_rotated(*grid.geotransform) ? grid : suggested_grid(*dataset, path, grid.crs);
}

// First line at or before `low`, and first one at or behind `high`, counted from `origin` in steps of `size`.
std::array<double, 2> lines_around(double low, double high, double origin, double size) {
  return {std::floor((low - origin) / size + kSameLine), std::ceil((high - origin) / size - kSameLine)};
}

RasterGrid grid_around(const std::vector<Extent>& extents, const RasterGrid& lines) {
  Extent all;
  for (const Extent& extent : extents) {
    all = {std::min(all.left, extent.left), std::max(all.top, extent.top), std::max(all.right, extent.right),
           std::min(all.bottom, extent.bottom)};
  }
  const std::array<double, 6>& g = *lines.geotransform;
  const auto [left, right] = lines_around(all.left, all.right, g[0], g[1]);
  const auto [top, bottom] = lines_around(-all.top, -all.bottom, -g[3], -g[5]);
  constexpr double kMost = std::numeric_limits<int>::max();
  if (!(right - left <= kMost && bottom - top <= kMost)) {
    throw DataError("a mosaic around all maps would have " + std::to_string(right - left) + " x " +
                    std::to_string(bottom - top) + " pixels, more than a raster can have");
  }
  RasterGrid grid;
  grid.width = static_cast<Index>(right - left);
  grid.height = static_cast<Index>(bottom - top);
  grid.geotransform = {g[0] + left * g[1], g[1], 0, g[3] + top * g[5], 0, g[5]};
  grid.crs = lines.crs;
  return grid;
}

Window window_of(const Extent& extent, const RasterGrid& grid) {
  const std::array<double, 6>& g = *grid.geotransform;
  const auto [left, right] = lines_around(extent.left, extent.right, g[0], g[1]);
  const auto [top, bottom] = lines_around(-extent.top, -extent.bottom, -g[3], -g[5]);
  const auto clamped = [](double line, Index most) {
    return static_cast<Index>(std::clamp(line, 0.0, static_cast<double>(most)));
  };
  Window window{clamped(left, grid.width), clamped(top, grid.height), 0, 0};
  window.width = clamped(right, grid.width) - window.column;
  window.height = clamped(bottom, grid.height) - window.row;
  return window.pixels() > 0 ? window : Window{};
}

RasterGrid grid_like(const std::string& like) {
  const DatasetPtr dataset = open_raster(like);
  const RasterGrid grid = grid_of(*dataset);
  if (!grid.geotransform || is_rotated(*grid.geotransform)) {
    throw ConfigError(like + (grid.geotransform ? " is rotated" : " has no geotransform") +
                      "; a mosaic needs a grid whose lines run east and south");
  }
  return grid;
}

}  // namespace

MosaicGrid mosaic_grid(const std::vector<std::string>& rasters, const std::optional<std::string>& like) {
  const std::string& first_path = like ? *like : rasters.front();
  const RasterGrid lines = like ? grid_like(*like) : lines_of(first_path);
  std::vector<Extent> extents;
  for (const std::string& path : rasters) {
    extents.push_back(extent_in(path, lines, first_path));
  }
  MosaicGrid result{like ? lines : grid_around(extents, lines), {}};
  for (const Extent& extent : extents) {
    result.windows.push_back(window_of(extent, result.grid));
  }
  return result;
}

std::unique_ptr<SceneSource> open_on_grid(const std::string& path, const RasterGrid& grid) {
  const Extent extent = extent_of(*grid.geotransform, grid.width, grid.height);
  // As gdalwarp's command line. No approximation of the coordinates, so that every pixel is the nearest one.
  std::vector<std::string> words = {"-of", "VRT", "-r", "near", "-et", "0"};
  words.insert(words.end(), {"-ts", std::to_string(grid.width), std::to_string(grid.height), "-te"});
  for (const double edge : {extent.left, extent.bottom, extent.right, extent.top}) {
    words.emplace_back(CPLSPrintf("%.17g", edge));
  }
  if (!grid.crs.empty()) {
    words.insert(words.end(), {"-t_srs", grid.crs});
  }
  CPLStringList list;
  for (const std::string& word : words) {
    list.AddString(word.c_str());
  }
  DatasetPtr source = open_raster(path);
  const std::vector<std::string> files = files_of(*source);
  const ErrorCollector errors;
  const std::unique_ptr<GDALWarpAppOptions, void (*)(GDALWarpAppOptions*)> options(
      GDALWarpAppOptionsNew(list.List(), nullptr), GDALWarpAppOptionsFree);
  GDALDatasetH input = source.get();
  DatasetPtr warped(GDALDataset::FromHandle(GDALWarp("", nullptr, 1, &input, options.get(), nullptr)));
  // What was made refers to the source, and keeps it open.
  source.release()->ReleaseRef();
  if (warped == nullptr) {
    throw DataError(path + " cannot be brought to the grid of the mosaic: " + errors.text());
  }
  return scene_of(path, std::move(warped), files);
}

}  // namespace parsimap
