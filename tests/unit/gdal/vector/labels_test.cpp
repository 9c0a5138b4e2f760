#include "parsimap/gdal/vector/labels.hpp"

#include <doctest/doctest.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/scene.hpp"

#include "gdal/vector/label_claims.hpp"
#include "unit/core/temporary_folder.hpp"
#include "unit/gdal/raster/raster_fixture.hpp"

namespace parsimap::test {

namespace {

std::string write_labels(const std::string& path, const std::optional<RasterGrid>& place, int width = 12,
                         int height = 9) {
  const DatasetPtr dataset = create_raster(path, width, height, 1, GDT_Byte);
  if (place) {
    georeference(*dataset, *place);
  }
  fill_band(*dataset, 1, [](int column, int row) { return row == 4 && column < 3 ? 20 : row == 8 ? 10 : 0; });
  return path;
}

RasterGrid shifted(double x) {
  RasterGrid grid = utm_grid(12, 9);
  (*grid.geotransform)[0] += x;
  return grid;
}

}  // namespace

TEST_CASE("a class raster labels its pixels") {
  const TemporaryFolder folder;
  const LabelledPixels labels =
      read_labels(write_labels(folder.file("a.tif"), utm_grid(12, 9)), {}, utm_grid(12, 9), "s");
  CHECK(labels.classes == ClassTable{{10, "10", {}}, {20, "20", {}}});
  REQUIRE(labels.pixels.size() == 15);
  CHECK(labels.pixels[0].pixel == 48);
  CHECK(labels.pixels[0].label == 1);
  CHECK(labels.pixels[14].pixel == 107);
  CHECK(labels.pixels[14].label == 0);
  CHECK(labels.pixels[14].region == 0);
  CHECK_FALSE(labels.named_by_text);
}

TEST_CASE("a class raster on another grid needs a place on the scene") {
  const TemporaryFolder folder;
  const RasterGrid grid = utm_grid(12, 9);
  const auto refused = [&](const std::string& path) {
    return message_of<DataError>([&] { read_labels(path, {}, grid, "scene.tif"); });
  };
  const std::string size = refused(write_labels(folder.file("size.tif"), std::nullopt, 12, 10));
  CHECK(contains(size, "12 x 10"));
  CHECK(contains(size, "scene.tif is 12 x 9"));
  const std::string place = refused(write_labels(folder.file("place.tif"), shifted(100)));
  CHECK(contains(place, "has no label under a pixel of scene.tif"));
  CHECK(contains(place, "x 500100 to 500112"));
  CHECK(contains(place, "x 500000 to 500012"));
  CHECK(refused(write_labels(folder.file("near.tif"), shifted(0.0005))).empty());
  CHECK(refused(write_labels(folder.file("bare.tif"), std::nullopt)).empty());
  RasterGrid other = utm_grid(12, 9);
  other.crs = wkt(32618);
  const std::string crs = refused(write_labels(folder.file("crs.tif"), other));
  CHECK(contains(crs, "EPSG:32618"));
  CHECK(contains(crs, "EPSG:32617"));
}

TEST_CASE("what carries no labels is refused") {
  const TemporaryFolder folder;
  const RasterGrid grid = utm_grid(12, 9);
  CHECK(contains(message_of<DataError>([&] { read_labels(folder.file("absent.tif"), {}, grid, "s"); }), "absent.tif"));
  CHECK(contains(message_of<DataError>([&] {
                   read_labels(folder.file("absent.gpkg"), {"a", {}}, grid, "s");
                 }),
                 "No such file"));
  create_raster(folder.file("rgb.tif"), 12, 9, 3, GDT_Byte);
  CHECK(contains(message_of<DataError>([&] { read_labels(folder.file("rgb.tif"), {}, grid, "s"); }),
                 "carries no classes"));
  const std::string raster = write_labels(folder.file("a.tif"), std::nullopt);
  CHECK(contains(message_of<ConfigError>([&] { read_labels(raster, {"field", {}}, grid, "s"); }), "is a raster"));
}

TEST_CASE("the Salinas-A split labels its scene") {
  const auto scene = data_path("salinasA/salinasA.hdr");
  if (!scene) {
    MESSAGE("skipped: PARSIMAP_DATA is not set");
    return;
  }
  const RasterGrid grid = open_scene(*scene).source->grid();
  const LabelledPixels train = read_labels(*data_path("salinasA/salinasA_train_block8.hdr"), {}, grid, *scene);
  const LabelledPixels test = read_labels(*data_path("salinasA/salinasA_test_block8.tif"), {}, grid, *scene);
  const LabelledPixels all = read_labels(*data_path("salinasA/salinasA_gt.hdr"), {}, grid, *scene);
  CHECK(train.pixels.size() == 2722);
  CHECK(all.pixels.size() == 5348);
  CHECK(train.pixels.size() + test.pixels.size() == all.pixels.size());
  CHECK(train.classes == all.classes);
}

TEST_CASE("what names no reference system is taken to share the other's, and a message says so") {
  std::vector<std::string> messages;
  RasterGrid bare = utm_grid(4, 4);
  bare.crs.clear();
  CHECK(crs_of_labels("a", "", std::nullopt, utm_grid(4, 4), "scene.tif", messages).empty());
  REQUIRE(messages.size() == 1);
  CHECK(contains(messages[0],
                 "a names no coordinate reference system: its coordinates are taken to be in that of "
                 "scene.tif, EPSG:32617 ("));
  CHECK(crs_of_labels("a", wkt(32618), std::nullopt, bare, "scene.tif", messages).empty());
  REQUIRE(messages.size() == 2);
  CHECK(contains(messages[1],
                 "scene.tif names no coordinate reference system: it is taken to be in that of a, EPSG:32618"));
  CHECK(crs_of_labels("a", "", std::nullopt, bare, "scene.tif", messages).empty());
  CHECK(same_crs(crs_of_labels("a", wkt(32618), std::nullopt, utm_grid(4, 4), "s", messages), wkt(32618)));
  CHECK(messages.size() == 2);
}

TEST_CASE("a reference system that the user names is that of labels without one") {
  std::vector<std::string> messages;
  CHECK(same_crs(crs_of_labels("a", "", 32618, utm_grid(4, 4), "s", messages), wkt(32618)));
  CHECK(same_crs(crs_of_labels("a", wkt(32618), 32618, utm_grid(4, 4), "s", messages), wkt(32618)));
  CHECK(messages.empty());
  CHECK(contains(message_of<ConfigError>(
                     [&] { static_cast<void>(crs_of_labels("a", wkt(32617), 32618, utm_grid(4, 4), "s", messages)); }),
                 "a is in EPSG:32617"));
  CHECK(transformation_between(wkt(32617), "", "a") == nullptr);
  CHECK(transformation_between(wkt(32617), wkt(32617), "a") == nullptr);
  CHECK(transformation_between(wkt(32617), wkt(32618), "a") != nullptr);
}

TEST_CASE("classes have the colours of a style beside the labels") {
  const TemporaryFolder folder;
  const std::string labels = write_labels(folder.file("a.tif"), utm_grid(12, 9));
  const auto colours = [&] {
    const ClassTable classes = read_labels(labels, {}, utm_grid(12, 9), "s").classes;
    return std::pair(classes[0].colour, classes[1].colour);
  };
  using Colours = std::pair<std::optional<Colour>, std::optional<Colour>>;
  CHECK(colours() == Colours{});
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder.file(name)) << text;
  };
  write("a.sld",
        "<sld:StyledLayerDescriptor xmlns:sld='s'><sld:ColorMap><sld:ColorMapEntry color='#0000ff' quantity='10' "
        "label='x'/></sld:ColorMap><sld:Rule><ogc:Filter xmlns:ogc='o'><ogc:Literal>20</ogc:Literal></ogc:Filter>"
        "<sld:Fill><sld:CssParameter name='fill'>#102030</sld:CssParameter></sld:Fill></sld:Rule>"
        "</sld:StyledLayerDescriptor>");
  CHECK(colours() == Colours{Colour{0, 0, 255}, Colour{16, 32, 48}});
  // A style of QGIS comes first; values without a colour are passed over.
  write("a.qml",
        "<qgis><renderer-v2 type='categorizedSymbol'><categories><category value='10' symbol='1' label='ten'/>"
        "<category value='20' symbol='0'/></categories><symbols><symbol name='1'><layer><Option type='Map'><Option "
        "name='color' value='7,8,9,255,rgb:0,0,0,1'/></Option></layer></symbol><symbol name='0'><layer><prop k='color' "
        "v='1,2,300,255'/></layer></symbol></symbols></renderer-v2></qgis>");
  CHECK(colours() == Colours{Colour{7, 8, 9}, Colour{16, 32, 48}});
  write("a.qml", "<qgis><paletteEntry value='20' color='#ff0080' label='twenty'/></qgis>");
  CHECK(colours() == Colours{Colour{0, 0, 255}, Colour{255, 0, 128}});
  write("a.qml", "<qgis");
  CHECK(colours() == Colours{Colour{0, 0, 255}, Colour{16, 32, 48}});
}

TEST_CASE("the only field beside identifiers and coordinates is the class field") {
  const TemporaryFolder folder;
  write_file(folder.file("a.csv"), "id,x,y,kind\n1,500001.5,3999998.5,pine\n2,500004.5,3999995.5,oak\n");
  const LabelledPixels labels = read_labels(folder.file("a.csv"), {}, utm_grid(10, 10), "s");
  CHECK(class_names(labels.classes) == std::vector<std::string>{"oak", "pine"});
  CHECK(std::ranges::any_of(labels.messages, [](const std::string& message) {
    return contains(message, "the classes are read from the field 'kind'");
  }));
  // Row names of R and the index of pandas have no header.
  for (const std::string first : {"\"\"", "", "index", "Unnamed: 0"}) {
    CAPTURE(first);
    write_file(folder.file("r.csv"), first + ",x,y,kind\n1,500001.5,3999998.5,pine\n2,500004.5,3999995.5,oak\n");
    CHECK(class_names(read_labels(folder.file("r.csv"), {}, utm_grid(10, 10), "s").classes) ==
          std::vector<std::string>{"oak", "pine"});
  }
  write_file(folder.file("b.csv"), "x,y,kind,crown\n500001.5,3999998.5,pine,3\n500004.5,3999995.5,oak,4\n");
  CHECK(contains(message_of<ConfigError>([&] { read_labels(folder.file("b.csv"), {}, utm_grid(10, 10), "s"); }),
                 "need a class field"));
}

TEST_CASE("the land cover of Berlin, one multi-part feature for each class, has many regions") {
  const auto scene_path = data_path("enmap_berlin/EnMAP_BerlinUrbanGradient.bsq");
  if (!scene_path) {
    MESSAGE("skipped: PARSIMAP_DATA is not set");
    return;
  }
  const auto scene = open_scene(*scene_path).source;
  const std::string polygons = *data_path("enmap_berlin/LandCov_BerlinUrbanGradient.shp");
  const auto count = [&](bool separate_parts) {
    const LabelledPixels labels =
        read_labels(polygons, {"Level_1", std::nullopt, std::nullopt, separate_parts}, scene->grid(), *scene_path);
    std::set<std::int64_t> regions;
    for (const LabelledPixel& pixel : labels.pixels) {
      regions.insert(pixel.region);
    }
    MESSAGE(regions.size() << " regions of " << labels.pixels.size() << " pixels in " << labels.classes.size()
                           << " classes");
    return regions.size();
  };
  CHECK(count(true) > 10 * count(false));
}

TEST_CASE("the crowns of the NEON mosaic, as in the issue and in degrees") {
  const auto mosaic = data_path("idtrees_osbs/mosaic.vrt");
  if (!mosaic) {
    MESSAGE("skipped: PARSIMAP_DATA is not set");
    return;
  }
  const auto scene = open_scene(*mosaic).source;
  const std::string crowns = *data_path("idtrees_osbs/crowns_OSBS.gpkg");
  const LabelOptions options{"taxonID", "split='train' AND taxonID IN ('PIPA2','QULA2','QUGE2')"};
  const LabelledPixels labels = read_labels(crowns, options, scene->grid(), *mosaic);
  std::map<std::string, int> counts;
  for (const LabelledPixel& pixel : labels.pixels) {
    ++counts[labels.classes[static_cast<std::size_t>(pixel.label)].name];
  }
  MESSAGE("PIPA2 " << counts["PIPA2"] << ", QUGE2 " << counts["QUGE2"] << ", QULA2 " << counts["QULA2"]
                   << ", conflicting " << labels.conflicting << ", outside " << labels.outside);
  REQUIRE(labels.classes.size() == 3);
  CHECK(labels.classes[0].name == "PIPA2");
  CHECK(labels.conflicting > 0);

  const TemporaryFolder folder;
  {
    const DatasetPtr source(GDALDataset::Open(crowns.c_str(), GDAL_OF_VECTOR));
    OGRSpatialReference degrees;
    degrees.importFromEPSG(4326);
    degrees.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    OGRSpatialReference utm(*source->GetLayer(0)->GetSpatialRef());
    utm.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
    const std::unique_ptr<OGRCoordinateTransformation> transformation(
        OGRCreateCoordinateTransformation(&utm, &degrees));
    const DatasetPtr target(GetGDALDriverManager()->GetDriverByName("GPKG")->Create(folder.file("d.gpkg").c_str(), 0, 0,
                                                                                    0, GDT_Unknown, nullptr));
    OGRLayer* layer = target->CreateLayer("crowns", &degrees, wkbPolygon, nullptr);
    OGRFeatureDefn* definition = source->GetLayer(0)->GetLayerDefn();
    for (int i = 0; i < definition->GetFieldCount(); ++i) {
      layer->CreateField(definition->GetFieldDefn(i));
    }
    for (const auto& original : *source->GetLayer(0)) {
      OGRFeature feature(layer->GetLayerDefn());
      feature.SetFrom(original.get());
      REQUIRE(feature.GetGeometryRef()->transform(transformation.get()) == OGRERR_NONE);
      feature.SetFID(original->GetFID());
      REQUIRE(layer->CreateFeature(&feature) == OGRERR_NONE);
    }
  }
  const LabelledPixels again = read_labels(folder.file("d.gpkg"), options, scene->grid(), *mosaic);
  std::size_t same = 0;
  std::map<std::int64_t, int> by_pixel;
  for (const LabelledPixel& pixel : labels.pixels) {
    by_pixel[pixel.pixel] = pixel.label;
  }
  for (const LabelledPixel& pixel : again.pixels) {
    const auto found = by_pixel.find(pixel.pixel);
    same += found != by_pixel.end() && found->second == pixel.label ? 1U : 0U;
  }
  MESSAGE("in degrees: " << again.pixels.size() << " of " << labels.pixels.size() << " pixels, same " << same);
  CHECK(same == labels.pixels.size());
  CHECK(same == again.pixels.size());
  CHECK(again.conflicting == labels.conflicting);
}

TEST_CASE(
    "a field that has another value in each of many features is named, and points that share a pixel are counted") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.csv");
  LabelOptions options{"class", std::nullopt};
  options.epsg = 32617;
  const auto messages = [&](int features, int classes) {
    std::string rows = "x,y,class\n";
    for (int i = 0; i < features; ++i) {
      rows += std::to_string(500000.5 + i % 12) + "," + std::to_string(3999999.5 - i / 12 % 9) + "," +
              std::to_string(i % classes + 1) + "\n";
    }
    write_file(path, rows);
    std::vector<std::string> found = read_labels(path, options, utm_grid(12, 9), "scene.tif").messages;
    found.erase(found.begin());  // which columns have the coordinates
    return found;
  };
  CHECK(messages(29, 29).empty());
  CHECK(messages(30, 30) == std::vector<std::string>{path + ": each of the 30 features has a class of its own in the "
                                                            "field 'class'; if it numbers features, name another by "
                                                            "--class-field"});
  CHECK(messages(108, 9).empty());
  CHECK(messages(216, 9) ==
        std::vector<std::string>{path + ": features whose only pixel another of their class has, too: 108; each pixel "
                                        "counts once"});
}

TEST_CASE("coordinates in the other order are named, and a file without features") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& name, const std::string& content) {
    write_file(folder.file(name), content);
    return message_of<DataError>([&] {
      read_labels(folder.file(name), {"class", std::nullopt}, utm_grid(1000, 1000), "scene.tif");
    });
  };
  CHECK(refused("a.csv", "x,y,class\n3999992.5,500007.5,oak\n")
            .ends_with("; with x and y exchanged they lie on it (--x, --y)"));
  // Coordinates of the scene's reference system in a file that states another, as where a layer was not reprojected.
  CHECK(refused("zone.geojson", R"({"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": )"
                                R"("urn:ogc:def:crs:EPSG::32633"}}, "features": [{"type": "Feature", "properties": )"
                                R"({"class": "oak"}, "geometry": {"type": "Point", "coordinates": )"
                                R"([500007.5, 3999992.5]}}]})")
            .ends_with("; as they are in the file they lie on it: this reference system is not theirs"));
  // In degrees, whose order is known, but not kept by all programs.
  const std::string place = R"({"type": "Feature", "properties": {"class": "oak"}, "geometry": {"type": "Point", )"
                            R"("coordinates": [36.14, -80.995]}})";
  const std::string collection = R"({"type": "FeatureCollection", "features": [)";
  CHECK(refused("b.geojson", collection + place + "]}").ends_with("; with x and y exchanged they lie on it"));
  write_file(folder.file("twice.csv"), "class,x,y,class\noak,500007.5,3999992.5,elm\n");
  CHECK(contains(message_of<ConfigError>([&] {
                   read_labels(folder.file("twice.csv"), {"class", std::nullopt}, utm_grid(1000, 1000), "scene.tif");
                 }),
                 "twice.csv: it has several fields 'class'; layer "));
  // What cannot be read has no coordinates in any order.
  CHECK_FALSE(
      contains(refused("d.csv", "geometry,class\n\"POLYGON(500000 3999990,500010 3999990)\",oak\n"), "exchanged"));
  CHECK(refused("c.geojson", collection + "]}").ends_with("c.geojson carries no classes: layer c has no features"));
}

TEST_CASE("the attributes of a layer are read as texts") {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.geojson");
  write_file(path, R"({"type":"FeatureCollection","features":[
    {"type":"Feature","geometry":null,"properties":{"name":null,"code":3,"share":0.5}},
    {"type":"Feature","geometry":null,"properties":{"name":"oak","code":null,"share":null}}]})");
  const auto field = find_profile_field(path, [](const std::string& text) { return text == "oak"; });
  REQUIRE(field);
  CHECK(field->second == "name");
  const FeatureTable table = read_feature_table(path, field->first);
  CHECK(table.columns == std::vector<std::string>{"name", "code", "share"});
  CHECK(table.rows == std::vector<std::vector<std::string>>{{"", "3", "0.5"}, {"oak", "", ""}});
  CHECK_FALSE(find_profile_field(path, [](const std::string& text) { return text == "beech"; }));
}

TEST_CASE("a file or layer that is not there is refused") {
  const TemporaryFolder folder;
  CHECK_FALSE(find_profile_field(folder.file("absent.gpkg"), [](const std::string&) { return true; }));
  CHECK(message_of([&] { read_feature_table(folder.file("absent.gpkg"), "a"); }).find("absent.gpkg cannot be opened") !=
        std::string::npos);
}

TEST_CASE("a document in memory is read like a file of labels, in reference systems as WKT, and is gone afterwards") {
  RasterGrid grid;
  grid.width = 4;
  grid.height = 3;
  const std::string document =
      R"({"type": "FeatureCollection", "crs": null, "features": [
        {"type": "Feature", "id": 1, "properties": {"class": "a"},
         "geometry": {"type": "MultiPoint", "coordinates": [[0.5, 0.5], [3.5, 2.5]]}},
        {"type": "Feature", "id": 2, "properties": {"class": "b"},
         "geometry": {"type": "Polygon", "coordinates": [[[1, 1], [3, 1], [3, 2], [1, 2], [1, 1]]]}}]})";
  LabelOptions options;
  options.class_field = "class";
  options.separate_parts = true;
  std::string path;
  {
    const MemoryLabels labels(document);
    const MemoryLabels others(document);
    path = labels.path();
    CHECK(path != others.path());
    const LabelledPixels read = read_labels(path, options, grid, "grid");
    REQUIRE(read.pixels.size() == 4);
    CHECK(read.pixels[0].pixel == 0);
    CHECK(read.pixels[1].pixel == 5);
    CHECK(read.pixels[2].pixel == 6);
    CHECK(read.pixels[3].pixel == 11);
    CHECK(read.feature_of(read.pixels[1].region) == 2);
    CHECK(read.feature_of(read.pixels[3].region) == 1);
  }
  CHECK_THROWS_AS(read_labels(path, options, grid, "grid"), DataError);
}

}  // namespace parsimap::test
