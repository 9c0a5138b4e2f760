#include "gdal/vector/vector_source.hpp"

#include <doctest/doctest.h>
#include <ogrsf_frmts.h>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/vector/labels.hpp"

#include "unit/gdal/raster/raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

constexpr const char* kFeatures = R"("features": [
  {"type": "Feature", "properties": {"class": "oak"}, "geometry": {"type": "Point", "coordinates": [500000.5, 3999999.5]}},
  {"type": "Feature", "properties": {"class": "ash"}, "geometry": {"type": "Point", "coordinates": [500003.5, 3999999.5]}}])";

LabelledPixels read_points(const std::string& path, std::optional<int> epsg = {}) {
  LabelOptions options{"class", std::nullopt};
  options.epsg = epsg;
  return read_labels(path, options, utm_grid(10, 10), "scene.tif");
}

}  // namespace

TEST_CASE("a condition is applied to a layer, or refused with its fields") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.geojson");
  write_file(path, std::string(R"({"type": "FeatureCollection", )") + kFeatures + "}");
  const VectorSource source = open_vector_source(path);
  OGRLayer& layer = *source.dataset->GetLayer(0);
  select_features(layer, path, "class = 'ash'");
  CHECK(layer.GetFeatureCount() == 1);
  CHECK(OGRFeatureUniquePtr(layer.GetNextFeature()) != nullptr);
  CHECK_NOTHROW(select_features(layer, path, std::nullopt));
  CHECK(layer.GetFeatureCount() == 2);
  CHECK_NOTHROW(select_features(layer, path, "class = 'a;b' or \"class\" = 'x;y'"));
  CHECK(message_of<ConfigError>([&] { select_features(layer, path, "class = 'a'; and id = 1"); }) ==
        path + ": the condition \"class = 'a'; and id = 1\" has a semicolon; it must be a single one");
  const std::string refused = message_of<ConfigError>([&] { select_features(layer, path, "kind = 'ash'"); });
  CHECK(contains(refused, path + ": the condition \"kind = 'ash'\" does not go with the layer: "));
  CHECK(contains(refused, "; layer a has class (String)"));
}

TEST_CASE("beside a file of GML that is read nothing is left") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.gml");
  write_file(path,
             R"(<ogr:FeatureCollection xmlns:ogr="http://ogr.maptools.org/" xmlns:gml="http://www.opengis.net/gml">
    <gml:featureMember><ogr:a><ogr:geometryProperty><gml:Point><gml:coordinates>500000.5,3999999.5</gml:coordinates>
    </gml:Point></ogr:geometryProperty><ogr:class>oak</ogr:class></ogr:a></gml:featureMember></ogr:FeatureCollection>)");
  CHECK(file_kind(path) == FileKind::vector);
  CHECK(read_points(path).pixels.size() == 1);
  CHECK_FALSE(assumes_crs(path));
  CHECK_FALSE(std::filesystem::exists(folder.file("a.gfs")));
}

TEST_CASE("a table of points is the same however a program has saved it") {
  const TemporaryFolder folder;
  const std::string utf16 = [] {
    std::string bytes = "\xff\xfe";
    for (const char letter : std::string("x;y;class\r\n500000,5;3999999,5;oak\r\n500003,5;3999999,5;ash\r\n")) {
      bytes += {letter, '\0'};
    }
    return bytes;
  }();
  int number = 0;
  for (const std::string& content :
       {std::string("x,y,class\n500000.5,3999999.5,oak\n500003.5,3999999.5,ash\n"),
        std::string("sep=;\nx;y;class\n500000,5;3999999,5;oak\n500003,5;3999999,5;ash\n;;\n\n"),
        std::string("id,geometry,class\n1,POINT (500000.5 3999999.5),oak\n2,POINT (500003.5 3999999.5),ash\n"),
        std::string(
            "wkt_geom\tclass\nPoint (500000.5 3999999.5)\toak\n"
            "\"Polygon ((500003 4000000, 500004 4000000, 500004 3999999, 500003 3999999, 500003 4000000))\"\tash\n"),
        std::string("\xef\xbb\xbfx\ty\tclass\r\n\"500000,5\"\t3999999,5\toak\r\n500003,5\t3999999,5\tash"),
        std::string("\"class\",\"x\",\"y\"\r\"oak\",\"500000,5\",\"3999999,5\"\r\"ash\",\"500003,5\",\"3999999,5\"\r"),
        utf16}) {
    for (const char* extension : {".csv", ".tsv", ".txt"}) {
      CAPTURE(content);
      const std::string path = folder.file(std::to_string(++number) + extension);
      write_file(path, content);
      const LabelledPixels labels = read_points(path);
      CHECK(labels.classes == ClassTable{{1, "ash", {}}, {2, "oak", {}}});
      REQUIRE(labels.pixels.size() == 2);
      CHECK(labels.pixels[1].pixel == 3);
      const VectorSource source = open_vector_source(path);
      CHECK(source.files == std::vector<std::string>{path});
    }
  }
}

TEST_CASE("codes of a table may be real numbers with gaps, and others are refused with their value") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.csv");
  write_file(
      path, "x,y,class\n500000.5,3999999.5,1.0\n500003.5,3999999.5,NA\n500001.5,3999999.5,\n500002.5,3999999.5,12.0\n");
  const LabelledPixels labels = read_points(path);
  CHECK(labels.classes == ClassTable{{1, "1", {}}, {12, "12", {}}});
  CHECK(labels.pixels.size() == 2);
  write_file(path, "x,y,class\n500000.5,3999999.5,1.0\n500003.5,3999999.5,1.5\n");
  CHECK(contains(message_of<DataError>([&] { read_points(path); }), "'class' of feature 2 is 1.5; codes of classes"));
}

TEST_CASE("texts of a table that programs take for numbers, truth values or dates are names") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.csv");
  const auto names_of = [&](const std::string& first, const std::string& second) {
    write_file(path, "x,y,class\n500000.5,3999999.5," + first + "\n500003.5,3999999.5," + second + "\n");
    return class_names(read_points(path).classes);
  };
  using ClassNames = std::vector<std::string>;
  CHECK(names_of("01", "1") == ClassNames{"01", "1"});
  CHECK(names_of("03", "11") == ClassNames{"03", "11"});
  CHECK(names_of("1E1", "2E1") == ClassNames{"1E1", "2E1"});
  CHECK(names_of("yes", "no") == ClassNames{"no", "yes"});
  CHECK(names_of("2026/11/30", "2026-11-29") == ClassNames{"2026-11-29", "2026/11/30"});
  CHECK(names_of("12:30", "TRUE") == ClassNames{"12:30", "TRUE"});
  // Values that are not whole stay numbers, which conditions compare.
  write_file(path, "x,y,ndvi,class\n500000.5,3999999.5,1e-5,oak\n500003.5,3999999.5,0.3,ash\n");
  const LabelOptions options{"class", "ndvi < 0.1"};
  CHECK(class_names(read_labels(path, options, utm_grid(10, 10), "scene.tif").classes) == ClassNames{"oak"});
}

TEST_CASE("a row of a table with a text beyond the header is refused with its line, and one with blanks is not") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.csv");
  write_file(path, "x,y,class\n500000.5,3999999.5,oak,,\n\n500003.5,3999999.5,meadow, wet\n");
  CHECK(message_of<DataError>([&] { read_points(path); }) ==
        path + ": line 4 has 'wet' beyond the 3 columns of the header; texts that hold the separator need quotes");
  write_file(path, "x,y,class\n500000.5,3999999.5,oak,,\n500003.5,3999999.5,\"meadow, wet\"\n");
  CHECK(class_names(read_points(path).classes) == std::vector<std::string>{"meadow, wet", "oak"});
}

TEST_CASE("a table that cannot be read is named as the user names it") {
  const TemporaryFolder folder;
  const std::string path = folder.file("empty.csv");
  write_file(path, "");
  const std::string message = message_of<DataError>([&] { read_points(path); });
  CHECK(message.starts_with(path));
  CHECK_FALSE(contains(message, "/vsimem"));
}

TEST_CASE("GeoJSON without a reference system has that of the user, and what it states counts before") {
  const TemporaryFolder folder;
  const std::string bare = folder.file("bare.geojson");
  write_file(bare, std::string(R"({"type": "FeatureCollection", )") + kFeatures + "}");
  CHECK(assumes_crs(bare));
  CHECK(read_points(bare, 32617).pixels.size() == 2);
  const std::string message = message_of<DataError>([&] { read_points(bare); });
  CHECK(contains(message, "names no coordinate reference system"));
  CHECK(contains(message, "--crs"));
  const std::string stated = folder.file("stated.geojson");
  for (const bool first : {true, false}) {
    const std::string crs = R"("crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32617"}})";
    write_file(stated, std::string(R"({"type": "FeatureCollection", )") + (first ? crs + ", " : "") + kFeatures +
                           (first ? "" : ", " + crs) + "}");
    CHECK_FALSE(assumes_crs(stated));
    CHECK(read_points(stated).pixels.size() == 2);
    CHECK(contains(message_of<ConfigError>([&] { read_points(stated, 32618); }), "but --crs says EPSG:32618"));
  }
  write_file(bare, std::string(R"({"type": "FeatureCollection", "crs": null, )") + kFeatures + "}");
  CHECK(assumes_crs(bare));
  CHECK(read_points(bare, 32617).pixels.size() == 2);
  const std::string kml = folder.file("a.kml");
  write_file(kml,
             "<kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><Placemark><name>a</name><Point>"
             "<coordinates>1,2</coordinates></Point></Placemark></Document></kml>");
  CHECK_FALSE(assumes_crs(kml));
}

TEST_CASE("labels may be named by the source of a layer, and in an archive") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.gpkg");
  {
    const DatasetPtr dataset(
        GetGDALDriverManager()->GetDriverByName("GPKG")->Create(path.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
    OGRSpatialReference reference;
    reference.importFromEPSG(32617);
    for (const char* name : {"first", "second"}) {
      OGRLayer* layer = dataset->CreateLayer(name, &reference, wkbPoint, nullptr);
      OGRFieldDefn field("class", OFTString);
      layer->CreateField(&field);
      for (const double x : {500000.5, 500001.5}) {
        OGRFeature feature(layer->GetLayerDefn());
        feature.SetField(0, (std::string(name) + (x > 500001 ? " b" : " a")).c_str());
        const OGRPoint point(x, 3999999.5);
        feature.SetGeometry(&point);
        CHECK(layer->CreateFeature(&feature) == OGRERR_NONE);
      }
    }
  }
  CHECK(read_points(path + "|layername=second").classes.front().name == "second a");
  const LabelledPixels filtered = read_points(path + "|layername=first|subset=\"class\" = 'first b'");
  CHECK(filtered.classes == ClassTable{{1, "first b", {}}});
  LabelOptions options{"class", std::nullopt};
  const LabelledPixels both =
      read_labels(std::vector{path + "|layername=first", path + "|layername=second"}, options, utm_grid(10, 10), "s");
  CHECK(both.classes.size() == 4);
  options.layer = "first";
  CHECK(contains(
      message_of<ConfigError>([&] { read_labels(path + "|layername=second", options, utm_grid(10, 10), "s"); }),
      "--layer names another layer"));
  const std::string archive = folder.file("a.zip");
  REQUIRE(CPLCopyFile(("/vsizip/" + archive + "/in/a.gpkg").c_str(), path.c_str()) == 0);
  CHECK(read_points(archive + "|layername=second").pixels.size() == 2);
}

TEST_CASE("labels on a map do not go with a scene that has coefficients in place of a geotransform") {
  const TemporaryFolder folder;
  const std::string scene = folder.file("rpc.tif");
  {
    const DatasetPtr dataset = create_raster(scene, 10, 10, 1, GDT_Byte);
    CPLStringList rpc;
    for (const char* item : {"LINE_OFF=5", "SAMP_OFF=5", "LAT_OFF=36", "LONG_OFF=-81", "HEIGHT_OFF=0", "LINE_SCALE=5",
                             "SAMP_SCALE=5", "LAT_SCALE=1", "LONG_SCALE=1", "HEIGHT_SCALE=1"}) {
      rpc.AddString(item);
    }
    for (const char* item : {"LINE_NUM_COEFF", "LINE_DEN_COEFF", "SAMP_NUM_COEFF", "SAMP_DEN_COEFF"}) {
      rpc.SetNameValue(item, "1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0");
    }
    dataset->SetMetadata(rpc.List(), "RPC");
  }
  write_file(folder.file("a.csv"), "lon,lat,class\n5,5,oak\n");
  const RasterGrid grid{10, 10, std::nullopt, ""};
  CHECK(contains(message_of<DataError>([&] {
                   read_labels(folder.file("a.csv"), {"class", {}}, grid, scene);
                 }),
                 "rational polynomial coefficients (RPC)"));
  // Columns and rows are no map coordinates.
  write_file(folder.file("a.csv"), "x,y,class\n5,5,oak\n");
  CHECK(read_labels(folder.file("a.csv"), {"class", {}}, grid, scene).pixels.front().pixel == 55);
}
