#include "gdal/vector/envi_roi_text.hpp"

#include <doctest/doctest.h>

#include <map>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/vector/labels.hpp"

#include "unit/gdal/raster/raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

namespace {

constexpr const char* kHead =
    "; ENVI Output of ROIs (4.8) [Sun Feb 07 09:41:07 2010]\r\n"
    "; Number of ROIs: 2\r\n"
    "; File Dimension: 10 x 8\r\n"
    ";\r\n"
    "; ROI name: Open water\r\n"
    "; ROI rgb value: {0, 0, 255}\r\n"
    "; ROI npts: 3\r\n"
    ";\r\n"
    "; ROI name: oak\r\n"
    "; ROI rgb value: {0, 139, 0}\r\n"
    "; ROI npts: 1\r\n";

LabelledPixels read_roi_text(const TemporaryFolder& folder, const std::string& content,
                             const RasterGrid& grid = utm_grid(10, 8), std::optional<int> epsg = std::nullopt) {
  write_file(folder.file("rois.txt"), content);
  LabelOptions options;
  options.epsg = epsg;
  return read_labels(folder.file("rois.txt"), options, grid, "scene.tif");
}

// "pixel:label:region" of all pixels.
std::string text_of(const LabelledPixels& labels) {
  std::string text;
  for (const LabelledPixel& pixel : labels.pixels) {
    text += std::to_string(pixel.pixel) + ":" + labels.classes[static_cast<std::size_t>(pixel.label)].name + ":" +
            std::to_string(pixel.region) + " ";
  }
  return text;
}

}  // namespace

TEST_CASE("exported regions of interest: pixels count from 1, connected ones are a region") {
  const TemporaryFolder folder;
  const LabelledPixels labels = read_roi_text(folder, kHead + std::string(";   ID    X    Y   B1   B2\r\n"
                                                                          "     1    1    1   17   92\r\n"
                                                                          "     2    2    1   32  106\r\n"
                                                                          "     3    5    3   27  100\r\n"
                                                                          "\r\n"
                                                                          "     1   10    8  195  104\r\n"));
  CHECK(text_of(labels) == "0:Open water:1 1:Open water:1 24:Open water:2 79:oak:3 ");
  CHECK(labels.classes == ClassTable{{1, "Open water", Colour{0, 0, 255}}, {2, "oak", Colour{0, 139, 0}}});
  CHECK(labels.messages == std::vector<std::string>{folder.file("rois.txt") +
                                                    ": read as regions of interest of ENVI, 2 with 4 pixels in 3 "
                                                    "connected areas, by their columns and rows"});
}

TEST_CASE("exported regions of interest of another image are found by their map coordinates, at corners or centres") {
  const TemporaryFolder folder;
  const RasterGrid grid = utm_grid(6, 6);
  const std::string names = ";   ID    X    Y   Map X   Map Y   Lat   Lon\n";
  // With two digits, the corner of a pixel may come to lie in its neighbour.
  const LabelledPixels corners =
      read_roi_text(folder,
                    kHead + names +
                        "1 1 1 499999.99 4000000.01 0 0\n2 2 1 501001 4000000 0 0\n3 5 3 500004 3999998 0 0\n"
                        "1 1 1 500005.00 3999995.00 0 0\n",
                    grid);
  CHECK(text_of(corners) == "0:Open water:1 16:Open water:2 35:oak:3 ");
  CHECK(contains(corners.messages.at(0), "rois.txt names no coordinate reference system"));
  CHECK(contains(corners.messages.at(1), "by their map coordinates"));
  const std::string centres = kHead + names +
                              "1 1 1 500000.5 3999999.5 0 0\n2 2 1 500001.5 3999999.5 0 0\n3 5 3 "
                              "500004.5 3999997.5 0 0\n1 1 1 500005.5 3999994.5 0 0\n";
  CHECK(text_of(read_roi_text(folder, centres, grid)) == "0:Open water:1 1:Open water:1 16:Open water:2 35:oak:3 ");
  CHECK(read_roi_text(folder, centres, grid, 32617).messages.size() == 1);
  // Nothing but degrees is left.
  const LabelledPixels degrees = read_roi_text(folder,
                                               kHead + std::string("; ID X Y Lat Lon\n") +
                                                   "1 1 1 36.14471362 -80.99999446\n2 1 1 36.14471362 -80.99999446\n"
                                                   "3 1 1 36.14471362 -80.99999446\n1 1 1 50 -80\n",
                                               grid);
  CHECK(degrees.pixels.size() == 1);
  CHECK(degrees.outside == 1);
}

TEST_CASE("damaged exports of regions of interest are refused with their line") {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& rest, const std::string& head = kHead) {
    return message_of<DataError>([&] { read_roi_text(folder, head + rest); });
  };
  const std::string path = folder.file("rois.txt");
  CHECK(refused("1 1 1\n") == path + ": line 12: a pixel comes before the names of the columns");
  CHECK(contains(refused("; B1 B2\n1 1\n"), path + ": line 12: no columns say where the pixels lie in scene.tif, which "
                                                   "has 10 x 8 pixels (the image of the regions has 10 x 8)"));
  CHECK(refused("; ID X Y\n1 1\n") == path + ": line 13: the line has 2 columns, too few");
  CHECK(refused("; ID X Y\n1 x 1\n") == path + ": line 13: 'x' is not a coordinate");
  CHECK(refused("; ID X Y\n1 11 1\n2 1 1\n3 1 1\n1 1 1\n") ==
        path + ": line 13: the pixel lies outside of the image, whose columns are 1 to 10 and rows 1 to 8");
  CHECK(refused("; ID X Y\n1 1 1\n2 1 1\n") ==
        path + " is cut short: the region of interest 'Open water' has 2 pixels, and 3 are announced");
  CHECK(refused("; ID X Y\n1 1 1\n2 1 1\n3 1 1\n1 1 1\n2 1 1\n") ==
        path + ": line 17: there are more pixels than the regions of interest say (ROI npts)");
  CHECK(refused("; ROI npts: many\n") == path + ": line 12: 'many' is not a number of pixels");
  CHECK(refused("; ROI name:\n") == path + ": line 12: a region of interest has no name");
  CHECK(contains(refused("; File Dimension: 10\n"), "line 12: the dimension of the image is '10'"));
  CHECK(contains(refused("", "; ENVI Output of ROIs\n"), "has no region of interest with a pixel"));
}
