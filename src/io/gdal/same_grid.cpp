#include "parsimap/io/gdal/same_grid.hpp"

#include <gdal_alg.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "parsimap/core/error.hpp"

#include "dataset.hpp"

namespace parsimap {

namespace {

std::string size_text(const RasterGrid& grid) {
  return std::to_string(grid.width) + " x " + std::to_string(grid.height);
}

std::string position_text(const std::array<double, 6>& g) {
  return CPLSPrintf("origin (%.10g, %.10g), pixel %.10g x %.10g", g[0], g[3], std::hypot(g[1], g[4]),
                    std::hypot(g[2], g[5]));
}

// The largest distance, in pixels of `other`, between the same corner of both grids.
double corner_shift(const RasterGrid& grid, const RasterGrid& other) {
  std::array<double, 6> forward = *grid.geotransform;
  std::array<double, 6> other_forward = *other.geotransform;
  std::array<double, 6> inverse{};
  if (GDALInvGeoTransform(other_forward.data(), inverse.data()) == 0) {
    return HUGE_VAL;
  }
  double shift = 0;
  for (const auto column : {0.0, static_cast<double>(other.width)}) {
    for (const auto row : {0.0, static_cast<double>(other.height)}) {
      double x = 0;
      double y = 0;
      GDALApplyGeoTransform(forward.data(), column, row, &x, &y);
      double other_column = 0;
      double other_row = 0;
      GDALApplyGeoTransform(inverse.data(), x, y, &other_column, &other_row);
      shift = std::max({shift, std::abs(other_column - column), std::abs(other_row - row)});
    }
  }
  return shift;
}

}  // namespace

void check_same_grid(const RasterGrid& grid, const std::string& name, const RasterGrid& other,
                     const std::string& other_name, const std::string& rule) {
  const auto refuse = [&](const std::string& own_text, const std::string& other_text) {
    throw DataError(name + ": " + own_text + ", but " + other_name + " " + other_text + "; " + rule + ".");
  };
  if (grid.width != other.width || grid.height != other.height) {
    refuse("is " + size_text(grid) + " pixels", "is " + size_text(other));
  }
  if (!grid.crs.empty() && !other.crs.empty() && !gdal::same_crs(grid.crs, other.crs)) {
    refuse("is in " + gdal::crs_title(grid.crs), "is in " + gdal::crs_title(other.crs));
  }
  constexpr double tolerance = 1e-3;
  if (grid.geotransform && other.geotransform && !(corner_shift(grid, other) <= tolerance)) {
    refuse("has " + position_text(*grid.geotransform), "has " + position_text(*other.geotransform));
  }
}

}  // namespace parsimap
