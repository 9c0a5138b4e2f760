#include "parsimap/gdal/raster/georeference.hpp"

#include <Eigen/LU>
#include <gdal_alg.h>
#include <ogr_spatialref.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/scene/sensor_geometry.hpp"

#include "dataset.hpp"
#include "stored_values.hpp"

namespace parsimap {
namespace {

constexpr double kLargestShift = 1e-3;  // pixels

std::string size_text(const RasterGrid& grid) {
  return std::to_string(grid.width) + " x " + std::to_string(grid.height);
}

// The sides of a pixel are the lengths of the two vectors by which a column and a row move a point, so that they are
// right for rotated grids, too.
std::string position_text(const std::array<double, 6>& g) {
  const bool rotated = g[2] != 0 || g[4] != 0;
  return std::string(CPLSPrintf("origin (%.10g, %.10g), pixel %.10g x %.10g", g[0], g[3], std::hypot(g[1], g[4]),
                                std::hypot(g[2], g[5]))) +
         (rotated ? CPLSPrintf(", turned by %.4g degrees", std::atan2(g[4], g[1]) * 180 / std::numbers::pi) : "");
}

// The largest distance, in pixels of `other`, between the same corner of both grids.
double corner_shift(const RasterGrid& grid, const RasterGrid& other) {
  std::array<double, 6> forward = *other.geotransform;
  std::array<double, 6> inverse{};
  if (GDALInvGeoTransform(forward.data(), inverse.data()) == 0) {
    return HUGE_VAL;
  }
  // The map from one grid to the other is affine, so that the distance of two places is largest at a corner.
  double shift = 0;
  for (const auto column : {0.0, static_cast<double>(other.width)}) {
    for (const auto row : {0.0, static_cast<double>(other.height)}) {
      const auto [x, y] = map_point(grid, column, row);
      double other_column = 0;
      double other_row = 0;
      GDALApplyGeoTransform(inverse.data(), x, y, &other_column, &other_row);
      shift = std::max({shift, std::abs(other_column - column), std::abs(other_row - row)});
    }
  }
  return shift;
}

// In place; `what` begins the sentence of a failure.
void transform(const OGRSpatialReference& from, const OGRSpatialReference& to, Matrix& points,
               const std::string& what) {
  const ErrorCollector errors;
  std::unique_ptr<OGRCoordinateTransformation> transformation(OGRCreateCoordinateTransformation(&from, &to));
  const auto count = static_cast<int>(points.rows());
  if (transformation == nullptr || transformation->Transform(count, points.col(0).data(), points.col(1).data()) == 0) {
    throw DataError(what + ": " + errors.text());
  }
  // GDAL keeps it for the next of the same systems: PROJ searches its database for each new one. One that has failed is
  // not kept, since it reports its first failures only.
  OGRCoordinateTransformation::DestroyCT(transformation.release());
}

std::string unmeasurable(const std::string& crs) {
  return "distances in " + crs_title(crs) + " cannot be measured in metres";
}

Matrix middle_of(const RasterGrid& grid) {
  const auto [x, y] = map_point(grid, static_cast<double>(grid.width) / 2, static_cast<double>(grid.height) / 2);
  return Eigen::RowVector2d(x, y);
}

// What an azimuthal projection keeps: distances from its middle, or areas everywhere.
enum class Keep { distances, areas };

// Brings map coordinates of `grid` to metres about the middle of `first`, in place, on the ellipsoid of `first`. Of
// distances those from the middle are true, and those across are too long.
void to_plane_about(const RasterGrid& first, const RasterGrid& grid, Matrix& points, Keep keep = Keep::distances) {
  const OGRSpatialReference reference = spatial_reference(first.crs);
  // By way of longitudes and latitudes: they are common to all reference systems, and the projection starts from them.
  const std::unique_ptr<OGRSpatialReference> degrees(reference.CloneGeogCS());
  if (degrees == nullptr || (reference.IsProjected() == 0 && reference.IsGeographic() == 0)) {
    throw DataError(unmeasurable(first.crs));
  }
  degrees->SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  // The same middle is used for all grids, so that their points are in one plane.
  Matrix centre = middle_of(first);
  transform(reference, *degrees, centre, unmeasurable(first.crs));
  transform(spatial_reference(grid.crs), *degrees, points, unmeasurable(grid.crs));
  OGRSpatialReference local;
  local.SetGeogCS("local", "local", "local", degrees->GetSemiMajor(), degrees->GetInvFlattening());
  if (keep == Keep::distances) {
    local.SetAE(centre(0, 1), centre(0, 0), 0, 0);
  } else {
    local.SetLAEA(centre(0, 1), centre(0, 0), 0, 0);
  }
  local.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  transform(*degrees, local, points, unmeasurable(grid.crs));
}

// Pixels of a grid on the ground, at nine places of the grid: its corners, the middles of its sides, and its middle.
struct GroundScale {
  std::array<double, 9> areas{};  // square metres of a pixel, row by row
  bool is_true = true;            // map coordinates times their unit are metres, to half a percent, as in UTM
};

// Nothing where the coordinates cannot be transformed.
std::optional<GroundScale> ground_scale(const RasterGrid& grid) {
  const OGRSpatialReference reference = spatial_reference(grid.crs);
  const std::array<double, 6>& g = *grid.geotransform;
  Eigen::Matrix2d on_map;  // the steps of a column and a row
  on_map << g[1], g[2], g[4], g[5];
  on_map *= reference.GetLinearUnits();
  GroundScale scale;
  scale.areas.fill(std::abs(on_map.determinant()));
  if (reference.IsLocal() != 0) {
    return scale;
  }
  // Every place is followed by those a column and a row beside it.
  Matrix points(27, 2);
  for (Index k = 0; k < points.rows(); ++k) {
    const double column = static_cast<double>(k / 3 % 3) / 2 * static_cast<double>(grid.width);
    const double row = static_cast<double>(k / 9) / 2 * static_cast<double>(grid.height);
    const auto [x, y] = map_point(grid, column + (k % 3 == 1 ? 1 : 0), row + (k % 3 == 2 ? 1 : 0));
    points.row(k) << x, y;
  }
  try {
    to_plane_about(grid, grid, points, Keep::areas);
  } catch (const DataError&) {
    return std::nullopt;
  }
  for (Index k = 0; k < 9; ++k) {
    Eigen::Matrix2d on_ground;
    on_ground << (points.row(3 * k + 1) - points.row(3 * k)).transpose(),
        (points.row(3 * k + 2) - points.row(3 * k)).transpose();
    scale.areas[static_cast<std::size_t>(k)] = std::abs(on_ground.determinant());
    // The singular values of this matrix are the scales along two directions. Their product is the determinant, and
    // the square of their difference the squared norm less twice that.
    const Eigen::Matrix2d change = on_ground * on_map.inverse();
    const double product = std::abs(change.determinant());
    const double difference = std::sqrt(std::max(0.0, change.squaredNorm() - 2 * product));
    scale.is_true = scale.is_true && std::abs(std::sqrt(product) - 1) + difference / 2 <= 0.005;
  }
  return scale;
}

// Whether the middle of a grid is beyond the limb of the earth, as in the corner of a geostationary view.
bool is_beyond_limb(const RasterGrid& grid) {
  Matrix middle = middle_of(grid);
  try {
    if (spatial_reference(grid.crs).IsProjected() != 0) {
      to_plane_about(grid, grid, middle);
    }
    return false;
  } catch (const DataError&) {
    return true;
  }
}

bool has_place(const RasterGrid& grid) { return grid.geotransform.has_value() && !grid.crs.empty(); }

// The centres of pixels: on the map, or as columns and rows.
Matrix centres_of(const RasterGrid& grid, const std::vector<std::int64_t>& pixels, bool on_map) {
  Matrix points(static_cast<Index>(pixels.size()), 2);
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const auto column = static_cast<double>(pixels[i] % grid.width);
    const auto row = static_cast<double>(pixels[i] / grid.width);
    const std::array<double, 2> point =
        on_map ? map_point(grid, column + 0.5, row + 0.5) : std::array<double, 2>{column, row};
    points.row(static_cast<Index>(i)) << point[0], point[1];
  }
  return points;
}

// Whether map coordinates of all grids are of the same plane.
// Coordinates of one projected system that is true to scale can be compared as they are. Those of other systems cannot:
// degrees have no fixed length, nor have the units of projections such as Web Mercator. Nor can those of different
// systems: they are projected around the first grid, see to_plane_about(). Around a middle that is not on the earth
// nothing can be projected, and the lengths of the map are the best there are.
bool share_plane(const std::vector<GridPixels>& parts) {
  const std::string& crs = parts.front().grid.crs;
  return std::ranges::all_of(parts, [&](const auto& part) {
    const std::optional<GroundScale> scale = ground_scale(part.grid);
    return same_crs(part.grid.crs, crs) && ((scale && scale->is_true) || is_beyond_limb(part.grid));
  });
}

}  // namespace

std::string crs_from_epsg(int code) {
  initialise_gdal();
  const ErrorCollector errors;
  OGRSpatialReference reference;
  if (reference.importFromEPSG(code) != OGRERR_NONE) {
    throw ConfigError(std::to_string(code) +
                      " is not the EPSG code of a coordinate reference system: " + errors.text());
  }
  return wkt_of(&reference);
}

std::string crs_from_text(const std::string& text) {
  initialise_gdal();
  const ErrorCollector ignored;
  OGRSpatialReference reference;
  // Texts may come from files of strangers.
  const std::array<const char*, 3> options{"ALLOW_NETWORK_ACCESS=NO", "ALLOW_FILE_ACCESS=NO", nullptr};
  return reference.SetFromUserInput(text.c_str(), options.data()) == OGRERR_NONE ? wkt_of(&reference) : "";
}

// The positions of pixels (first band x, second band y) become control points on a coarse net of the scene.
std::vector<ControlPoint> read_control_points(const std::string& path, Index width, Index height) {
  const DatasetPtr dataset = open_raster(path);
  if (dataset->GetRasterCount() < 2 || dataset->GetRasterXSize() != width || dataset->GetRasterYSize() != height) {
    throw DataError(path + " has " + std::to_string(dataset->GetRasterCount()) + " bands of " +
                    size_text(grid_of(*dataset)) + " pixels; the positions of the pixels of a scene of " +
                    std::to_string(width) + " x " + std::to_string(height) +
                    " are looked for in two bands of its size");
  }
  const std::optional<double> nodata = nodata_of(*dataset->GetRasterBand(1));
  const auto read_row = [&](int band, Index row, std::vector<double>& values) {
    values.resize(static_cast<std::size_t>(width));
    read_values(*dataset->GetRasterBand(band), {0, row, width, 1}, values.data(), GDT_Float64, path);
    if (nodata) {
      std::ranges::replace(values, *nodata, std::numeric_limits<double>::quiet_NaN());
    }
  };
  return control_points(width, height, [&](Index row, std::vector<double>& x, std::vector<double>& y) {
    read_row(1, row, x);
    read_row(2, row, y);
  });
}

std::string grid_difference(const RasterGrid& grid, const std::string& name, const RasterGrid& other,
                            const std::string& other_name) {
  const auto sentence = [&](const std::string& own_text, const std::string& other_text) {
    return name + " " + own_text + ", but " + other_name + " " + other_text;
  };
  // From the coarsest difference to the finest. A reference system or a position that one side does not have is no
  // difference. The last comparison is negated so that a shift of NaN counts as one.
  if (grid.width != other.width || grid.height != other.height) {
    return sentence("is " + size_text(grid) + " pixels", "is " + size_text(other));
  }
  if (!grid.crs.empty() && !other.crs.empty() && !same_crs(grid.crs, other.crs)) {
    return sentence("is in " + crs_title(grid.crs), "is in " + crs_title(other.crs));
  }
  if (grid.geotransform && other.geotransform && !(corner_shift(grid, other) <= kLargestShift)) {
    return sentence("has " + position_text(*grid.geotransform), "has " + position_text(*other.geotransform));
  }
  return {};
}

void check_same_grid(const RasterGrid& grid, const std::string& name, const RasterGrid& other,
                     const std::string& other_name, const std::string& rule) {
  const std::string difference = grid_difference(grid, name, other, other_name);
  if (!difference.empty()) {
    throw DataError(difference + "; " + rule);
  }
}

std::optional<double> pixel_area(const RasterGrid& grid) {
  const std::optional<GroundScale> scale = has_place(grid) ? ground_scale(grid) : std::nullopt;
  if (scale && scale->is_true) {
    // The area of the parallelogram that a pixel is on the map: the determinant of the geotransform.
    const std::array<double, 6>& g = *grid.geotransform;
    return std::abs(g[1] * g[5] - g[2] * g[4]) * std::pow(spatial_reference(grid.crs).GetLinearUnits(), 2);
  }
  // Where pixels differ by more than this, their number says too little about an area.
  constexpr double kMostDifference = 1.02;
  if (!scale || *std::ranges::max_element(scale->areas) > kMostDifference * *std::ranges::min_element(scale->areas)) {
    return std::nullopt;
  }
  // The mean over the grid by Simpson's rule in both directions.
  constexpr std::array<double, 9> kWeights = {1, 4, 1, 4, 16, 4, 1, 4, 1};
  return std::inner_product(kWeights.begin(), kWeights.end(), scale->areas.begin(), 0.0) / 36;
}

GridText grid_text(const RasterGrid& grid) {
  GridText text{crs_title(grid.crs), ""};
  if (grid.geotransform) {
    const std::array<double, 6>& g = *grid.geotransform;
    text.pixel_size = CPLSPrintf("%.10g x %.10g", std::hypot(g[1], g[4]), std::hypot(g[2], g[5]));
    if (!grid.crs.empty()) {
      const OGRSpatialReference reference = spatial_reference(grid.crs);
      const char* unit = "";
      (void)(reference.IsGeographic() != 0 ? reference.GetAngularUnits(&unit) : reference.GetLinearUnits(&unit));
      text.pixel_size += std::string(" ") + unit;
    }
  }
  return text;
}

PixelPositions pixel_positions(const RasterGrid& grid, const std::vector<std::int64_t>& pixels) {
  return pixel_positions({{grid, pixels}}, 0);
}

// The side of a square of the area of the middle pixel, measured from its centre to those of two neighbours. In degrees
// the size of pixels varies over a scene, and the middle represents it best.
std::optional<double> pixel_metres(const RasterGrid& grid) {
  const std::int64_t middle = grid.height / 2 * grid.width + grid.width / 2;
  // Neighbours of the middle on the side where there are any.
  const std::int64_t beside = grid.width > 1 ? middle - 1 : middle;
  const std::int64_t above = grid.height > 1 ? middle - grid.width : middle;
  const PixelPositions positions = pixel_positions(grid, {middle, beside, above});
  if (!positions.metres) {
    return std::nullopt;
  }
  const double width = (positions.points.row(1) - positions.points.row(0)).norm();
  const double height = (positions.points.row(2) - positions.points.row(0)).norm();
  const double side = width > 0 && height > 0 ? std::sqrt(width * height) : std::max(width, height);
  return side > 0 ? std::optional(side) : std::nullopt;
}

PixelPositions pixel_positions(const std::vector<GridPixels>& parts, double apart) {
  PixelPositions positions;
  positions.metres = std::ranges::all_of(parts, [](const auto& part) { return has_place(part.grid); });
  positions.points.resize(total(parts, [](const GridPixels& part) { return std::ssize(part.pixels); }), 2);
  // Without places on the ground, the grids are put below each other, `apart` rows from one to the next, so that pixels
  // of different scenes are never near each other.
  const bool one_plane = positions.metres && share_plane(parts);
  Index first = 0;
  double top = 0;
  for (const GridPixels& part : parts) {
    Matrix points = centres_of(part.grid, part.pixels, positions.metres);
    if (one_plane) {
      points *= spatial_reference(part.grid.crs).GetLinearUnits();
    } else if (positions.metres) {
      to_plane_about(parts.front().grid, part.grid, points);
    } else {
      points.col(1).array() += top;
      top += static_cast<double>(part.grid.height) + apart;
    }
    positions.points.middleRows(first, points.rows()) = points;
    first += points.rows();
  }
  return positions;
}

std::vector<std::optional<GroundCell>> ground_cells(const std::vector<GridPixels>& parts) {
  // The cells are the pixels of the grid with the largest pixels, continued beyond its borders: pixels of a finer grid
  // then lie in one cell each, and pixels of one grid in cells of their own.
  const RasterGrid* coarsest = nullptr;
  double largest = 0;
  for (const GridPixels& part : parts) {
    const std::optional<GroundScale> scale = has_place(part.grid) ? ground_scale(part.grid) : std::nullopt;
    if (scale && scale->areas[4] > largest) {
      largest = scale->areas[4];
      coarsest = &part.grid;
    }
  }
  std::vector<std::optional<GroundCell>> cells;
  for (const GridPixels& part : parts) {
    const std::size_t first = cells.size();
    cells.resize(first + part.pixels.size());
    std::array<double, 6> inverse{};
    if (coarsest == nullptr || !has_place(part.grid) ||
        GDALInvGeoTransform(std::array(*coarsest->geotransform).data(), inverse.data()) == 0) {
      continue;
    }
    Matrix points = centres_of(part.grid, part.pixels, true);
    try {
      transform_points(part.grid.crs, coarsest->crs, points);
    } catch (const DataError&) {
      continue;  // as between a local system and another
    }
    for (std::size_t i = 0; i < part.pixels.size(); ++i) {
      double column = points(static_cast<Index>(i), 0);
      double row = points(static_cast<Index>(i), 1);
      GDALApplyGeoTransform(inverse.data(), column, row, &column, &row);
      constexpr double kMost = std::int64_t{1} << 30;
      if (part.pixels[i] >= 0 && std::abs(column) < kMost && std::abs(row) < kMost) {
        cells[first + i] = {
            {}, static_cast<std::int32_t>(std::floor(row)), static_cast<std::int32_t>(std::floor(column))};
      }
    }
  }
  return cells;
}

void transform_points(const std::string& from, const std::string& to, Matrix& points) {
  if (from.empty() || to.empty() || points.rows() == 0 || same_crs(from, to)) {
    return;
  }
  transform(spatial_reference(from), spatial_reference(to), points,
            "points in " + crs_title(from) + " cannot be brought to " + crs_title(to));
}

std::vector<std::int64_t> pixels_on_grid(const RasterGrid& grid, const std::vector<std::int64_t>& pixels,
                                         const RasterGrid& target) {
  Matrix points = centres_of(grid, pixels, true);
  transform_points(grid.crs, target.crs, points);
  const std::array<double, 6>& g = *target.geotransform;
  const Eigen::Matrix2d inverse = (Eigen::Matrix2d() << g[1], g[2], g[4], g[5]).finished().inverse();
  std::set<std::int64_t> found;
  for (Index i = 0; i < points.rows(); ++i) {
    const Eigen::Vector2d place = inverse * Eigen::Vector2d(points(i, 0) - g[0], points(i, 1) - g[3]);
    if (place.minCoeff() >= 0 && place(0) < static_cast<double>(target.width) &&
        place(1) < static_cast<double>(target.height)) {
      found.insert(static_cast<std::int64_t>(place(1)) * target.width + static_cast<std::int64_t>(place(0)));
    }
  }
  return {found.begin(), found.end()};
}

bool same_crs(const std::string& first, const std::string& second) {
  if (first == second) {
    return true;
  }
  const OGRSpatialReference a = spatial_reference(first);
  const OGRSpatialReference b = spatial_reference(second);
  // The realisation of the datum is a matter of metres at most, and one side often does not have it.
  const std::array<const char*, 4> options{"IGNORE_DATA_AXIS_TO_SRS_AXIS_MAPPING=YES",
                                           "CRITERION=EQUIVALENT_EXCEPT_AXIS_ORDER_GEOGCRS",
                                           "IGNORE_COORDINATE_EPOCH=YES", nullptr};
  return a.IsSame(&b, options.data()) != 0;
}

std::string crs_title(const std::string& wkt) {
  if (wkt.empty()) {
    return "no CRS";
  }
  // Such as "EPSG:32633 (WGS 84 / UTM zone 33N)", or the name alone for systems without a code.
  const OGRSpatialReference reference = spatial_reference(wkt);
  const char* name = reference.GetName();
  const char* authority = reference.GetAuthorityName(nullptr);
  const char* code = reference.GetAuthorityCode(nullptr);
  const std::string title = name != nullptr ? name : "unnamed CRS";
  return authority != nullptr && code != nullptr ? std::string(authority) + ":" + code + " (" + title + ")" : title;
}

}  // namespace parsimap
