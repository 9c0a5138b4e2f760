#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "gdal/raster/raster_file.hpp"
#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

std::string driver(const std::string& path, const OutputOptions& options = {}) {
  return raster_format(path, options).driver->GetDescription();
}

}  // namespace

TEST_CASE("the extension names the format, an explicit format comes first") {
  CHECK(driver("a.tif") == "GTiff");
  CHECK(driver("a.TIFF") == "GTiff");
  for (const char* path : {"a.img", "a.dat", "a.bil", "a.bsq", "a.envi", "a.hdr"}) {
    CHECK(driver(path) == "ENVI");
  }
  CHECK(driver("a.png") == "PNG");
  CHECK(driver("a.rst") == "RST");  // by GDAL's own list
  CHECK(driver("a.tif", {"COG", {}}) == "COG");
  CHECK(driver("a", {"envi", {}}) == "ENVI");
  CHECK(raster_format("a.tif", {"COG", {}}).copies);
  CHECK(raster_format("a.tif", {}).copies);
  CHECK_FALSE(raster_format("a.img", {}).copies);
}

TEST_CASE("an ENVI header as target means the data file beside it") {
  const OutputFormat format = raster_format("/x/map.hdr", {});
  CHECK(format.main == "/x/map.img");
  for (const char* file : {"/x/map.hdr", "/x/map.qml", "/x/map.img.aux.xml"}) {
    CHECK(std::find(format.files.begin(), format.files.end(), file) != format.files.end());
  }
}

TEST_CASE("unknown formats and options are refused, with the usual ones") {
  const auto refused = [](const std::string& path, const OutputOptions& options) {
    return message_of<ConfigError>([&] { raster_format(path, options); });
  };
  CHECK(contains(refused("a.xyzzy", {}), "'xyzzy'"));
  CHECK(contains(refused("a.xyzzy", {}), ".tif (GTiff)"));
  CHECK(contains(refused("a", {}), "''"));
  CHECK(contains(refused("a.tif", {"Nothing", {}}), "Nothing is unknown"));
  CHECK(contains(refused("a.tif", {"GPX", {}}), "cannot be written"));
  CHECK(contains(refused("a.tif", {{}, {"COMPRESS"}}), "'COMPRESS' is not of the form"));
  CHECK(contains(refused("a.tif", {{}, {"COMPRESS=TAR"}}), "TAR"));
  CHECK(contains(refused("a.tif", {{}, {"COLOUR=RED"}}), "COLOUR"));
  CHECK(refused("a.tif", {{}, {"COMPRESS=LZW"}}).empty());
  CHECK(contains(refused("a.qml", {"GTiff", {}}), "style beside a map"));
}

TEST_CASE("vector formats") {
  CHECK(std::string(vector_driver("a.gpkg").GetDescription()) == "GPKG");
  CHECK(std::string(vector_driver("a.geojson").GetDescription()) == "GeoJSON");
  CHECK(std::string(vector_driver("a.shp").GetDescription()) == "ESRI Shapefile");
  CHECK(contains(message_of<ConfigError>([] { vector_driver("a.tif"); }), "not that of a vector format"));
}
