#include "parsimap/gdal/raster/source_name.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

void add_to_archive(const std::string& archive, const std::string& name) {
  initialise_gdal();
  VSILFILE* file = VSIFOpenL(("/vsizip/" + archive + "/" + name).c_str(), "wb");
  VSIFWriteL("x", 1, 1, file);
  VSIFCloseL(file);
}

}  // namespace

TEST_CASE("the source of a layer as QGIS shows it has a file, a layer and a condition") {
  const TemporaryFolder folder;
  const SourceName all = source_name("a.gpkg|layername=fields|geometrytype=Polygon|subset=\"a\" = '|' OR b");
  CHECK(all.file == "a.gpkg");
  CHECK(all.layer == "fields");
  CHECK(all.where == "\"a\" = '|' OR b");
  CHECK(source_name("a.csv").file == "a.csv");
  CHECK_FALSE(source_name("a.csv").layer);
  write_file(folder.file("a|layername=b"), "");
  CHECK(source_name(folder.file("a|layername=b")).file == folder.file("a|layername=b"));
  CHECK(contains(message_of<ConfigError>([] { source_name("a.gpkg|layerid=1"); }), "'layerid=1' is no part"));
}

TEST_CASE("addresses of stores of objects are those of GDAL's file systems") {
  CHECK(resolved_source("s3://bucket/a/b.tif") == "/vsis3/bucket/a/b.tif");
  CHECK(resolved_source("gs://bucket/b.tif") == "/vsigs/bucket/b.tif");
  CHECK(resolved_source("az://container/b.tif") == "/vsiaz/container/b.tif");
  CHECK(resolved_source("https://a.b/c.tif") == "https://a.b/c.tif");
}

TEST_CASE("an archive stands for the only raster or vector file in it") {
  const TemporaryFolder folder;
  const std::string archive = folder.file("labels.zip");
  for (const char* name : {"in/l.shp", "in/l.dbf", "in/l.prj", "__MACOSX/in/l.shp", "in/.l.shp", "readme.txt"}) {
    add_to_archive(archive, name);
  }
  CHECK(resolved_source(archive) == "/vsizip/{" + archive + "}/in/l.shp");
  add_to_archive(archive, "other.gpkg");
  CHECK(resolved_source(archive) == archive);
  CHECK(contains(archive_members(archive), "other.gpkg"));
  write_file(folder.file("l.geojson.gz"), "");
  CHECK(resolved_source(folder.file("l.geojson.gz")) == "/vsigzip/" + folder.file("l.geojson.gz"));
  CHECK(resolved_source("absent.zip") == "absent.zip");
  CHECK(archive_members(folder.file("l.gpkg")).empty());
}
