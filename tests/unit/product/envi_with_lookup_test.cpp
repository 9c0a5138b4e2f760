#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "parsimap/core/error.hpp"
#include "parsimap/product/product.hpp"

#include "unit/gdal/raster/raster_fixture.hpp"

namespace parsimap::test {
namespace {

constexpr int kWidth = 5;
constexpr int kHeight = 4;
const std::string kFlight = "ang20150420t182808_";

// A scene of 5 x 4 pixels without georeferencing and its table of 6 x 6 pixels, which shows the scene mirrored.
void write_scene(const TemporaryFolder& folder, const std::string& name = kFlight + "rfl_v2_img") {
  const DatasetPtr scene = create_raster(folder.file(name), kWidth, kHeight, 2, GDT_Float32, "ENVI");
  fill_band(*scene, 1, [](int column, int row) { return 10 * row + column; });
  fill_band(*scene, 2, [](int, int) { return 3; });
  const DatasetPtr table = create_raster(folder.file(kFlight + "rdn_v2_glt"), 6, 6, 2, GDT_Int32, "ENVI");
  georeference(*table, utm_grid(6, 6));
  fill_band(*table, 1, [](int column, int row) { return column < kWidth && row < kHeight ? kWidth - column : 0; });
  fill_band(*table, 2, [](int column, int row) { return column < kWidth && row < kHeight ? -(row + 1) : 0; });
}

void write_positions(const TemporaryFolder& folder, const std::string& name, int width = kWidth) {
  const DatasetPtr positions = create_raster(folder.file(name), width, kHeight, 3, GDT_Float64, "ENVI");
  fill_band(*positions, 1, [](int column, int) { return -120.123456789 + column; });
  fill_band(*positions, 2, [](int, int row) { return 40.987654321 - row; });
}

}  // namespace

TEST_CASE("a raster of ENVI in the sensor's geometry has the lookup table that lies beside it") {
  const TemporaryFolder folder;
  write_scene(folder);
  for (const std::string& name : {kFlight + "rfl_v2_img", kFlight + "rfl_v2_img.hdr"}) {
    const std::optional<OpenScene> scene = open_product(folder.file(name));
    REQUIRE(scene);
    CHECK(scene->description.product == "AVIRIS-NG");
    CHECK(scene->source->grid().control_points.empty());
    REQUIRE(scene->geometry != nullptr);
    CHECK(scene->geometry->grid().geotransform == utm_grid(6, 6).geotransform);
    std::vector<std::int64_t> pixels;
    scene->geometry->read({0, 1, 6, 1}, pixels);
    CHECK(pixels == std::vector<std::int64_t>{9, 8, 7, 6, 5, -1});
    Spectra values;
    scene->source->read({4, 1, 1, 1}, {0, 1}, values);
    CHECK(values(0, 0) == 14);
  }
}

TEST_CASE("positions beside a scene of ENVI are its control points") {
  const TemporaryFolder folder;
  write_scene(folder);
  write_positions(folder, kFlight + "rdn_v2_igm");
  std::optional<OpenScene> scene = open_product(folder.file(kFlight + "rfl_v2_img"));
  REQUIRE(scene);
  CHECK(contains(scene->source->grid().crs, "UTM zone 17N"));
  write_positions(folder, kFlight + "rdn_v2_loc");
  scene = open_product(folder.file(kFlight + "rfl_v2_img"));
  REQUIRE(scene);
  const RasterGrid& grid = scene->source->grid();
  CHECK(contains(grid.crs, "4326"));
  REQUIRE(grid.control_points.size() == kWidth * kHeight);
  CHECK(grid.control_points[6] == ControlPoint{1.5, 1.5, -119.123456789, 39.987654321});
  CHECK(scene->description.files.back() == folder.file(kFlight + "rdn_v2_loc"));
  write_positions(folder, kFlight + "rdn_v2_loc", 3);
  CHECK_THROWS_WITH_AS((void)open_product(folder.file(kFlight + "rfl_v2_img")),
                       doctest::Contains("two bands of its size"), DataError);
}

TEST_CASE("the lookup table of another line, or of a scene of another size, is not used") {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, int width, int height) {
    create_raster(folder.file(name), width, height, 2, GDT_Float32, "ENVI");
  };
  const auto write_table = [&](const std::string& name, int last) {
    const DatasetPtr table = create_raster(folder.file(name), 6, 6, 2, GDT_Int32, "ENVI");
    georeference(*table, utm_grid(6, 6));
    fill_band(*table, 1, [&](int column, int) { return std::min(column + 1, last); });
    fill_band(*table, 2, [&](int, int row) { return std::min(row + 1, last); });
  };
  write("Site_line2_rad.img", 5, 5);
  write_table("Site_line1_glt.img", 5);
  std::optional<OpenScene> scene = open_product(folder.file("Site_line2_rad.img"));
  REQUIRE(scene);
  CHECK(scene->geometry == nullptr);
  CHECK(contains(scene->description.note, "Site_line1_glt.img"));
  CHECK(contains(scene->description.note, "is that of another line or scene; --glt may name it"));
  for (const int last : {3, 6}) {
    write_table("Site_line2_glt.img", last);
    scene = open_product(folder.file("Site_line2_rad.img"));
    REQUIRE(scene);
    CHECK(scene->geometry == nullptr);
    CHECK(contains(scene->description.note,
                   "it shows pixels up to column " + std::to_string(last) + " and row " + std::to_string(last)));
  }
  write_table("Site_line2_glt.img", 5);
  CHECK(open_product(folder.file("Site_line2_rad.img"))->geometry != nullptr);
  // Names of files of AVIRIS-3 have a digest for each product.
  write("AV320231008t154123_007_L1B_RDN_3f4aef90_RDN", 5, 5);
  write_table("AV320231008t154123_006_L1B_ORT_3f4aef91_GLT", 5);
  CHECK(open_product(folder.file("AV320231008t154123_007_L1B_RDN_3f4aef90_RDN"))->geometry == nullptr);
  write_table("AV320231008t154123_007_L1B_ORT_0e4aef91_GLT", 5);
  CHECK(open_product(folder.file("AV320231008t154123_007_L1B_RDN_3f4aef90_RDN"))->geometry != nullptr);
}

TEST_CASE("rasters on a map, of other flights and of other formats have no lookup table") {
  const TemporaryFolder folder;
  write_scene(folder, "ang20160101t000000_rfl_v2_img");
  CHECK_FALSE(open_product(folder.file("ang20160101t000000_rfl_v2_img")));
  write_scene(folder);
  CHECK_FALSE(open_product(folder.file(kFlight + "rdn_v2_glt")));
  {
    const DatasetPtr placed = create_raster(folder.file(kFlight + "corr_img"), 3, 3, 1, GDT_Float32, "ENVI");
    georeference(*placed, utm_grid(3, 3));
    create_raster(folder.file(kFlight + "quicklook.tif"), 3, 3, 1, GDT_Byte);
  }
  CHECK_FALSE(open_product(folder.file(kFlight + "corr_img")));
  CHECK_FALSE(open_product(folder.file(kFlight + "quicklook.tif")));
}

}  // namespace parsimap::test
