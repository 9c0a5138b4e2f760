#include "gdal/raster/dataset.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cmath>
#include <filesystem>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/georeference.hpp"

#include "raster_fixture.hpp"

namespace parsimap::test {

TEST_CASE("the grid of a raster: an identity geotransform is none") {
  const TemporaryFolder folder;
  const DatasetPtr plain = create_raster(folder.file("plain.tif"), 7, 5, 1, GDT_Byte);
  const RasterGrid bare = grid_of(*plain);
  CHECK(bare.width == 7);
  CHECK(bare.height == 5);
  CHECK_FALSE(bare.geotransform.has_value());
  CHECK(bare.crs.empty());
  std::array<double, 6> identity{0, 1, 0, 0, 0, 1};
  plain->SetGeoTransform(identity.data());
  CHECK_FALSE(grid_of(*plain).geotransform.has_value());

  const DatasetPtr placed = create_raster(folder.file("placed.tif"), 7, 5, 1, GDT_Byte);
  georeference(*placed, utm_grid(7, 5));
  const RasterGrid grid = grid_of(*placed);
  CHECK(grid.geotransform == utm_grid(7, 5).geotransform);
  CHECK(same_crs(grid.crs, wkt(32617)));
}

TEST_CASE("a geotransform that gives pixels no area is refused, with the file and its numbers") {
  const TemporaryFolder folder;
  const auto grid_with = [&](std::array<double, 6> transform) {
    const DatasetPtr dataset = create_raster(folder.file("a.tif"), 7, 5, 1, GDT_Byte);
    dataset->SetGeoTransform(transform.data());
    return grid_of(*dataset);
  };
  CHECK_THROWS_WITH_AS(grid_with({400000, 0, 0, 5800480, 0, 0}),
                       (folder.file("a.tif") + ": its geotransform (400000, 0, 0, 5800480, 0, 0) gives pixels no area; "
                                               "correct it, or remove it (gdal_edit.py -unsetgt)")
                           .c_str(),
                       DataError);
  // Both steps go along one line; and one is no number.
  CHECK_THROWS_AS(grid_with({0, 1, 2, 0, 2, 4}), DataError);
  CHECK_THROWS_AS(grid_with({0, 1, 0, 0, 0, std::nan("")}), DataError);
  CHECK(grid_with({0, 0, 2, 0, 3, 0}).geotransform.has_value());
}

TEST_CASE("reference systems are compared by meaning") {
  CHECK(same_crs(wkt(4326),
                 "GEOGCS[\"WGS 84\",DATUM[\"WGS_1984\",SPHEROID[\"WGS 84\",6378137,298.257223563]],"
                 "PRIMEM[\"Greenwich\",0],UNIT[\"degree\",0.0174532925199433]]"));
  CHECK_FALSE(same_crs(wkt(32617), wkt(32618)));
  CHECK(crs_title(wkt(32617)) == "EPSG:32617 (WGS 84 / UTM zone 17N)");
  CHECK(crs_title("") == "no CRS");
}

TEST_CASE("names by which files say that they have no reference system are none") {
  for (const char* name : {"Undefined SRS", "Undefined Cartesian SRS", "Undefined Cartesian SRS with unknown unit"}) {
    CAPTURE(name);
    OGRSpatialReference reference;
    reference.SetLocalCS(name);
    CHECK(wkt_of(&reference).empty());
  }
  OGRSpatialReference site;
  site.SetLocalCS("site grid");
  CHECK_FALSE(wkt_of(&site).empty());
}

TEST_CASE("a file with subdatasets only lists them") {
  const TemporaryFolder folder;
  const std::string path = folder.file("two.gpkg");
  for (const char* table : {"first", "second"}) {
    const DatasetPtr source = create_raster("", 8, 8, 1, GDT_Byte, "MEM");
    georeference(*source, utm_grid(8, 8));
    CPLStringList options;
    options.SetNameValue("RASTER_TABLE", table);
    options.SetNameValue("APPEND_SUBDATASET", "YES");
    const DatasetPtr copy(GetGDALDriverManager()->GetDriverByName("GPKG")->CreateCopy(
        path.c_str(), source.get(), FALSE, options.List(), nullptr, nullptr));
    REQUIRE(copy != nullptr);
  }
  const std::string message = message_of<DataError>([&] { open_raster(path); });
  CHECK(contains(message, "two.gpkg holds no raster bands"));
  CHECK(contains(message, "first"));
  CHECK(contains(message, "second"));
}

TEST_CASE("a TIFF of several pages of one size is refused, and each page is opened by its name") {
  const TemporaryFolder folder;
  const std::string path = folder.file("pages.tif");
  for (const int width : {8, 8, 5}) {
    const DatasetPtr source = create_raster("", width, 6, 1, GDT_Byte, "MEM");
    CPLStringList options;
    options.SetNameValue("APPEND_SUBDATASET", std::filesystem::exists(path) ? "YES" : "NO");
    REQUIRE(DatasetPtr(GetGDALDriverManager()->GetDriverByName("GTiff")->CreateCopy(
                path.c_str(), source.get(), FALSE, options.List(), nullptr, nullptr)) != nullptr);
  }
  const std::string message = message_of<DataError>([&] { open_raster(path); });
  CHECK(contains(message, "pages.tif has several pages of 8 x 6 pixels, of which one alone would be read; name one"));
  CHECK(open_raster("GTIFF_DIR:2:" + path)->GetRasterXSize() == 8);
  CHECK(open_raster("GTIFF_DIR:3:" + path)->GetRasterXSize() == 5);
}

TEST_CASE("the arrays of a netCDF file are listed, which its driver tells only all at once") {
  initialise_gdal();
  const TemporaryFolder folder;
  const std::string path = folder.file("two.nc");
  {
    const std::unique_ptr<GDALDataset> file(
        GetGDALDriverManager()->GetDriverByName("netCDF")->CreateMultiDimensional(path.c_str(), nullptr, nullptr));
    REQUIRE(file != nullptr);
    const auto root = file->GetRootGroup();
    const auto rows = root->CreateDimension("rows", "", "", 3);
    const auto columns = root->CreateDimension("columns", "", "", 4);
    const auto layers = root->CreateDimension("layers", "", "", 2);
    const auto type = GDALExtendedDataType::Create(GDT_Float32);
    REQUIRE(root->CreateMDArray("first", {rows, columns}, type) != nullptr);
    REQUIRE(root->CreateMDArray("second", {layers, rows, columns}, type) != nullptr);
  }
  const std::string message = message_of<DataError>([&] { open_raster(path); });
  CHECK(contains(message, "two.nc holds no raster bands; name one of its subdatasets, or stack some"));
  CHECK(contains(message, "(gdalbuildvrt -separate): NETCDF:"));
  CHECK(contains(message, "first"));
  CHECK(contains(message, "second"));
}

TEST_CASE("an ENVI file shorter than its header says is refused") {
  const TemporaryFolder folder;
  const std::string path = folder.file("cut.img");
  fill_band(*create_raster(path, 20, 20, 1, GDT_UInt16, "ENVI"), 1, [](int, int) { return 1; });
  CHECK(open_raster(path) != nullptr);
  std::filesystem::resize_file(path, 799);
  CHECK(contains(message_of<DataError>([&] { open_raster(path); }), "has 799 bytes, its header promises 800"));
}

TEST_CASE("a header that does not begin as one of ENVI is named") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.img");
  write_file(path, "xxxx");
  write_file(folder.file("a.hdr"),
             "\xEF\xBB\xBF"
             "ENVI\n");
  for (const std::string& name : {path, folder.file("a.hdr")}) {
    CHECK(contains(message_of<DataError>([&] { open_raster(name); }),
                   "a.hdr does not begin with the letters ENVI but with a byte order mark"));
  }
  write_file(folder.file("b.txt"), "xxxx");
  CHECK_FALSE(contains(message_of<DataError>([&] { open_raster(folder.file("b.txt")); }), "letters"));
}

TEST_CASE("a mosaic may take the mask only of a band that its source has") {
  const TemporaryFolder folder;
  create_raster(folder.file("scene.tif"), 2, 2, 3, GDT_Byte);
  const auto opened = [&](const std::string& source, const std::string& band) {
    const std::string content = "<SimpleSource><SourceFilename relativeToVRT=\"1\">";
    write_file(folder.file("a.vrt"),
               "<VRTDataset rasterXSize=\"2\" rasterYSize=\"2\"><VRTRasterBand dataType=\"Byte\" band=\"1\">" +
                   content +
                   "scene.tif</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>"
                   "<MaskBand><VRTRasterBand dataType=\"Byte\">" +
                   content + source + "</SourceFilename><SourceBand>" + band +
                   "</SourceBand></SimpleSource></VRTRasterBand></MaskBand></VRTDataset>");
    return message_of<DataError>([&] { open_raster(folder.file("a.vrt")); });
  };
  CHECK(opened("scene.tif", "mask,3").empty());
  CHECK(opened("scene.tif", "mask").empty());
  CHECK(contains(opened("scene.tif", "mask,4"), "takes the mask of band 4 of"));
  CHECK(contains(opened("scene.tif", "mask,4"), "which has 3 bands"));
  CHECK(contains(opened("absent.tif", "mask,1"), "which cannot be opened as a raster"));
}

TEST_CASE("a mosaic of means of pixels that do not fit into its own is refused") {
  const TemporaryFolder folder;
  create_raster(folder.file("scene.tif"), 6, 6, 1, GDT_Float32);
  const auto opened = [&](const std::string& method, const std::string& offset, const std::string& size) {
    write_file(folder.file("a.vrt"),
               "<VRTDataset rasterXSize=\"4\" rasterYSize=\"6\"><VRTRasterBand dataType=\"Float32\" band=\"1\">"
               "<ComplexSource resampling=\"" +
                   method +
                   "\"><SourceFilename relativeToVRT=\"1\">scene.tif</SourceFilename><SourceBand>1</SourceBand>"
                   "<SrcRect xOff=\"0\" yOff=\"0\" xSize=\"6\" ySize=\"6\"/><DstRect xOff=\"" +
                   offset + "\" yOff=\"0\" xSize=\"" + size +
                   "\" ySize=\"6\"/></ComplexSource></VRTRasterBand></VRTDataset>");
    return message_of<DataError>([&] { open_raster(folder.file("a.vrt")); });
  };
  for (const std::string method : {"average", "Rms", "gauss"}) {
    CHECK(contains(opened(method, "0", "4"), "a.vrt resamples (" + lower_case(method) + ") pixels that do not fit"));
    CHECK(contains(opened(method, "0.3", "3"), "for each part that is read"));
    CHECK(opened(method, "1", "3").empty());
    CHECK(opened(method, "0", "12").empty());
  }
  CHECK(opened("bilinear", "0.3", "4").empty());
}

TEST_CASE("a named pipe or a device is refused before it is opened, with or without the name of a header") {
  const TemporaryFolder folder;
  for (const char* name : {"pipe", "pipe.hdr"}) {
    const std::string pipe = folder.file(name);
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(message_of<DataError>([&] { open_raster(pipe); }) ==
          pipe + " is a named pipe; an input must be a regular file");
    CHECK_FALSE(is_raster(pipe));
  }
  CHECK(message_of<DataError>([] { open_raster("/dev/zero"); }) ==
        "/dev/zero is a device; an input must be a regular file");
}

}  // namespace parsimap::test
