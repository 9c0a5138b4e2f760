#include "cli/prediction_output.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/map_output.hpp"

#include "unit/cli/memory_map.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap {
namespace {

using test::MemoryMap;
using test::reference;

const ClassTable kClasses = {{1, "oak", {}}, {2, "OAK", {}}};

OptionValues values(const std::vector<std::string>& arguments) {
  return parse_command_line({.name = "assess", .arguments = {}, .options = prediction_option_syntax()}, arguments);
}

// 3 x 2, the last pixel unclassified and without probabilities.
MemoryMap small_map() { return {3, {1, 2, 2, 1, 1, 0}, kClasses, true}; }

std::string write_probabilities(const TemporaryFolder& folder, Index width) {
  const RasterGrid grid{width, 2, std::nullopt, ""};
  SingleRaster single(folder.file("p.tif"));
  const auto sink = create_field(single.staged, grid, {"oak", "OAK"}, {});
  Spectra probabilities = Spectra::Constant(grid.pixels(), 2, 0.5F);
  probabilities.row(1) << 0.25F, 0.75F;
  probabilities.row(grid.pixels() - 1).setConstant(std::numeric_limits<float>::quiet_NaN());
  sink->write({0, 0, width, 2}, probabilities);
  sink->close();
  single.outputs.publish();
  return folder.file("p.tif");
}

std::string predictions(const TemporaryFolder& folder, const LabelledPixels& labels,
                        const std::optional<std::string>& probabilities) {
  MemoryMap map = small_map();
  const ClassMatch match = match_classes(map, labels, "labels");
  const std::string file = folder.file("out.csv");
  write_predictions({file, probabilities}, true, map, labels, match, compare(map, labels, match), {})->commit();
  return file_content(file);
}

}  // namespace

TEST_CASE("every reference pixel is a row, with probabilities where the raster has them") {
  const TemporaryFolder folder;
  const LabelledPixels labels = reference(kClasses, {{1, 1, 4}, {3, 1, 4}, {5, 0, 6}}, true);
  CHECK(predictions(folder, labels, write_probabilities(folder, 3)) ==
        "X,Y,id,feature,row,column,reference,label,p_oak,p_OAK_2\r\n"
        "1.5,0.5,1,4,0,1,OAK,OAK,0.25,0.75\r\n"
        "0.5,1.5,2,4,1,0,OAK,oak,0.5,0.5\r\n"
        "2.5,1.5,3,6,1,2,oak,,,\r\n");
}

TEST_CASE("a label raster has no features") {
  const TemporaryFolder folder;
  CHECK(predictions(folder, reference(kClasses, {{1, 1, 0}}, true), std::nullopt) ==
        "X,Y,id,row,column,reference,label\r\n1.5,0.5,1,0,1,OAK,OAK\r\n");
}

TEST_CASE("probabilities need a file to go to and the map's grid") {
  CHECK_FALSE(prediction_options(values({})));
  CHECK_FALSE(prediction_options(values({"--probabilities", "p.tif"})));
  const TemporaryFolder folder;
  const std::string wide = write_probabilities(folder, 4);
  CHECK(message_of([&] {
          predictions(folder, reference(kClasses, {{1, 1, 0}}, true), wide);
        }) == wide + " is 4 x 2 pixels, but map.tif is 3 x 2; probabilities must lie on the map's grid");
  CHECK(folder.names() == std::vector<std::string>{"p.tif"});
}

}  // namespace parsimap
