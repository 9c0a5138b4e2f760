#include "commands/assessment/prediction_points.hpp"

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <string>

#include "parsimap/core/file.hpp"

#include "support/memory_scene.hpp"
#include "support/single_output.hpp"
#include "unit/accuracy/memory_map.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

const ClassTable kOaks = {{1, "oak", {}}, {2, "OAK", {}}};
const RasterGrid kRow{3, 1, std::array<double, 6>{0, 10, 0, 30, 0, -10}, {}};

// The table of a reference on a map whose last pixel is unclassified.
std::string table_of(const LabelledPixels& labels, SceneSource* probabilities) {
  const TemporaryFolder folder;
  MemoryMap map(3, {1, 1, 0}, kOaks, true);
  SingleVector file(folder.file("points.csv"));
  write_predictions(file.staged, kRow, labels, compare(map, labels, "reference"), probabilities, nullptr);
  file.outputs.publish();
  return file_content(folder.file("points.csv"));
}

}  // namespace

TEST_CASE("points have a number for each class, under names that differ by more than case") {
  Spectra values(3, 2);
  values << 0.75, 0.25, 0.5, 0.5, std::numeric_limits<float>::quiet_NaN(), 0.5;
  MemoryScene probabilities("p.tif", kRow, {{"oak"}, {"OAK"}}, values);
  CHECK(table_of(reference(kOaks, {{0, 0, 1}, {1, 1, 2}, {2, 0, 2}}, true), &probabilities) ==
        "X,Y,id,feature,row,column,reference,label,p_oak,p_OAK_2\r\n"
        "5,25,1,1,0,0,oak,oak,0.75,0.25\r\n"
        "15,25,2,2,0,1,OAK,oak,0.5,0.5\r\n"
        "25,25,3,2,0,2,oak,,,\r\n");
}

TEST_CASE("without regions and probabilities points have neither of their fields") {
  CHECK(table_of(reference(kOaks, {{1, 1, 0}, {2, 0, 0}}, true), nullptr) ==
        "X,Y,id,row,column,reference,label\r\n"
        "15,25,1,0,1,OAK,oak\r\n"
        "25,25,2,0,2,oak,\r\n");
}

}  // namespace parsimap::test
