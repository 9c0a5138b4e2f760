#include "gdal/vector/envi_roi.hpp"

#include <doctest/doctest.h>

#include <map>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/vector/labels.hpp"

#include "unit/gdal/raster/raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

TEST_CASE("regions of interest are known by the beginning of their file") {
  const TemporaryFolder folder;
  const auto known = [&](const std::string& content) {
    write_file(folder.file("a"), content);
    return is_envi_roi(folder.file("a"));
  };
  CHECK(known("; ENVI Output of ROIs (4.8) [Sun Feb 07 09:41:07 2010]\n"));
  CHECK(known("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<RegionsOfInterest version=\"1.1\">\n"));
  CHECK(known("\xef\xbb\xbf<RegionsOfInterest/>"));
  CHECK_FALSE(known("<VRTDataset/>"));
  CHECK_FALSE(known("x,<RegionsOfInterest"));
  CHECK_FALSE(known(""));
  CHECK_FALSE(is_envi_roi(folder.file("absent")));
  CHECK_FALSE(is_envi_roi(folder.file("")));
  CHECK_FALSE(is_envi_roi("/dev/zero"));
}

TEST_CASE("regions of interest go with others and with vector files, but have no fields") {
  const TemporaryFolder folder;
  const RasterGrid grid = utm_grid(10, 10);
  const std::string first = folder.file("a.txt");
  const std::string second = folder.file("b.txt");
  const std::string text =
      "; ENVI Output of ROIs\n; File Dimension: 10 x 10\n; ROI name: NAME\n; ROI npts: 1\n; ID X Y\n1 COLUMN 1\n";
  const auto write = [&](const std::string& path, const std::string& name, const std::string& column) {
    std::string content = text;
    content.replace(content.find("NAME"), 4, name);
    content.replace(content.find("COLUMN"), 6, column);
    write_file(path, content);
  };
  write(first, "oak", "1");
  write(second, "ash", "4");
  const LabelledPixels labels = read_labels(std::vector<std::string>{first, second}, {}, grid, "s");
  CHECK(labels.classes == ClassTable{{1, "ash", {}}, {2, "oak", {}}});
  CHECK(labels.pixels.size() == 2);
  CHECK(message_of<ConfigError>([&] {
          read_labels(first, {"class", std::nullopt}, grid, "s");
        }) == first + " holds regions of interest, which have no fields: --class-field does not go with it");
  write_file(folder.file("c.csv"), "x,y,code\n500000.5,3999999.5,3\n");
  CHECK(
      contains(message_of<ConfigError>([&] {
                 read_labels(std::vector<std::string>{folder.file("c.csv"), first}, {"code", std::nullopt}, grid, "s");
               }),
               "the names of regions of interest are text, but numbers in"));
}

namespace {

std::string polygon(const std::string& exterior, const std::string& interior = "") {
  const auto ring = [](const std::string& name, const std::string& coordinates) {
    return "<" + name + "><LinearRing><Coordinates>\n" + coordinates + "\n</Coordinates></LinearRing></" + name + ">";
  };
  return "<Polygon>" + ring("Exterior", exterior) + (interior.empty() ? "" : ring("Interior", interior)) + "</Polygon>";
}

std::string region(const std::string& name, const std::string& colour, const std::string& system,
                   const std::string& shapes) {
  return "<Region name=\"" + name + "\" color=\"" + colour + "\"><GeometryDef><CoordSysStr>" + system +
         "</CoordSysStr>" + shapes + "</GeometryDef></Region>";
}

std::string escaped(std::string text) {
  for (std::size_t at = text.find('"'); at != std::string::npos; at = text.find('"', at)) {
    text.replace(at, 1, "&quot;");
  }
  return text;
}

LabelledPixels read_roi_xml(const TemporaryFolder& folder, const std::string& regions) {
  write_file(folder.file("rois.xml"),
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<RegionsOfInterest version=\"1.1\">" + regions +
                 "</RegionsOfInterest>");
  return read_labels(folder.file("rois.xml"), {}, utm_grid(10, 10), "scene.tif");
}

// As ENVI writes it.
constexpr const char* kEsri =
    "PROJCS[\"WGS_1984_UTM_Zone_17N\",GEOGCS[\"GCS_WGS_1984\",DATUM[\"D_WGS_1984\",SPHEROID[\"WGS_1984\",6378137.0,"
    "298.257223563]],PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]],PROJECTION[\"Transverse_Mercator\"]"
    ","
    "PARAMETER[\"False_Easting\",500000.0],PARAMETER[\"False_Northing\",0.0],PARAMETER[\"Central_Meridian\",-81.0],"
    "PARAMETER[\"Scale_Factor\",0.9996],PARAMETER[\"Latitude_Of_Origin\",0.0],UNIT[\"Meter\",1.0]]";

}  // namespace

TEST_CASE("polygons, lines and points of regions of interest are regions of their class, with its colour") {
  const TemporaryFolder folder;
  const std::string square = "500000 4000000 500003 4000000 500003 3999997 500000 3999997 500000 4000000";
  const std::string hole = "500001 3999999 500002 3999999 500002 3999998 500001 3999998";
  const LabelledPixels labels = read_roi_xml(
      folder, region("oak &amp; ash", "0,128,0", kEsri,
                     polygon(square, hole) + polygon("500005 4000000 500006 4000000 "
                                                     "500006 3999999 500005 3999999")) +
                  region("path", "200,100,0", kEsri,
                         "<LineString><Coordinates>500000.5 3999995.5 500002.5 3999995.5</Coordinates></LineString>"
                         "<Point><Coordinates>500009.5 3999990.5</Coordinates></Point>"));
  CHECK(labels.classes == ClassTable{{1, "oak & ash", Colour{0, 128, 0}}, {2, "path", Colour{200, 100, 0}}});
  std::map<std::int64_t, std::vector<std::int64_t>> regions;
  for (const LabelledPixel& pixel : labels.pixels) {
    CHECK(pixel.label == (pixel.region < 3 ? 0 : 1));
    regions[pixel.region].push_back(pixel.pixel);
  }
  CHECK(regions == std::map<std::int64_t, std::vector<std::int64_t>>{
                       {1, {0, 1, 2, 10, 12, 20, 21, 22}}, {2, {5}}, {3, {40, 41, 42}}, {4, {99}}});
  CHECK(labels.has_regions);
  CHECK(labels.messages == std::vector<std::string>{folder.file("rois.xml") +
                                                    ": read as regions of interest of ENVI, 2 with 4 polygons, lines "
                                                    "and points"});
}

TEST_CASE("coordinates in another system are brought to the scene, and those without one are of the image") {
  const TemporaryFolder folder;
  const std::string degrees =
      region("a", "1,2,3", escaped(wkt(4326)), "<Point><Coordinates>-80.99999446 36.14471362</Coordinates></Point>");
  CHECK(read_roi_xml(folder, degrees).pixels.size() == 1);
  const LabelledPixels image = read_roi_xml(folder, region("a", "1,2,3", "none", polygon("2 0 4 0 4 1 2 1")));
  REQUIRE(image.pixels.size() == 2);
  CHECK(image.pixels[0].pixel == 2);
  CHECK(contains(image.messages.at(0), "coordinates are taken for columns and rows of scene.tif; --crs EPSG:n"));
}

TEST_CASE("damaged regions of interest are refused with their name") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& shapes, const std::string& system = kEsri) {
    return message_of<DataError>([&] { read_roi_xml(folder, region("wood", "1,2,3", system, shapes)); });
  };
  const std::string about = folder.file("rois.xml") + ": the region of interest 'wood' has ";
  CHECK(refused(polygon("1 2 3")) == about + "3 coordinates; they are pairs of x and y");
  CHECK(refused(polygon("1 2 3 x")) == about + "the coordinate 'x', which is not a number");
  CHECK(refused(polygon("1 2 3 4")) == about + "a polygon of 2 corners; it needs three");
  CHECK(refused("<Sphere/>") == about + "a <Sphere>; polygons, lines and points can be read");
  CHECK(contains(refused(polygon("1 2 3 4 5 6"), "nowhere"), about + "a coordinate system that cannot be understood"));
  CHECK(contains(refused(polygon("1 2 3 4 5 6")), "no region of interest owns a pixel of scene.tif"));
  CHECK(contains(refused(""), "has no region of interest with a polygon, line or point"));
  CHECK(contains(message_of<DataError>([&] { read_roi_xml(folder, region("", "1,2,3", kEsri, "")); }), "has no name"));
  CHECK(contains(message_of<DataError>([&] { read_roi_xml(folder, "<Region name=\"a\">"); }), "can be read"));
}

TEST_CASE("definitions that are no geometry are passed over, and a note says so") {
  const TemporaryFolder folder;
  const LabelledPixels labels = read_roi_xml(
      folder, "<Region name=\"a\" color=\"1,2,3\"><ThresholdDef/><GeometryDef><CoordSysStr>none</CoordSysStr>" +
                  polygon("2 0 4 0 4 1 2 1") + "</GeometryDef></Region>");
  CHECK(labels.notes ==
        std::vector<std::string>{folder.file("rois.xml") +
                                 ": the region of interest 'a' has a <ThresholdDef>, which is not read; "
                                 "only geometries are"});
}
