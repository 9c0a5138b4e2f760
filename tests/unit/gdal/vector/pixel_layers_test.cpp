#include <cpl_minixml.h>
#include <doctest/doctest.h>
#include <ogrsf_frmts.h>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/vector/labels.hpp"
#include "parsimap/gdal/vector/vector_output.hpp"

#include "gdal/vector/vector_layers.hpp"
#include "unit/gdal/raster/raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

std::vector<PixelLayer> two_layers() {
  const GradedStyle style{"Shares", "\"share\"", {{0, 1, "all", "1,2,3,255"}}};
  // An L of three pixels and a pixel that touches it at a corner alone, in a grid that is 10 wide.
  PixelLayer areas{"areas",
                   PixelGeometry::outline,
                   {{"class", FieldKind::text}, {"share", FieldKind::real}, {"id", FieldKind::integer}},
                   {{{12, 22, 23, 34}, {"oak", 0.25, std::int64_t{7}}}, {{55}, {"elm", 0.5, FieldValue()}}},
                   style};
  PixelLayer points{"points", PixelGeometry::centre, {{"class", FieldKind::text}}, {{{34}, {"oak"}}}, style};
  return {areas, points};
}

void write_two_layers(const std::string& path, const RasterGrid& grid) {
  OutputSet outputs(true);
  write_pixel_layers(stage_pixel_layers(outputs, "--suspects", path), grid, two_layers());
  outputs.publish();
}

}  // namespace

TEST_CASE("outlines hold the pixels that they were made of, and no others") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.gpkg");
  RasterGrid bare = utm_grid(10, 10);
  bare.geotransform.reset();
  bare.crs.clear();
  for (const RasterGrid& grid : {utm_grid(10, 10), bare}) {
    write_two_layers(path, grid);
    LabelOptions options{"class", std::nullopt};
    options.layer = "areas";
    const LabelledPixels labels = read_labels(path, options, grid, "s");
    REQUIRE(labels.pixels.size() == 5);
    std::vector<std::int64_t> oak;
    for (const LabelledPixel& pixel : labels.pixels) {
      if (labels.classes[static_cast<std::size_t>(pixel.label)].name == "oak") {
        oak.push_back(pixel.pixel);
      }
    }
    CHECK(oak == std::vector<std::int64_t>{12, 22, 23, 34});
  }
}

TEST_CASE("a file of layers holds values, points and the styles that QGIS looks for, and is the same each time") {
  const TemporaryFolder folder;
  write_two_layers(folder.file("a.gpkg"), utm_grid(10, 10));
  write_two_layers(folder.file("b.gpkg"), utm_grid(10, 10));
  CHECK(file_content(folder.file("a.gpkg")) == file_content(folder.file("b.gpkg")));
  const DatasetPtr dataset(GDALDataset::Open(folder.file("a.gpkg").c_str(), GDAL_OF_VECTOR));
  REQUIRE(dataset != nullptr);
  OGRLayer& areas = *dataset->GetLayerByName("areas");
  CHECK(std::string(areas.GetSpatialRef()->GetAuthorityCode(nullptr)) == "32617");
  const OGRFeatureUniquePtr first(areas.GetNextFeature());
  CHECK(first->GetGeometryRef()->toMultiPolygon()->getNumGeometries() == 2);
  CHECK(first->GetFieldAsInteger64("id") == 7);
  CHECK(first->GetFieldAsDouble("share") == 0.25);
  const OGRFeatureUniquePtr second(areas.GetNextFeature());
  CHECK_FALSE(second->IsFieldSetAndNotNull(second->GetFieldIndex("id")));
  const OGRFeatureUniquePtr point(dataset->GetLayerByName("points")->GetNextFeature());
  CHECK(point->GetGeometryRef()->toPoint()->getX() == 500004.5);
  OGRLayer& styles = *dataset->GetLayerByName("layer_styles");
  CHECK(styles.GetFeatureCount() == 2);
  const OGRFeatureUniquePtr style(styles.GetNextFeature());
  CHECK(std::string(style->GetFieldAsString("f_table_name")) == "areas");
  CHECK(std::string(style->GetFieldAsString("f_geometry_column")) == areas.GetGeometryColumn());
  CHECK(std::string(style->GetFieldAsString("styleQML")).find("graduatedSymbol") != std::string::npos);
  CHECK(style->GetFieldAsInteger("useAsDefault") == 1);
  // QGIS asks for an empty schema, not for none.
  CHECK(style->IsFieldSetAndNotNull(style->GetFieldIndex("f_table_schema")));
}

TEST_CASE("layers go to a GeoPackage alone") {
  const TemporaryFolder folder;
  OutputSet outputs(false);
  CHECK_THROWS_WITH_AS(stage_pixel_layers(outputs, "--suspects", folder.file("a.geojson")),
                       doctest::Contains("does not end in .gpkg"), ConfigError);
}

TEST_CASE("a style has a symbol for each step, and texts are escaped") {
  GradedStyle style{"s", "\"a\" < 2", {{0, 0.5, "low & first", "1,2,3,4"}, {0.5, 1, "<b>", "5,6,7,8"}}};
  for (const PixelGeometry geometry : {PixelGeometry::outline, PixelGeometry::centre}) {
    const std::string text = graded_style_document(style, geometry);
    const CPLXMLTreeCloser tree(CPLParseXMLString(text.c_str()));
    REQUIRE(tree.get() != nullptr);
    const CPLXMLNode* renderer = CPLGetXMLNode(tree.get(), "=qgis.renderer-v2");
    REQUIRE(renderer != nullptr);
    CHECK(std::string(CPLGetXMLValue(renderer, "attr", "")) == "\"a\" < 2");
    const CPLXMLNode* range = CPLGetXMLNode(renderer, "ranges.range");
    CHECK(std::string(CPLGetXMLValue(range, "label", "")) == "low & first");
    CHECK(std::string(CPLGetXMLValue(range, "upper", "")) == "0.5");
    CHECK(std::string(CPLGetXMLValue(range->psNext, "symbol", "")) == "1");
    const CPLXMLNode* symbol = CPLGetXMLNode(renderer, "symbols.symbol");
    CHECK(std::string(CPLGetXMLValue(symbol, "type", "")) == (geometry == PixelGeometry::outline ? "fill" : "marker"));
    CHECK(text.find("5,6,7,8") != std::string::npos);
  }
  // QGIS offers a list of values for a field.
  style.choice_field = "class";
  style.choices = {"oak", "salt & marsh"};
  const CPLXMLTreeCloser tree(CPLParseXMLString(graded_style_document(style, PixelGeometry::centre).c_str()));
  CHECK(std::string(CPLGetXMLValue(tree.get(), "=qgis.styleCategories", "")) == "Symbology|Forms");
  const CPLXMLNode* field = CPLGetXMLNode(tree.get(), "=qgis.fieldConfiguration.field");
  CHECK(std::string(CPLGetXMLValue(field, "name", "")) == "class");
  CHECK(std::string(CPLGetXMLValue(field, "editWidget.type", "")) == "ValueMap");
  const CPLXMLNode* list = CPLGetXMLNode(field, "editWidget.config.Option.Option");
  REQUIRE(list != nullptr);
  CHECK(std::string(CPLGetXMLValue(list, "Option.Option.name", "")) == "<NULL>");
  const CPLXMLNode* last = list->psChild;
  while (last->psNext != nullptr) {
    last = last->psNext;
  }
  CHECK(std::string(CPLGetXMLValue(last, "Option.value", "")) == "salt & marsh");
}
