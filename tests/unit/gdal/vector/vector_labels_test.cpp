#include "gdal/vector/vector_labels.hpp"

#include <doctest/doctest.h>
#include <ogrsf_frmts.h>
#include <sys/stat.h>

#include <map>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/vector/labels.hpp"

#include "unit/gdal/raster/raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

struct Shape {
  const char* wkt;
  const char* text;  // null: NULL
  int code;          // -1: NULL
};

std::string write_layer(const std::string& path, const std::vector<Shape>& shapes, int epsg = 32617,
                        const char* driver = "GPKG") {
  initialise_gdal();
  const DatasetPtr dataset(
      GetGDALDriverManager()->GetDriverByName(driver)->Create(path.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
  OGRSpatialReference reference;
  reference.importFromEPSG(epsg == 0 ? 32617 : epsg);
  reference.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  OGRLayer* layer = dataset->CreateLayer("labels", epsg == 0 ? nullptr : &reference, wkbUnknown, nullptr);
  OGRFieldDefn text("species", OFTString);
  OGRFieldDefn code("code", OFTInteger);
  OGRFieldDefn height("height", OFTReal);
  layer->CreateField(&text);
  layer->CreateField(&code);
  layer->CreateField(&height);
  for (const Shape& shape : shapes) {
    OGRFeature feature(layer->GetLayerDefn());
    if (shape.text != nullptr) {
      feature.SetField(0, shape.text);
    }
    if (shape.code != -1) {
      feature.SetField(1, shape.code);
    }
    OGRGeometry* geometry = nullptr;
    OGRGeometryFactory::createFromWkt(shape.wkt, nullptr, &geometry);
    feature.SetGeometryDirectly(geometry);
    if (layer->CreateFeature(&feature) != OGRERR_NONE) {
      throw std::runtime_error("fixture layer cannot be written");
    }
  }
  return path;
}

// On utm_grid(10, 10): origin (500000, 4000000), pixels of 1 m.
constexpr const char* top_left =
    "POLYGON ((500000 4000000, 500003 4000000, 500003 3999998, 500000 3999998, 500000 4000000))";
constexpr const char* overlapping =
    "POLYGON ((500002 4000000, 500005 4000000, 500005 3999998, 500002 3999998, 500002 4000000))";
constexpr const char* point = "POINT (500007.5 3999992.5)";
constexpr const char* far_away = "POINT (600000 3999992.5)";

LabelledPixels read_vector(const std::string& path, const char* field,
                           std::optional<std::string> where = std::nullopt) {
  return read_labels(path, {field, std::move(where)}, utm_grid(10, 10), "scene.tif");
}

}  // namespace

TEST_CASE("text classes get codes in byte order; empty text is unlabelled; claims are settled") {
  const TemporaryFolder folder;
  const std::string path = write_layer(folder.file("a.gpkg"), {{top_left, "pine", 3},
                                                               {overlapping, "Oak", 1},
                                                               {top_left, "pine", 3},
                                                               {point, "", 0},
                                                               {point, nullptr, -1},
                                                               {point, "ash", 7},
                                                               {far_away, "yew", 9},
                                                               {far_away, "pine", 3}});
  const LabelledPixels labels = read_vector(path, "species");
  CHECK(labels.named_by_text);
  CHECK(labels.classes == ClassTable{{1, "Oak", {}}, {2, "ash", {}}, {3, "pine", {}}});
  CHECK(labels.conflicting == 2);  // column 2 of both rows
  CHECK(labels.outside == 2);
  std::map<std::int64_t, int> label_of;
  for (const LabelledPixel& pixel : labels.pixels) {
    label_of[pixel.pixel] = pixel.label;
    CHECK(pixel.region == (pixel.label == 2 ? 1 : pixel.label == 0 ? 2 : 6));  // the first feature's
  }
  CHECK(label_of ==
        std::map<std::int64_t, int>{{0, 2}, {1, 2}, {3, 0}, {4, 0}, {10, 2}, {11, 2}, {13, 0}, {14, 0}, {77, 1}});
  CHECK(labels.pixels.size() == label_of.size());
  CHECK(std::is_sorted(labels.pixels.begin(), labels.pixels.end(),
                       [](const LabelledPixel& a, const LabelledPixel& b) { return a.pixel < b.pixel; }));
}

TEST_CASE("of labels thinner than a pixel, areas with a centre and all lines have pixels, and the others are counted") {
  const TemporaryFolder folder;
  const auto strip = [](double west, double east) {
    const std::string x[2] = {std::to_string(west), std::to_string(east)};
    return "POLYGON ((" + x[0] + " 4000000," + x[1] + " 4000000," + x[1] + " 3999997," + x[0] + " 3999997," + x[0] +
           " 4000000))";
  };
  const std::string between = strip(500005.1, 500005.3);
  const std::string on_centres = strip(500001.4, 500001.6);
  const LabelledPixels labels = read_vector(
      write_layer(folder.file("a.gpkg"), {{between.c_str(), "ditch", 0},
                                          {between.c_str(), "road", 0},
                                          {on_centres.c_str(), "road", 0},
                                          {"LINESTRING (500007.1 3999995.1, 500007.2 3999992.9)", "ditch", 0}}),
      "species");
  CHECK(labels.outside == 2);
  CHECK(outside_text(labels) == "2 (class 'ditch': 1, class 'road': 1)");
  std::map<std::int64_t, int> label_of;
  for (const LabelledPixel& pixel : labels.pixels) {
    label_of[pixel.pixel] = pixel.label;
  }
  CHECK(label_of == std::map<std::int64_t, int>{{1, 1}, {11, 1}, {21, 1}, {47, 0}, {57, 0}, {67, 0}, {77, 0}});
}

TEST_CASE("merged classes do not contend for a pixel, and one that counts as unlabelled claims none") {
  const TemporaryFolder folder;
  const std::string path =
      write_layer(folder.file("a.gpkg"), {{top_left, "pine", 3}, {overlapping, "Oak", 1}, {point, "ash", 7}});
  LabelOptions options{"species", std::nullopt};
  options.rules = ClassRules{"t", {{"pine", "tree"}, {"Oak", "tree"}}};
  const LabelledPixels merged = read_labels(path, options, utm_grid(10, 10), "s");
  CHECK(merged.conflicting == 0);
  CHECK(merged.classes == ClassTable{{1, "ash", {}}, {2, "tree", {}}});
  CHECK(merged.pixels.size() == 11);
  options.rules = ClassRules{"t", {{"Oak", ""}}};
  const LabelledPixels without = read_labels(path, options, utm_grid(10, 10), "s");
  CHECK(without.conflicting == 0);
  CHECK(without.classes == ClassTable{{1, "ash", {}}, {2, "pine", {}}});
  CHECK(without.pixels.size() == 7);
}

TEST_CASE("of two fields that differ in upper and lower case, the one of the very name is taken") {
  const TemporaryFolder folder;
  const std::string path = folder.file("two.geojson");
  write_file(path, R"({"type": "FeatureCollection", "features": [{"type": "Feature",
    "properties": {"Class": "pine", "class": "oak"},
    "geometry": {"type": "Point", "coordinates": [500007.5, 3999992.5]}}]})");
  const auto class_in = [&](const char* field) {
    return read_labels(path, {.class_field = field, .epsg = 32617}, utm_grid(10, 10), "s").classes.at(0).name;
  };
  CHECK(class_in("class") == "oak");
  CHECK(class_in("Class") == "pine");
  CHECK(class_in("CLASS") == "pine");
}

TEST_CASE("integer classes keep their codes; 0 and NULL are unlabelled") {
  const TemporaryFolder folder;
  const std::string path = write_layer(
      folder.file("a.gpkg"), {{top_left, "x", 200}, {point, "y", 10}, {overlapping, "z", 0}, {overlapping, "z", -1}});
  const LabelledPixels labels = read_vector(path, "code");
  CHECK_FALSE(labels.named_by_text);
  CHECK(labels.classes == ClassTable{{10, "10", {}}, {200, "200", {}}});
  CHECK(labels.pixels.size() == 7);
  CHECK(labels.conflicting == 0);
  CHECK(std::ranges::find(labels.messages, path + ": features of the class 0 that count as unlabelled: 1; --zero-class "
                                                  "makes a class of them") != labels.messages.end());
  LabelOptions options{"code", std::nullopt};
  options.zero_class = true;
  CHECK(read_labels(path, options, utm_grid(10, 10), "scene.tif").classes ==
        ClassTable{{10, "10", {}}, {200, "200", {}}, {201, "0", {}}});
  const std::string bad = write_layer(folder.file("b.gpkg"), {{top_left, "x", 70000}});
  CHECK(contains(message_of<DataError>([&] { read_vector(bad, "code"); }), "'code' of feature 1 is 70000"));
}

TEST_CASE("several files are one set of labels: classes by name or code, regions apart, claims settled together") {
  const TemporaryFolder folder;
  const std::string first = write_layer(folder.file("a.gpkg"), {{top_left, "pine", 3}, {far_away, "yew", 9}});
  const std::string second =
      write_layer(folder.file("b.geojson"), {{overlapping, "Oak", 1}, {point, "pine", 3}}, 32617, "GeoJSON");
  const auto read_both = [&](const std::vector<std::string>& paths, const char* field) {
    return read_labels(paths, {field, std::nullopt}, utm_grid(10, 10), "scene.tif");
  };
  const LabelledPixels labels = read_both({first, second}, "species");
  CHECK(labels.classes == ClassTable{{1, "Oak", {}}, {2, "pine", {}}});
  CHECK(labels.conflicting == 2);
  CHECK(labels.outside == 1);
  CHECK(labels.has_regions);
  std::map<std::int64_t, std::pair<int, std::int64_t>> found;
  for (const LabelledPixel& pixel : labels.pixels) {
    found[pixel.pixel] = {pixel.label, pixel.region};
  }
  // Features of the first file are 1 and 2, those of the second 0 and 1: counted on from 3.
  CHECK(found == std::map<std::int64_t, std::pair<int, std::int64_t>>{{0, {1, 1}},
                                                                      {1, {1, 1}},
                                                                      {3, {0, 3}},
                                                                      {4, {0, 3}},
                                                                      {10, {1, 1}},
                                                                      {11, {1, 1}},
                                                                      {13, {0, 3}},
                                                                      {14, {0, 3}},
                                                                      {77, {1, 4}}});
  // The other order gives the same pixels and classes.
  const LabelledPixels turned = read_both({second, first}, "species");
  CHECK(turned.classes == labels.classes);
  REQUIRE(turned.pixels.size() == labels.pixels.size());
  for (std::size_t i = 0; i < labels.pixels.size(); ++i) {
    CHECK(turned.pixels[i].pixel == labels.pixels[i].pixel);
    CHECK(turned.pixels[i].label == labels.pixels[i].label);
  }
  CHECK(read_both({first, second}, "code").classes == ClassTable{{1, "1", {}}, {3, "3", {}}});
}

TEST_CASE("more texts than a map has values are refused") {
  const TemporaryFolder folder;
  std::string table = "WKT,species\n";
  for (int i = 0; i < 65536; ++i) {
    table += std::string(point) + ",s" + std::to_string(i) + "\n";
  }
  write_file(folder.file("a.csv"), table);
  CHECK(message_of<DataError>([&] { read_vector(folder.file("a.csv"), "species"); }) ==
        "the labels have 65536 different texts; a map holds 65535 classes");
}

TEST_CASE("geometries in EWKT are refused with what to write") {
  const TemporaryFolder folder;
  write_file(folder.file("a.csv"), "geometry,species\nSRID=32631;" + std::string(point) + ",oak\n");
  CHECK(message_of<DataError>([&] { read_vector(folder.file("a.csv"), "species"); }) ==
        folder.file("a.csv") + ": the field 'geometry' has 'SRID=32631;" + point +
            "', which is EWKT; write WKT without the part before the semicolon, and name the reference system by --crs "
            "EPSG:n");
}

TEST_CASE("texts that are all whole numbers are codes, in all files or in none") {
  const TemporaryFolder folder;
  const std::string numbers = write_layer(
      folder.file("a.gpkg"), {{top_left, "10", 3}, {point, "2", 1}, {overlapping, "0", 1}, {far_away, "3", 2}});
  const LabelledPixels codes = read_vector(numbers, "species");
  CHECK_FALSE(codes.named_by_text);
  CHECK(codes.classes == ClassTable{{2, "2", {}}, {10, "10", {}}});
  CHECK(codes.pixels.size() == 7);
  CHECK(outside_text(codes) == "1 (class '3': 1)");
  CHECK(classes_outside(codes) == std::vector<std::string>{"3"});
  CHECK(codes.messages.back() == numbers + ": all texts of its classes are whole numbers and are read as codes");
  // The same classes as an integer field, with which the file can be read.
  const std::string other = write_layer(folder.file("b.gpkg"), {{point, "oak", 2}});
  const auto read = [&](const std::vector<std::string>& files) {
    return read_labels(files, {"species", std::nullopt}, utm_grid(10, 10), "scene.tif");
  };
  const LabelledPixels names = read({numbers, other});
  CHECK(names.named_by_text);
  CHECK(names.classes == ClassTable{{1, "10", {}}, {2, "2", {}}, {3, "oak", {}}});
  CHECK(names.messages.back() == numbers +
                                     ": some texts of its classes are whole numbers, but not all ('oak'): all "
                                     "of them are names, and none is a code");
  const std::string zeros = write_layer(folder.file("c.gpkg"), {{top_left, "01", 3}, {point, "2", 1}});
  CHECK(read_vector(zeros, "species").classes == ClassTable{{1, "01", {}}, {2, "2", {}}});
}

TEST_CASE("a class that is called like a missing value is told") {
  const TemporaryFolder folder;
  const auto notes = [&](const char* text) {
    return read_vector(write_layer(folder.file(std::string(text) + ".gpkg"), {{top_left, "oak", 1}, {point, text, 2}}),
                       "species")
        .messages;
  };
  REQUIRE(notes("NA").size() == 1);
  CHECK(contains(notes("None")[0], "a class is called 'None', as missing values are"));
  CHECK(notes("Na").empty());
}

TEST_CASE("names that look equal are one class") {
  const TemporaryFolder folder;
  const std::string same =
      write_layer(folder.file("a.gpkg"), {{top_left, "for\x65\xcc\x82t", 3}, {point, "for\xc3\xaat\xc2\xa0", 1}});
  CHECK(read_vector(same, "species").classes == ClassTable{{1, "for\xc3\xaat", {}}});
}

TEST_CASE("texts beside the classes are kept with the codes that they occur with") {
  const TemporaryFolder folder;
  const std::string path = write_layer(folder.file("a.gpkg"), {{top_left, "oak", 3}, {point, "oak", 4}});
  CHECK(read_vector(path, "code").other_texts.at("species").at("oak") == std::set<std::string>{"3", "4"});
  // In points that parsimap draws, they are what the map says there.
  write_file(folder.file("points.csv"), "x,y,row,column,class,stratum\n500001,3999999,0,0,3,oak\n");
  CHECK(read_vector(folder.file("points.csv"), "class").other_texts.empty());
}

TEST_CASE("several files that do not go together are refused") {
  const TemporaryFolder folder;
  const std::string text = write_layer(folder.file("a.gpkg"), {{top_left, "pine", 3}});
  const std::string number = folder.file("b.geojson");
  write_file(number, R"({"type": "FeatureCollection",
    "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32617"}},
    "features": [{"type": "Feature", "properties": {"species": 4},
    "geometry": {"type": "Point", "coordinates": [500005, 3999995]}}]})");
  const auto refusal = [&](const std::vector<std::string>& paths) {
    return message_of<ConfigError>([&] { read_labels(paths, {"species", std::nullopt}, utm_grid(10, 10), "s"); });
  };
  CHECK(refusal({text, number}) == number + ": the class field 'species' holds numbers, but text in " + text +
                                       "; files of labels must name their classes in the same way");
  create_raster(folder.file("c.tif"), 10, 10, 1, GDT_Byte).reset();
  CHECK(contains(refusal({text, folder.file("c.tif")}), "c.tif is a raster"));
  const std::string outside = write_layer(folder.file("d.gpkg"), {{far_away, "pine", 3}});
  CHECK(
      contains(message_of<DataError>([&] {
                 read_labels(std::vector<std::string>{text, outside}, {"species", std::nullopt}, utm_grid(10, 10), "s");
               }),
               "d.gpkg: no feature owns a pixel"));
}

TEST_CASE("an id of a feature that cannot be counted on is refused") {
  const TemporaryFolder folder;
  const std::string path = folder.file("ids.geojson");
  write_file(path, R"({"type": "FeatureCollection", "features": [{"type": "Feature", "id": 9223372036854775807,
                       "properties": {"class": "a"}, "geometry": {"type": "Point", "coordinates": [1, 1]}}]})");
  RasterGrid grid;
  grid.width = 4;
  grid.height = 4;
  const std::string message =
      path + ": a feature has the id 9223372036854775807; ids are whole numbers from 0 to 9007199254740992";
  CHECK_THROWS_WITH_AS(read_labels(path, {.class_field = "class", .where = {}}, grid, "scene"), message.c_str(),
                       DataError);
}

TEST_CASE("a group field puts regions together, over files and whatever its type") {
  const TemporaryFolder folder;
  const std::string first = write_layer(folder.file("a.gpkg"), {{top_left, "pine", 3}, {point, "pine", -1}});
  const std::string second = write_layer(folder.file("b.gpkg"), {{overlapping, "pine", 3}});
  const LabelledPixels labels =
      read_labels(std::vector<std::string>{first, second}, {"species", std::nullopt, "code"}, utm_grid(10, 10), "s");
  // Without a code the second feature of the first file is by itself.
  const SampleUnit group{0, SampleUnit::Reason::group};
  CHECK(labels.region_units == std::map<std::int64_t, SampleUnit>{{1, group}, {4, group}});
  CHECK(contains(message_of<ConfigError>([&] {
                   read_labels(first, {"species", std::nullopt, "plot"}, utm_grid(10, 10), "s");
                 }),
                 "there is no group field 'plot'; layer labels has species (String), code (Integer), height (Real)"));
  // Texts of groups are as they are written, and empty ones are no group.
  write_file(folder.file("a.csv"),
             "x,y,class,plot\n500001,3999999,oak,01\n500004,3999999,oak,1\n500007,3999999,oak,\n500009,3999999,oak,\n");
  CHECK(read_labels(folder.file("a.csv"), {"class", std::nullopt, "plot"}, utm_grid(10, 10), "s").region_units ==
        std::map<std::int64_t, SampleUnit>{{1, group}, {2, {1, SampleUnit::Reason::group}}});
}

TEST_CASE("a field of units groups features where there is one and no other is named") {
  const TemporaryFolder folder;
  const std::string path =
      write_layer(folder.file("a.gpkg"), {{top_left, "pine", 3}, {point, "pine", 3}, {overlapping, "pine", 5}});
  LabelOptions options{"species", std::nullopt};
  options.unit_field = "code";
  const LabelledPixels labels = read_labels(path, options, utm_grid(10, 10), "s");
  CHECK(labels.unit_of(1) == labels.unit_of(2));
  CHECK(labels.unit_of(1) != labels.unit_of(3));
  REQUIRE(labels.messages.size() == 1);
  CHECK(labels.messages[0] == path + ": pixels with the same value of the field 'code' count as one region");
  options.group_field = "height";
  CHECK(read_labels(path, options, utm_grid(10, 10), "s").messages.empty());
  options.group_field = std::nullopt;
  options.unit_field = "test_unit";
  const LabelledPixels without = read_labels(path, options, utm_grid(10, 10), "s");
  CHECK(without.region_units.empty());
  CHECK(without.messages.empty());
}

TEST_CASE("parts of features are regions where that is asked for, with the same pixels") {
  const TemporaryFolder folder;
  // Two polygons that overlap in column 2; points and lines in nested collections.
  const std::string pair =
      std::string("MULTIPOLYGON (") + std::string(top_left).substr(8) + "," + std::string(overlapping).substr(8) + ")";
  const std::string nested = std::string("GEOMETRYCOLLECTION (") + point +
                             ", GEOMETRYCOLLECTION (MULTIPOINT (500000.5 3999990.5, 500009.5 3999990.5)), "
                             "MULTILINESTRING ((500000.5 3999995.5, 500002.5 3999995.5), (500004.5 3999995.5, "
                             "500004.5 3999996.5)))";
  const std::string path =
      write_layer(folder.file("a.gpkg"), {{pair.c_str(), "pine", 3}, {nested.c_str(), "oak", 1}, {far_away, "yew", 9}});
  const auto regions = [&](bool separate_parts, std::optional<std::string> group_field = std::nullopt) {
    return read_labels(path, {"species", std::nullopt, std::move(group_field), separate_parts}, utm_grid(10, 10), "s");
  };
  const LabelledPixels parts = regions(true, "code");
  const LabelledPixels features = regions(false, "code");
  CHECK(parts.conflicting == 0);
  CHECK(parts.outside == 1);
  REQUIRE(parts.pixels.size() == features.pixels.size());
  std::map<std::int64_t, std::vector<std::int64_t>> pixels_of;
  for (std::size_t i = 0; i < parts.pixels.size(); ++i) {
    CHECK(parts.pixels[i].pixel == features.pixels[i].pixel);
    CHECK(parts.pixels[i].label == features.pixels[i].label);
    CHECK(features.pixels[i].region == (features.pixels[i].label == 1 ? 1 : 2));
    pixels_of[parts.pixels[i].region].push_back(parts.pixels[i].pixel);
  }
  // What both polygons own is the first one's.
  CHECK(pixels_of == std::map<std::int64_t, std::vector<std::int64_t>>{{1, {0, 1, 2, 10, 11, 12}},
                                                                       {2, {3, 4, 13, 14}},
                                                                       {3, {77}},
                                                                       {4, {90}},
                                                                       {5, {99}},
                                                                       {6, {40, 41, 42}},
                                                                       {7, {34, 44}}});
  CHECK(parts.feature_of(2) == 1);
  CHECK(parts.feature_of(7) == 2);
  CHECK(features.feature_of(2) == 2);
  for (const auto& [region, unit] : parts.region_units) {
    CHECK(unit == SampleUnit{region < 3 ? 0 : region < 8 ? 1 : 2, SampleUnit::Reason::group});
  }
  CHECK(parts.region_units.size() == 8);
}

TEST_CASE("a condition selects features; a wrong one is reported with the driver's words") {
  const TemporaryFolder folder;
  for (const auto& [name, driver] : {std::pair{"a.gpkg", "GPKG"}, std::pair{"a.geojson", "GeoJSON"}}) {
    const std::string path = write_layer(folder.file(name), {{top_left, "pine", 3}, {point, "oak", 1}}, 32617, driver);
    CAPTURE(path);
    CHECK(read_vector(path, "species", "code = 1 AND species IN ('oak','elm')").classes.size() == 1);
    const std::string refused = message_of<ConfigError>([&] { read_vector(path, "species", "absent = 1"); });
    CHECK(contains(refused, "absent"));
    CHECK(contains(refused, "; layer "));
    CHECK(contains(refused, "species (String), code (Integer)"));
    CHECK(contains(message_of<ConfigError>([&] { read_vector(path, "species", "code = = 1"); }), "code = = 1"));
    CHECK(contains(message_of<DataError>([&] { read_vector(path, "species", "code = 99"); }), "code = 99"));
  }
}

TEST_CASE("the class field is needed, known, and of a type that names classes") {
  const TemporaryFolder folder;
  const std::string path = write_layer(folder.file("a.gpkg"), {{top_left, "pine", 3}});
  const std::string unknown = message_of<ConfigError>([&] { read_vector(path, "genus"); });
  CHECK(contains(unknown, "'genus'"));
  CHECK(contains(unknown, "species (String), code (Integer), height (Real)"));
  CHECK(contains(message_of<DataError>([&] { read_vector(path, "height"); }), "no feature has a class in the field"));
  CHECK(contains(message_of<ConfigError>([&] { read_labels(path, {}, utm_grid(10, 10), "s"); }), "need a class field"));
}

TEST_CASE("features in another reference system are brought to the scene's, one without is taken as it is") {
  const TemporaryFolder folder;
  const std::string geographic = folder.file("lonlat.gpkg");
  {
    OGRSpatialReference utm;
    utm.importFromEPSG(32617);
    OGRSpatialReference degrees;
    degrees.importFromEPSG(4326);
    degrees.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    const std::unique_ptr<OGRCoordinateTransformation> transformation(
        OGRCreateCoordinateTransformation(&utm, &degrees));
    OGRGeometry* geometry = nullptr;
    OGRGeometryFactory::createFromWkt(top_left, nullptr, &geometry);
    geometry->transform(transformation.get());
    char* text = nullptr;
    geometry->exportToWkt(&text);
    write_layer(geographic, {{text, "pine", 1}}, 4326);
    CPLFree(text);
    delete geometry;
  }
  const std::string bare = write_layer(folder.file("bare.geojson"), {{top_left, "pine", 1}}, 32617, "GeoJSON");
  const auto pixels = [&](const std::string& path, const RasterGrid& grid) {
    std::vector<std::int64_t> found;
    for (const LabelledPixel& pixel : read_labels(path, {"species", std::nullopt}, grid, "s").pixels) {
      found.push_back(pixel.pixel);
    }
    return found;
  };
  const std::vector<std::int64_t> expected{0, 1, 2, 10, 11, 12};
  CHECK(pixels(geographic, utm_grid(10, 10)) == expected);
  CHECK(pixels(bare, utm_grid(10, 10)) == expected);
  RasterGrid without_crs = utm_grid(10, 10);
  without_crs.crs.clear();
  CHECK(pixels(bare, without_crs) == expected);
  write_layer(folder.file("none.shp"), {{top_left, "pine", 1}}, 0, "ESRI Shapefile");
  CHECK(pixels(folder.file("none.shp"), utm_grid(10, 10)) == expected);
}

TEST_CASE("features off the scene are an error that names both places") {
  const TemporaryFolder folder;
  const std::string path = write_layer(folder.file("a.gpkg"), {{far_away, "pine", 3}});
  const std::string message = message_of<DataError>([&] { read_vector(path, "species"); });
  CHECK(contains(message, "no feature owns a pixel of scene.tif"));
  CHECK(contains(message, "EPSG:32617"));
  CHECK(contains(message, "x 600000 to 600000"));
  CHECK(contains(message, "x 500000 to 500010"));
  write_file(folder.file("p.csv"), "lon,lat,class\n500001,4000001,oak\n");
  const std::string no_degrees = message_of<DataError>([&] { read_vector(folder.file("p.csv"), "class"); });
  CHECK(contains(no_degrees, "in the file their coordinates are x 500001 to 500001"));
  CHECK(contains(no_degrees, "are none: --crs EPSG:n names their system"));
}

TEST_CASE("polygons that are smaller than a pixel and hold no centre are refused in these words") {
  const TemporaryFolder folder;
  const std::string path =
      write_layer(folder.file("a.gpkg"),
                  {{"POLYGON ((500000 4000000, 500000.3 4000000, 500000 3999999.7, 500000 4000000))", "pine", 3}});
  CHECK(contains(message_of<DataError>([&] { read_vector(path, "species"); }),
                 "no feature owns a pixel of scene.tif, as none holds the centre of one; the features"));
}

TEST_CASE("a scene whose pixels have no area is named") {
  const TemporaryFolder folder;
  const std::string path = write_layer(folder.file("a.gpkg"), {{top_left, "pine", 3}});
  RasterGrid grid = utm_grid(10, 10);
  grid.geotransform = {500000, 0, 0, 4000000, 0, 0};
  CHECK(contains(message_of<DataError>([&] {
                   read_labels(path, {"species", std::nullopt}, grid, "scene.tif");
                 }),
                 "the geotransform of scene.tif cannot be inverted"));
}

TEST_CASE("the layer with the class field is chosen") {
  const TemporaryFolder folder;
  const std::string path = folder.file("layers.gpkg");
  initialise_gdal();
  {
    const DatasetPtr dataset(
        GetGDALDriverManager()->GetDriverByName("GPKG")->Create(path.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
    for (const char* name : {"paths", "crowns"}) {
      OGRLayer* layer = dataset->CreateLayer(name, nullptr, wkbPoint, nullptr);
      OGRFieldDefn field(name, OFTString);
      layer->CreateField(&field);
      OGRFeature feature(layer->GetLayerDefn());
      feature.SetField(0, "pine");
      const OGRPoint place(500007.5, 3999992.5);
      feature.SetGeometry(&place);
      REQUIRE(layer->CreateFeature(&feature) == OGRERR_NONE);
    }
  }
  CHECK(read_vector(path, "crowns").pixels.size() == 1);
  // Several layers with the field: one is chosen by the user, whatever the case of the field's name.
  {
    const DatasetPtr dataset(GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR | GDAL_OF_UPDATE));
    OGRFieldDefn field("CROWNS", OFTString);
    dataset->GetLayerByName("paths")->CreateField(&field);
  }
  CHECK(message_of<ConfigError>([&] { read_vector(path, "crowns"); }) ==
        path +
            ": several layers have the class field 'crowns'; choose one with --layer, which may be 'paths' or "
            "'crowns'");
  LabelOptions options{"crowns", std::nullopt};
  options.layer = "crowns";
  CHECK(read_labels(path, options, utm_grid(10, 10), "s").pixels.size() == 1);
  options.layer = "paths";
  CHECK(contains(message_of<DataError>([&] { read_labels(path, options, utm_grid(10, 10), "s"); }),
                 "no feature has a class in the field 'CROWNS'"));
  options.layer = "roads";
  CHECK(contains(message_of<ConfigError>([&] { read_labels(path, options, utm_grid(10, 10), "s"); }),
                 "there is no layer 'roads'; the class field is in 'paths' or 'crowns'"));
  options.class_field = "paths";
  CHECK(contains(message_of<ConfigError>([&] { read_labels(path, options, utm_grid(10, 10), "s"); }),
                 "there is no layer 'roads'; the class field is in 'paths'"));
  CHECK(contains(message_of<ConfigError>([&] { read_vector(path, "other"); }), "layer paths has paths (String)"));
}

TEST_CASE("tables of names and layers without features are not taken for labels beside a layer with features") {
  const TemporaryFolder folder;
  const std::string path = write_layer(folder.file("a.gpkg"), {{top_left, "pine", 3}});
  {
    const DatasetPtr dataset(GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR | GDAL_OF_UPDATE));
    for (const auto& [name, type] : {std::pair{"empty", wkbPolygon}, std::pair{"names", wkbNone}}) {
      OGRLayer* layer = dataset->CreateLayer(name, nullptr, type, nullptr);
      OGRFieldDefn field("species", OFTString);
      layer->CreateField(&field);
      OGRFeature feature(layer->GetLayerDefn());
      feature.SetField(0, "pine");
      REQUIRE((type != wkbNone || layer->CreateFeature(&feature) == OGRERR_NONE));
    }
  }
  CHECK(read_vector(path, "species").pixels.size() == 6);
}

TEST_CASE("truth values and nested values are no classes") {
  const TemporaryFolder folder;
  write_file(folder.file("a.geojson"), R"({"type": "FeatureCollection", "features": [{"type": "Feature",
    "properties": {"wet": true, "use": {"name": "oak"}}, "geometry": {"type": "Point", "coordinates": [1, 1]}}]})");
  CHECK(contains(message_of<ConfigError>([&] { read_vector(folder.file("a.geojson"), "wet"); }),
                 "is of type Boolean (true or false); classes are whole numbers or text"));
  CHECK(contains(message_of<DataError>([&] { read_vector(folder.file("a.geojson"), "use"); }),
                 R"('use' of feature 0 is { "name": "oak" }; classes are whole numbers or text)"));
}

TEST_CASE("names in Latin-1 and names with space around them are read as what they mean, and a note says so") {
  const TemporaryFolder folder;
  const std::string path = write_layer(folder.file("a.gpkg"), {{top_left, " Oak", 1},
                                                               {point, "for\xeat\x01", 2},
                                                               {"POINT (500008.5 3999992.5)", "Oak ", 1},
                                                               {"POINT (500009.5 3999992.5)", "for\xc3\xaat", 1}});
  const LabelledPixels labels = read_vector(path, "species");
  CHECK(labels.classes == ClassTable{{1, "Oak", {}}, {2, "for\xc3\xaat", {}}});
  CHECK(
      labels.notes ==
      std::vector<std::string>{
          path + ": class names that are not UTF-8 were read as Latin-1 (ISO-8859-1): 'for\xc3\xaat'",
          path + ": class names were read without the white space around them and without control characters: 'Oak'"});
  CHECK(read_vector(write_layer(folder.file("b.gpkg"), {{top_left, "Oak", 1}}), "species").notes.empty());
}

TEST_CASE("a named pipe in the place of labels is not waited for") {
  const TemporaryFolder folder;
  const std::string pipe = folder.file("pipe.gpkg");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(message_of<DataError>([&] { read_vector(pipe, "species"); }) ==
        pipe + " is a named pipe; an input must be a regular file");
}
