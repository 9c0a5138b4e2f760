#include "parsimap/gdal/vector/class_polygons.hpp"

#include <gdal_alg.h>
#include <ogrsf_frmts.h>

#include <array>
#include <cmath>
#include <map>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/vector/vector_output.hpp"
#include "parsimap/samples/class_colours.hpp"

#include "../raster/dataset.hpp"
#include "vector_layers.hpp"

namespace parsimap {

// Areas hang together over edges, as regions of labels do.
constexpr int kEdges = 4;

static GradedStyle style_of(const ClassTable& classes) {
  const std::vector<Colour> colours = class_colours(classes);
  GradedStyle style{"classes", "code", {}};
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const auto& [red, green, blue] = colours[c];
    style.steps.push_back({static_cast<double>(classes[c].code), static_cast<double>(classes[c].code), classes[c].name,
                           std::to_string(red) + "," + std::to_string(green) + "," + std::to_string(blue) + ",255"});
  }
  return style;
}

// The same codes without small areas, in memory.
static DatasetPtr sieved(GDALDataset& map, Index least_pixels) {
  GDALRasterBand& band = *map.GetRasterBand(1);
  DatasetPtr result(GetGDALDriverManager()->GetDriverByName("MEM")->CreateCopy("", &map, 0, nullptr, nullptr, nullptr));
  if (result != nullptr &&
      GDALSieveFilter(&band, band.GetMaskBand(), result->GetRasterBand(1), static_cast<int>(least_pixels), kEdges,
                      nullptr, nullptr, nullptr) != CE_None) {
    result.reset();
  }
  return result;
}

void write_class_polygons(const StagedOutput& output, const std::string& map, const ClassTable& classes,
                          Index least_pixels) {
  const ErrorCollector errors;
  const auto require = [&](bool succeeded) {
    if (!succeeded) {
      throw IoError("the polygons of " + output.target + " cannot be traced: " + errors.text());
    }
  };
  DatasetPtr raster = open_raster(map);
  const RasterGrid grid = grid_of(*raster);
  if (least_pixels > 1) {
    raster = sieved(*raster, least_pixels);
    require(raster != nullptr);
  }
  const DatasetPtr areas(GetGDALDriverManager()->GetDriverByName("Memory")->Create("", 0, 0, 0, GDT_Unknown, nullptr));
  OGRLayer* traced = areas != nullptr ? areas->CreateLayer("areas", nullptr, wkbPolygon, nullptr) : nullptr;
  OGRFieldDefn code("code", OFTInteger);
  require(traced != nullptr && traced->CreateField(&code) == OGRERR_NONE);
  GDALRasterBand* band = raster->GetRasterBand(1);
  require(GDALPolygonize(band, band->GetMaskBand(), traced, 0, nullptr, nullptr, nullptr) == CE_None);

  std::map<int, std::string> names;
  std::ranges::for_each(classes, [&](const ClassEntry& entry) { names[entry.code] = entry.name; });
  const std::array<double, 6> to_map = grid.geotransform.value_or(std::array<double, 6>{0, 1, 0, 0, 0, 1});
  const double pixel = std::abs(to_map[1] * to_map[5] - to_map[2] * to_map[4]);
  const PixelLayer layer{"classes",
                         PixelGeometry::outline,
                         {{"class", FieldKind::text}, {"code", FieldKind::integer}, {"pixels", FieldKind::integer}},
                         {},
                         style_of(classes)};
  VectorFile file(output, map_crs(grid));
  file.begin_layer(layer.name, wkbPolygon, layer.fields);
  for (const auto& feature : *traced) {
    const int value = feature->GetFieldAsInteger(0);
    const OGRPolygon& shape = *feature->GetGeometryRef()->toPolygon();
    file.add(&shape, {names[value], std::int64_t{value}, std::int64_t{std::llround(shape.get_Area() / pixel)}});
  }
  add_styles({layer}, file);
  file.close();
}

}  // namespace parsimap
