#include "parsimap/gdal/vector/vector_output.hpp"

#include <cpl_minixml.h>
#include <cpl_vsi.h>
#include <doctest/doctest.h>
#include <ogrsf_frmts.h>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/vector/labels.hpp"

#include "gdal/vector/vector_layers.hpp"
#include "support/single_output.hpp"
#include "support/write_limit.hpp"
#include "unit/core/temporary_folder.hpp"
#include "unit/gdal/raster/raster_fixture.hpp"

namespace parsimap::test {

using Names = std::vector<std::string>;

namespace {

const std::vector<VectorField> fields = {
    {"id", FieldKind::integer}, {"label", FieldKind::text}, {"p", FieldKind::real}};

void write_two(PixelSink& sink) {
  sink.add(0, {std::int64_t{7}, std::string("oak, \"red\""), 0.25});
  sink.add(12, {std::int64_t{5'000'000'000}, std::monostate(), std::monostate()});
  sink.close();
}

Names layer_names(const std::string& path) {
  const DatasetPtr dataset(GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR));
  REQUIRE(dataset != nullptr);
  Names names;
  for (OGRLayer* layer : dataset->GetLayers()) {
    names.emplace_back(layer->GetName());
  }
  return names;
}

}  // namespace

TEST_CASE("a table has the centres of the pixels in front, and nothing where there is no value") {
  const TemporaryFolder folder;
  SingleVector single(folder.file("a.csv"));
  const auto sink = create_features(single.staged, utm_grid(10, 10), PixelGeometry::centre, fields);
  write_two(*sink);
  CHECK(folder.names() != Names{"a.csv"});
  single.outputs.publish();
  CHECK(folder.names() == Names{"a.csv"});
  CHECK(file_content(folder.file("a.csv")) ==
        "X,Y,id,label,p\r\n500000.5,3999999.5,7,\"oak, \"\"red\"\"\",0.25\r\n500002.5,3999998.5,5000000000,,\r\n");
}

TEST_CASE("points are labels of the pixels they were made from, georeferenced or not") {
  const TemporaryFolder folder;
  RasterGrid bare = utm_grid(10, 10);
  bare.geotransform.reset();
  bare.crs.clear();
  for (const RasterGrid& grid : {utm_grid(10, 10), bare}) {
    const std::string path = folder.file(grid.crs.empty() ? "bare.gpkg" : "utm.gpkg");
    SingleVector single(path);
    const auto sink = create_features(single.staged, grid, PixelGeometry::centre, fields);
    write_two(*sink);
    single.outputs.publish();
    const LabelledPixels labels = read_labels(path, {"label", std::nullopt}, grid, "s");
    CHECK(labels.classes == ClassTable{{1, "oak, \"red\"", {}}});
    REQUIRE(labels.pixels.size() == 1);
    CHECK(labels.pixels[0].pixel == 0);
  }
}

TEST_CASE("shapefiles hold names in every alphabet") {
  const TemporaryFolder folder;
  SingleVector single(folder.file("a.shp"));
  const auto sink =
      create_features(single.staged, utm_grid(10, 10), PixelGeometry::centre, {{"class", FieldKind::text}});
  sink->add(0, {std::string("草地")});
  sink->add(12, {std::string("森林")});
  sink->close();
  single.outputs.publish();
  const LabelledPixels labels =
      read_labels(folder.file("a.shp"), {"class", std::nullopt}, utm_grid(10, 10), "scene.tif");
  CHECK(class_names(labels.classes) == Names{"森林", "草地"});
  std::filesystem::remove(folder.file("a.dbf"));
  CHECK(contains(message_of<DataError>([&] {
                   read_labels(folder.file("a.shp"), {"class", std::nullopt}, utm_grid(10, 10), "scene.tif");
                 }),
                 "has no attribute field; those of a shapefile are in the file .dbf beside it"));
}

TEST_CASE("names that a shapefile would cut are refused") {
  const TemporaryFolder folder;
  for (const std::string& name : {std::string(255, 'a'), std::string(254, 'a')}) {
    SingleVector single(folder.file("a.shp"));
    const auto sink =
        create_features(single.staged, utm_grid(10, 10), PixelGeometry::centre, {{"class", FieldKind::text}});
    if (name.size() > 254) {
      const std::string message = message_of<IoError>([&] { sink->add(0, {name}); });
      CHECK(contains(message, "a.shp' cannot be written: "));
      CHECK(contains(message, "of field class has been truncated to 254"));
    } else {
      CHECK_NOTHROW(sink->add(0, {name}));
    }
  }
}

TEST_CASE("a GeoPackage has a layer of points in the grid's reference system") {
  const TemporaryFolder folder;
  SingleVector single(folder.file("points.gpkg"));
  const auto sink = create_features(single.staged, utm_grid(10, 10), PixelGeometry::centre, fields);
  write_two(*sink);
  single.outputs.publish();
  CHECK(folder.names() == Names{"points.gpkg"});
  const DatasetPtr dataset(GDALDataset::Open(folder.file("points.gpkg").c_str(), GDAL_OF_VECTOR));
  REQUIRE(dataset != nullptr);
  OGRLayer& layer = *dataset->GetLayer(0);
  CHECK(layer.GetFeatureCount() == 2);
  CHECK(layer.GetGeomType() == wkbPoint);
  CHECK(std::string(layer.GetSpatialRef()->GetAuthorityCode(nullptr)) == "32617");
  const OGRFeatureUniquePtr first(layer.GetNextFeature());
  CHECK(first->GetGeometryRef()->toPoint()->getX() == 500000.5);
  CHECK(std::string(first->GetFieldAsString("label")) == "oak, \"red\"");
  CHECK(first->GetFieldAsDouble("p") == 0.25);
  const OGRFeatureUniquePtr second(layer.GetNextFeature());
  CHECK(second->GetFieldAsInteger64("id") == 5'000'000'000);
  CHECK_FALSE(second->IsFieldSetAndNotNull(second->GetFieldIndex("label")));
}

TEST_CASE("points that do not fit on the disk are an IoError and leave nothing behind") {
  const TemporaryFolder folder;
  for (const char* name : {"a.csv", "a.gpkg", "a.geojson", "a.shp", "a.fgb"}) {
    const std::string path = folder.file(name);
    const auto write_many = [&] {
      SingleVector single(path);
      const auto sink = create_features(single.staged, utm_grid(100, 100), PixelGeometry::centre, fields);
      for (std::int64_t pixel = 0; pixel < 10000; ++pixel) {
        sink->add(pixel, {pixel, std::string("oak"), 0.125});
      }
      sink->close();
      single.outputs.publish();
    };
    for (const rlim_t bytes : {10U, 5000U, 200000U}) {
      CAPTURE(name);
      CAPTURE(bytes);
      CHECK(with_limit(path, bytes, write_many) == 0);
      CHECK(folder.names().empty());
    }
  }
}

TEST_CASE("equal points give equal files") {
  const TemporaryFolder folder;
  for (const char* name : {"a.gpkg", "b/a.gpkg"}) {
    std::filesystem::create_directories(folder.file("b"));
    SingleVector single(folder.file(name));
    const auto sink = create_features(single.staged, utm_grid(10, 10), PixelGeometry::centre, fields);
    write_two(*sink);
    single.outputs.publish();
  }
  CHECK(file_content(folder.file("a.gpkg")) == file_content(folder.file("b/a.gpkg")));
}

TEST_CASE("nothing of an earlier layer is read with a new one") {
  const TemporaryFolder folder;
  for (const auto& names : {std::pair{"a.gpkg", "a.gpkg-wal"}, {"b.shp", "b.qix"}}) {
    const std::string name = folder.file(names.first);
    const std::string left = folder.file(names.second);
    CAPTURE(name);
    write_file(name, "earlier");
    write_file(left, "earlier");
    SingleVector single(name, true);
    write_two(*create_features(single.staged, utm_grid(10, 10), PixelGeometry::centre, fields));
    single.outputs.publish();
    CHECK(std::filesystem::exists(name));
    CHECK_FALSE(std::filesystem::exists(left));
  }
}

TEST_CASE("what is not published leaves nothing, and targets are checked before") {
  const TemporaryFolder folder;
  const auto refused = [](const std::string& path) {
    return message_of<ConfigError>([&] { const SingleVector single(path); });
  };
  {
    const SingleVector single(folder.file("a.gpkg"));
    write_two(*create_features(single.staged, utm_grid(10, 10), PixelGeometry::centre, fields));
  }
  CHECK(folder.names().empty());
  CHECK(contains(refused(folder.file("a.xyz5")), "not that of a vector format"));
  write_file(folder.file("a.csv"), "mine");
  write_file(folder.file("b.dbf"), "of another layer");
  CHECK(contains(refused(folder.file("a.csv")), "--overwrite"));
  CHECK(contains(refused(folder.file("b.shp")), "b.dbf"));
  CHECK_NOTHROW(SingleVector(folder.file("a.csv"), true));
}

namespace {

ClassPolygon square(double column, double row, double size, const std::string& name, const std::string& split) {
  const double x = 500000 + column;
  const double y = 4000000 - row;
  return {{{x, y}, {x + size, y}, {x + size, y - size}, {x, y - size}, {x, y}}, name, split};
}

const std::vector<ClassPolygon> squares{square(0, 0, 3, "oak", "train"), square(5, 5, 2, "pine", "train"),
                                        square(5, 0, 4, "oak", "test")};

void write_classes(const std::string& path, const std::string& crs, const std::string& field,
                   const std::vector<ClassPolygon>& polygons, bool overwrite = false) {
  SingleVector single(path, overwrite);
  write_polygons(single.staged, crs, field, polygons);
  single.outputs.publish();
}

}  // namespace

TEST_CASE("written polygons are labels again") {
  const TemporaryFolder folder;
  for (const char* name : {"a.gpkg", "a.geojson", "a.shp"}) {
    const std::string path = folder.file(name);
    write_classes(path, wkt(32617), "species", squares);
    CAPTURE(path);
    const LabelledPixels labels = read_labels(path, {"species", "split = 'train'"}, utm_grid(10, 10), "s");
    CHECK(labels.classes == ClassTable{{1, "oak", {}}, {2, "pine", {}}});
    CHECK(labels.pixels.size() == 13);
    CHECK(labels.conflicting == 0);
    CHECK(read_labels(path, {"species", std::nullopt}, utm_grid(10, 10), "s").pixels.size() == 29);
  }
}

TEST_CASE("polygons without CRS, and refusals that leave nothing") {
  const TemporaryFolder folder;
  write_classes(folder.file("a.gpkg"), "", "species", squares);
  CHECK(read_labels(folder.file("a.gpkg"), {"species", std::nullopt}, utm_grid(10, 10), "s").pixels.size() == 29);
  CHECK(contains(message_of<ConfigError>([&] { write_classes(folder.file("a.gpkg"), "", "x", squares); }),
                 "exists; use --overwrite"));
  write_classes(folder.file("a.gpkg"), "", "x", {squares[0]}, true);
  CHECK(read_labels(folder.file("a.gpkg"), {"x", std::nullopt}, utm_grid(10, 10), "s").pixels.size() == 9);
  CHECK(contains(message_of<ConfigError>([&] { write_classes(folder.file("a.txt5"), "", "x", squares); }),
                 "not that of a vector format"));
  CHECK(folder.names() == Names{"a.gpkg"});
}

TEST_CASE("an outline goes along the edges of its pixels, in as many parts as these have areas") {
  const TemporaryFolder folder;
  const RasterGrid grid = utm_grid(10, 10);
  SingleVector single(folder.file("outlines.gpkg"));
  const auto sink = create_features(single.staged, grid, PixelGeometry::outline, fields);
  // An area of eight pixels with a hole, and a pixel by itself.
  sink->add_outline({2, 3, 5, 3},
                    {1, 1, 1, 0, 1,  //
                     1, 0, 1, 0, 0,  //
                     1, 1, 1, 0, 0},
                    {std::int64_t{4}, std::string("oak"), 0.5});
  sink->close();
  single.outputs.publish();
  const DatasetPtr dataset(GDALDataset::Open(folder.file("outlines.gpkg").c_str(), GDAL_OF_VECTOR));
  REQUIRE(dataset != nullptr);
  OGRLayer& layer = *dataset->GetLayer(0);
  CHECK(same_crs(wkt_of(layer.GetSpatialRef()), grid.crs));
  REQUIRE(layer.GetFeatureCount() == 1);
  const OGRFeatureUniquePtr feature(layer.GetNextFeature());
  CHECK(feature->GetFieldAsInteger64("id") == 4);
  CHECK(std::string(feature->GetFieldAsString("label")) == "oak");
  const OGRMultiPolygon& shape = *feature->GetGeometryRef()->toMultiPolygon();
  CHECK(shape.getNumGeometries() == 2);
  const double pixel = std::abs((*grid.geotransform)[1] * (*grid.geotransform)[5]);
  CHECK(shape.get_Area() == doctest::Approx(9 * pixel));
  OGREnvelope envelope;
  shape.getEnvelope(&envelope);
  CHECK(envelope.MinX == map_point(grid, 2, 3)[0]);
  CHECK(envelope.MaxX == map_point(grid, 7, 3)[0]);
  CHECK(envelope.MaxY == map_point(grid, 2, 3)[1]);
  CHECK(envelope.MinY == map_point(grid, 2, 6)[1]);
}

TEST_CASE("an outline has the area of its pixels and a part for each area, which corners do not join") {
  const RasterGrid grid = utm_grid(20, 20);
  const double pixel = std::abs((*grid.geotransform)[1] * (*grid.geotransform)[5]);
  const OGRMultiPolygon ring = outline_of({1, 1, 1,  //
                                           1, 0, 1,  //
                                           1, 1, 1},
                                          {4, 5, 3, 3}, grid);
  REQUIRE(ring.getNumGeometries() == 1);
  CHECK(ring.getGeometryRef(0)->getNumInteriorRings() == 1);
  CHECK(ring.get_Area() == doctest::Approx(8 * pixel));
  const OGRMultiPolygon corners = outline_of({1, 0,  //
                                              0, 1},
                                             {0, 0, 2, 2}, grid);
  CHECK(corners.getNumGeometries() == 2);
  OGREnvelope envelope;
  corners.getEnvelope(&envelope);
  CHECK(envelope.MinX == map_point(grid, 0, 0)[0]);
  CHECK(envelope.MinY == map_point(grid, 2, 2)[1]);
  CHECK(outline_of({0, 0}, {0, 0, 2, 1}, grid).getNumGeometries() == 0);
}

TEST_CASE("a file in memory is copied to disk, and goes with its object") {
  const TemporaryFolder folder;
  std::string name;
  {
    const MemoryFile file("a");
    const MemoryFile other("a");
    name = file.path();
    CHECK(name != other.path());
    CHECK_FALSE(file.copy_to(folder.file("missing")));
    VSILFILE* opened = VSIFOpenL(name.c_str(), "wb");
    VSIFWriteL("abc", 1, 3, opened);
    VSIFCloseL(opened);
    CHECK(file.copy_to(folder.file("copy")));
    CHECK_FALSE(file.copy_to(folder.file("no/such/folder")));
  }
  CHECK(file_content(folder.file("copy")) == "abc");
  VSIStatBufL status;
  CHECK(VSIStatL(name.c_str(), &status) != 0);
}

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

TEST_CASE("layers of files whose names begin with a sign are called without it, and so are their styles") {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::string>> names{
      {"(1) samples", "1) samples"}, {"-x", "x"}, {"#a", "a"}, {".x", "x"}, {"-", "layer"}, {"a-b", "a-b"}};
  for (const auto& entry : names) {
    const std::string& file = entry.first;
    const std::string& layer = entry.second;
    CAPTURE(file);
    const std::string path = folder.file(file + ".gpkg");
    {
      SingleVector single(path);
      write_two(*create_features(single.staged, utm_grid(10, 10), PixelGeometry::centre, fields));
      single.outputs.publish();
    }
    CHECK(layer_names(path) == Names{layer});
    OutputSet outputs(true);
    const StagedOutput& staged = stage_pixel_layers(outputs, "--out", path);
    write_pixel_layers(staged, utm_grid(10, 10), {{file, PixelGeometry::centre, fields, {}, {}}});
    outputs.publish();
    CHECK(layer_names(path) == Names{layer, "layer_styles"});
    const DatasetPtr dataset(GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR));
    const OGRFeatureUniquePtr style(dataset->GetLayerByName("layer_styles")->GetNextFeature());
    CHECK(std::string(style->GetFieldAsString("f_table_name")) == layer);
  }
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

TEST_CASE("points have colours by quarters, of few points one each") {
  const GradedStyle style = order_style("Points to label", "order", "Point", 10);
  CHECK(style.expression == "\"order\"");
  REQUIRE(style.steps.size() == 4);
  CHECK(style.steps[0].label == "Points 1 to 3");
  CHECK(style.steps[3].high == 10);
  const GradedStyle few = order_style("Points to label", "order", "Point", 2);
  REQUIRE(few.steps.size() == 2);
  CHECK(few.steps[1].label == "Point 2");
}

}  // namespace parsimap::test
