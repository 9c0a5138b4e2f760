#include "gdal/envi_roi.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/labels.hpp"

#include "raster_fixture.hpp"

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

TEST_CASE("colours are three numbers up to 255") {
  CHECK(colour_of_envi("255,0,7") == Colour{255, 0, 7});
  CHECK(colour_of_envi("{255, 0, 7}") == Colour{255, 0, 7});
  for (const char* text : {"", "1,2", "1,2,3,4", "1,2,256", "1,2,-3", "red"}) {
    CAPTURE(text);
    CHECK_FALSE(colour_of_envi(text));
  }
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
