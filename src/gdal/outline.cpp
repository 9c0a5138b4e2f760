#include "outline.hpp"

#include <gdal_alg.h>
#include <ogrsf_frmts.h>

#include <array>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/settings.hpp"

#include "dataset.hpp"

namespace parsimap {

OGRMultiPolygon outline_of(std::vector<std::uint8_t> mask, const Window& window, const RasterGrid& grid) {
  initialise_gdal();
  const ErrorCollector errors;
  GDALDriverManager& drivers = *GetGDALDriverManager();
  const int width = static_cast<int>(window.width);
  const int height = static_cast<int>(window.height);
  const DatasetPtr raster(drivers.GetDriverByName("MEM")->Create("", width, height, 1, GDT_Byte, nullptr));
  const DatasetPtr vector(drivers.GetDriverByName("Memory")->Create("", 0, 0, 0, GDT_Unknown, nullptr));
  std::array<double, 6> transform = grid.geotransform.value_or(std::array<double, 6>{0, 1, 0, 0, 0, 1});
  const std::array<double, 2> corner =
      map_point(grid, static_cast<double>(window.column), static_cast<double>(window.row));
  transform[0] = corner[0];
  transform[3] = corner[1];
  OGRLayer* layer = vector != nullptr ? vector->CreateLayer("outline", nullptr, wkbPolygon, nullptr) : nullptr;
  GDALRasterBand* band = raster != nullptr ? raster->GetRasterBand(1) : nullptr;
  if (layer == nullptr || band == nullptr || raster->SetGeoTransform(transform.data()) != CE_None ||
      band->RasterIO(GF_Write, 0, 0, width, height, mask.data(), width, height, GDT_Byte, 0, 0, nullptr) != CE_None ||
      GDALPolygonize(band, band, layer, -1, nullptr, nullptr, nullptr) != CE_None) {
    throw IoError("the outline of pixels cannot be traced: " + errors.text());
  }
  OGRMultiPolygon polygons;
  for (const auto& feature : *layer) {
    polygons.addGeometry(feature->GetGeometryRef());
  }
  return polygons;
}

OGRFieldType field_type(FieldKind kind) {
  switch (kind) {
    case FieldKind::integer:
      return OFTInteger64;
    case FieldKind::real:
      return OFTReal;
    case FieldKind::text:
      break;
  }
  return OFTString;
}

}  // namespace parsimap
