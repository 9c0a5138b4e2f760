#include "parsimap/io/gdal/pixel_positions.hpp"

#include <ogr_spatialref.h>

#include <memory>

#include "parsimap/core/error.hpp"

#include "dataset.hpp"
#include "map_point.hpp"

namespace parsimap {

namespace {

// Degrees of longitude and latitude -> metres about `centre`, in place.
void project(const OGRSpatialReference& reference, const std::array<double, 2>& centre, Matrix& points) {
  OGRSpatialReference local;
  OGRSpatialReference geographic = reference;
  const gdal::ErrorCollector errors;
  const double semi_major = geographic.GetSemiMajor();
  const double inverse_flattening = geographic.GetInvFlattening();
  local.SetGeogCS("local", "local", "local", semi_major, inverse_flattening);
  local.SetAE(centre[1], centre[0], 0, 0);
  local.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  const std::unique_ptr<OGRCoordinateTransformation> transformation(
      OGRCreateCoordinateTransformation(&geographic, &local));
  const auto count = static_cast<int>(points.rows());
  if (transformation == nullptr || transformation->Transform(count, points.col(0).data(), points.col(1).data()) == 0) {
    throw DataError("distances in " + gdal::crs_title(gdal::wkt_of(&reference)) +
                    " cannot be measured in metres: " + errors.text());
  }
}

}  // namespace

PixelPositions pixel_positions(const RasterGrid& grid, const std::vector<std::int64_t>& pixels) {
  PixelPositions positions;
  positions.points.resize(static_cast<Index>(pixels.size()), 2);
  positions.metres = grid.geotransform.has_value() && !grid.crs.empty();
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const auto column = static_cast<double>(pixels[i] % grid.width);
    const auto row = static_cast<double>(pixels[i] / grid.width);
    const std::array<double, 2> point =
        positions.metres ? gdal::map_point(grid, column + 0.5, row + 0.5) : std::array<double, 2>{column, row};
    positions.points.row(static_cast<Index>(i)) << point[0], point[1];
  }
  if (positions.metres) {
    const OGRSpatialReference reference = gdal::spatial_reference(grid.crs);
    if (reference.IsGeographic() != 0) {
      project(reference,
              gdal::map_point(grid, static_cast<double>(grid.width) / 2, static_cast<double>(grid.height) / 2),
              positions.points);
    } else if (reference.IsProjected() != 0 || reference.IsLocal() != 0) {
      positions.points *= reference.GetLinearUnits();
    } else {
      throw DataError("distances in " + gdal::crs_title(grid.crs) + " cannot be measured in metres");
    }
  }
  return positions;
}

}  // namespace parsimap
