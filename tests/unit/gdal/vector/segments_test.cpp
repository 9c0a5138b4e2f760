#include "parsimap/gdal/vector/segments.hpp"

#include <doctest/doctest.h>
#include <ogrsf_frmts.h>

#include "parsimap/core/error.hpp"

#include "unit/gdal/raster/raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

constexpr Index kSegmentedWidth = 8;
constexpr Index kSegmentedHeight = 6;

const Window kAll = {0, 0, kSegmentedWidth, kSegmentedHeight};

std::vector<std::int64_t> numbers_of(const std::string& path, const Window& window = kAll) {
  std::vector<std::int64_t> numbers;
  const auto segments = open_segments(path, utm_grid(kSegmentedWidth, kSegmentedHeight), "scene.tif");
  segments->read(window, numbers);
  segments->check_unchanged();
  return numbers;
}

std::string refusal(const std::string& path) {
  return message_of<DataError>([&] { numbers_of(path); });
}

void write_raster(const std::string& path, GDALDataType type, const std::function<double(int, int)>& value,
                  int bands = 1, std::optional<double> nodata = {}, int width = kSegmentedWidth) {
  const DatasetPtr dataset = create_raster(path, width, kSegmentedHeight, bands, type);
  georeference(*dataset, utm_grid(width, kSegmentedHeight));
  if (nodata) {
    dataset->GetRasterBand(1)->SetNoDataValue(*nodata);
  }
  fill_band(*dataset, 1, value);
}

// Boxes by columns and rows of the grid: from, to (not included).
struct Box {
  double left, top, right, bottom;
};

std::string box_text(const Box& box) {
  const auto [x0, y0] = map_point(utm_grid(kSegmentedWidth, kSegmentedHeight), box.left, box.top);
  const auto [x1, y1] = map_point(utm_grid(kSegmentedWidth, kSegmentedHeight), box.right, box.bottom);
  return CPLSPrintf("((%.3f %.3f,%.3f %.3f,%.3f %.3f,%.3f %.3f,%.3f %.3f))", x0, y0, x1, y0, x1, y1, x0, y1, x0, y0);
}

void write_vector(const std::string& path, const std::vector<std::string>& shapes, int epsg = 32617) {
  initialise_gdal();
  const DatasetPtr dataset(
      GetGDALDriverManager()->GetDriverByName("GPKG")->Create(path.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
  OGRSpatialReference utm = spatial_reference(utm_grid(1, 1).crs);
  OGRSpatialReference target = spatial_reference(wkt(epsg));
  OGRLayer* layer = dataset->CreateLayer("parcels", &target, wkbUnknown, nullptr);
  for (const std::string& shape : shapes) {
    OGRGeometry* geometry = nullptr;
    OGRFeature feature(layer->GetLayerDefn());
    if (!shape.empty()) {
      OGRGeometryFactory::createFromWkt(shape.c_str(), &utm, &geometry);
      REQUIRE(geometry->transformTo(&target) == OGRERR_NONE);
      feature.SetGeometryDirectly(geometry);
    }
    REQUIRE(layer->CreateFeature(&feature) == OGRERR_NONE);
  }
}

}  // namespace

TEST_CASE("a raster of segment numbers, large ones and nodata included") {
  const TemporaryFolder folder;
  write_raster(
      folder.file("a.tif"), GDT_UInt32,
      [](int column, int row) { return row == 0      ? 4294967295.0
                                       : column == 0 ? 77
                                                     : row * 100'000'000.0; }, 1, 77);
  const std::vector<std::int64_t> numbers = numbers_of(folder.file("a.tif"), {0, 0, 2, 3});
  CHECK(numbers == std::vector<std::int64_t>{4294967295, 4294967295, 0, 100'000'000, 0, 200'000'000});
  write_raster(folder.file("nan.tif"), GDT_Float32, [](int column, int) { return column == 1 ? NAN : 3; });
  CHECK(numbers_of(folder.file("nan.tif"), {0, 5, 3, 1}) == std::vector<std::int64_t>{3, 0, 3});
}

TEST_CASE("a raster that holds no segments is refused with the place and the rule") {
  const TemporaryFolder folder;
  write_raster(folder.file("share.tif"), GDT_Float32,
               [](int column, int row) { return column == 2 && row == 1 ? 0.5 : 1; });
  CHECK(contains(refusal(folder.file("share.tif")), "the value at column 2, row 1 is 0.5; segments are whole numbers"));
  write_raster(folder.file("negative.tif"), GDT_Int16, [](int, int) { return -1; });
  CHECK(contains(refusal(folder.file("negative.tif")), "is -1"));
  write_raster(
      folder.file("bands.tif"), GDT_Byte, [](int, int) { return 1; }, 2);
  CHECK(contains(refusal(folder.file("bands.tif")), "it has 2 bands"));
  write_raster(
      folder.file("wide.tif"), GDT_Byte, [](int, int) { return 1; }, 1, {}, kSegmentedWidth + 1);
  CHECK(contains(refusal(folder.file("wide.tif")), "segments must lie on the scene's grid"));
  CHECK(contains(refusal(folder.file("absent.tif")), "absent.tif cannot be opened as a raster or vector of segments"));
}

TEST_CASE("polygons own the pixels whose centre lies in them, the first one those of several") {
  const TemporaryFolder folder;
  const std::string two_parts = "MULTIPOLYGON(" + box_text({0, 0, 2, 1}) + "," + box_text({6, 5, 8, 6}) + ")";
  const std::string overlapping = "POLYGON" + box_text({1, 0, 4.4, 2});
  write_vector(folder.file("utm.gpkg"), {two_parts, "", overlapping});
  write_vector(folder.file("degrees.gpkg"), {two_parts, "", overlapping}, 4326);
  const std::vector<std::int64_t> expected = {1, 1, 3, 3, 0, 0, 0, 0,  //
                                              0, 3, 3, 3, 0, 0, 0, 0,  //
                                              0, 0, 0, 0, 0, 0, 0, 0,  //
                                              0, 0, 0, 0, 0, 0, 0, 0,  //
                                              0, 0, 0, 0, 0, 0, 0, 0,  //
                                              0, 0, 0, 0, 0, 0, 1, 1};
  CHECK(numbers_of(folder.file("utm.gpkg")) == expected);
  CHECK(numbers_of(folder.file("degrees.gpkg")) == expected);
  CHECK(numbers_of(folder.file("utm.gpkg"), {1, 0, 3, 2}) == std::vector<std::int64_t>{1, 3, 3, 3, 3, 3});
}

TEST_CASE("vectors without segments on the scene are refused") {
  const TemporaryFolder folder;
  write_vector(folder.file("points.gpkg"), {"POINT(500001 3999999)"});
  CHECK(contains(refusal(folder.file("points.gpkg")), "feature 1 is a POINT; segments are polygons"));
  write_vector(folder.file("far.gpkg"), {"POLYGON((400000 0,400001 0,400001 1,400000 0))"});
  CHECK(contains(refusal(folder.file("far.gpkg")), "no feature owns a pixel of scene.tif"));
}

TEST_CASE("labelled pixels come from tables of points and from all layers; segments from one layer") {
  const TemporaryFolder folder;
  const auto numbers = [](const std::string& path) {
    std::vector<std::int64_t> found;
    open_labelled_pixels(path, utm_grid(kSegmentedWidth, kSegmentedHeight), "scene.tif")->read(kAll, found);
    return found;
  };
  write_file(folder.file("points.csv"), "x,y,class\n500001.5,3999999.5,\n500000.5,3999998.5,oak\n");
  CHECK(numbers(folder.file("points.csv"))[1] == 1);
  CHECK(numbers(folder.file("points.csv"))[kSegmentedWidth] == 2);
  const std::string path = folder.file("layers.gpkg");
  {
    const DatasetPtr dataset(
        GetGDALDriverManager()->GetDriverByName("GPKG")->Create(path.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
    for (const double x : {500000.5, 500002.5}) {
      OGRLayer* layer = dataset->CreateLayer(x < 500001 ? "a" : "b", nullptr, wkbPoint, nullptr);
      OGRFeature feature(layer->GetLayerDefn());
      const OGRPoint place(x, 3999999.5);
      feature.SetGeometry(&place);
      REQUIRE(layer->CreateFeature(&feature) == OGRERR_NONE);
    }
  }
  CHECK(numbers(path)[0] == 1);
  CHECK(numbers(path)[2] == 2);
  CHECK(contains(refusal(path), "has several layers; segments are in a file of one layer, such as 'a' or 'b'"));
}

TEST_CASE("labelled pixels come from features of any geometry and from label rasters") {
  const TemporaryFolder folder;
  write_vector(folder.file("mixed.gpkg"), {"POINT(500001.5 3999999.5)", "POLYGON" + box_text({4, 2, 6, 3})});
  std::vector<std::int64_t> numbers;
  open_labelled_pixels(folder.file("mixed.gpkg"), utm_grid(kSegmentedWidth, kSegmentedHeight), "scene.tif")
      ->read(kAll, numbers);
  std::vector<std::int64_t> expected(kSegmentedWidth * kSegmentedHeight, 0);
  expected[1] = 1;
  expected[2 * kSegmentedWidth + 4] = 2;
  expected[2 * kSegmentedWidth + 5] = 2;
  CHECK(numbers == expected);
  write_raster(folder.file("share.tif"), GDT_Float32, [](int, int) { return 0.5; });
  CHECK(contains(message_of<DataError>([&] {
                   open_labelled_pixels(folder.file("share.tif"), utm_grid(kSegmentedWidth, kSegmentedHeight), "s")
                       ->read(kAll, numbers);
                 }),
                 "holds no labels"));
}

namespace {

// XMIN,YMIN,XMAX,YMAX of columns and rows of the grid.
std::string region_box(const Box& box) {
  const auto [x0, y0] = map_point(utm_grid(kSegmentedWidth, kSegmentedHeight), box.left, box.bottom);
  const auto [x1, y1] = map_point(utm_grid(kSegmentedWidth, kSegmentedHeight), box.right, box.top);
  return CPLSPrintf("%.3f,%.3f,%.3f,%.3f", x0, y0, x1, y1);
}

Region region_of(const std::string& text) {
  return open_region(text, utm_grid(kSegmentedWidth, kSegmentedHeight), "scene.tif");
}

// The rows of a region, . for the pixels outside of it.
std::vector<std::string> rows_of(const Region& region) {
  std::vector<std::int64_t> numbers;
  region.pixels->read(kAll, numbers);
  std::vector<std::string> rows(kSegmentedHeight);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    rows[i / kSegmentedWidth] += numbers[i] == 0 ? '.' : '#';
  }
  return rows;
}

template <typename Error = DataError>
std::string region_refusal(const std::string& text) {
  return message_of<Error>([&] { region_of(text); });
}

}  // namespace

TEST_CASE("lists of numbers are boxes, and all else is the name of a file") {
  CHECK(is_box("1,2,3,4"));
  CHECK(is_box("-1.5, 2e3, 3, 4"));
  CHECK(is_box("1,2"));
  CHECK_FALSE(is_box("7"));
  CHECK_FALSE(is_box("1,2,3,x"));
  CHECK_FALSE(is_box("region.gpkg"));
  CHECK_FALSE(is_box(""));
}

TEST_CASE("a region holds the pixels whose centre lies in its box, or in polygons in any reference system") {
  const std::vector<std::string> expected = {"........", "........", "..###...", "..###...", "........", "........"};
  const Region box = region_of(region_box({2.4, 1.6, 5.4, 3.6}));
  CHECK(rows_of(box) == expected);
  CHECK(box.window == Window{2, 2, 3, 2});
  // Where a grid lies nowhere, columns and rows count.
  RasterGrid nowhere;
  nowhere.width = kSegmentedWidth;
  nowhere.height = kSegmentedHeight;
  CHECK(rows_of(open_region("2.4,1.6,5.4,3.6", nowhere, "scene.tif")) == expected);
  const TemporaryFolder folder;
  for (const int epsg : {32617, 4326, 3857}) {
    CAPTURE(epsg);
    const std::string path = folder.file(std::to_string(epsg) + ".gpkg");
    write_vector(path,
                 {"POLYGON" + box_text({0, 0, 2, 1}), "", "POLYGON" + box_text({20, 0, 22, 1}),
                  "MULTIPOLYGON(" + box_text({4.4, 2, 7, 5}) + ")"},
                 epsg);
    const Region region = region_of(path);
    CHECK(rows_of(region) ==
          std::vector<std::string>{"##......", "........", "....###.", "....###.", "....###.", "........"});
    CHECK(region.window == Window{0, 0, 7, 5});
  }
}

TEST_CASE("what is no region is refused with the reason") {
  const TemporaryFolder folder;
  CHECK(contains(region_refusal<ConfigError>("1,2,3"), "the region 1,2,3 is no box; one is XMIN,YMIN,XMAX,YMAX"));
  CHECK(contains(region_refusal<ConfigError>("5,1,2,3"), "is no box"));
  CHECK(contains(region_refusal<ConfigError>("1,3,2,3"), "is no box"));
  CHECK(contains(region_refusal(region_box({9, 0, 12, 3})),
                 "holds the centre of no pixel of scene.tif, which covers x "));
  CHECK(contains(region_refusal(region_box({1.6, 1.6, 2.4, 2.4})), "holds the centre of no pixel"));
  CHECK(contains(region_refusal(folder.file("absent.gpkg")), "cannot be opened as a raster or vector of regions"));
  write_raster(folder.file("raster.tif"), GDT_Byte, [](int, int) { return 1; });
  CHECK(contains(region_refusal<ConfigError>(folder.file("raster.tif")), "is a raster; regions are polygons"));
  write_vector(folder.file("empty.gpkg"), {});
  CHECK(contains(region_refusal(folder.file("empty.gpkg")), "no feature owns a pixel of scene.tif"));
  write_vector(folder.file("far.gpkg"), {"POLYGON" + box_text({20, 0, 22, 1})});
  CHECK(contains(region_refusal(folder.file("far.gpkg")), "no feature owns a pixel of scene.tif"));
  write_vector(folder.file("points.gpkg"), {"POINT(0 0)"});
  CHECK(contains(region_refusal(folder.file("points.gpkg")), "feature 1 is a POINT; regions are polygons"));
  if (OGRGeometryFactory::haveGEOS()) {
    write_vector(folder.file("crossed.gpkg"),
                 {"POLYGON" + box_text({0, 0, 2, 1}), "POLYGON((0 0,10 10,10 0,0 10,0 0))"});
    CHECK(contains(region_refusal(folder.file("crossed.gpkg")), "feature 2 is not a valid polygon: Self-intersection"));
  }
  RasterGrid sensor;
  sensor.width = kSegmentedWidth;
  sensor.height = kSegmentedHeight;
  sensor.control_points = {{0, 0, 1, 1}};
  CHECK(contains(message_of<DataError>([&] { open_region("0,0,4,4", sensor, "scene.tif"); }),
                 "is in the sensor's own geometry"));
}
