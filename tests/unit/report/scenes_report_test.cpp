#include "parsimap/report/scenes_report.hpp"

#include <doctest/doctest.h>

namespace parsimap::test {

TEST_CASE("scenes that were classified, that failed and the mosaic are told of") {
  ScenesRecord record;
  record.model = "m.parsimap";
  record.seconds = 2;
  MappingRecord done;
  done.map = "out/a_map.tif";
  done.pixels = 100;
  done.classified = 90;
  done.rejected = 4;
  record.scenes = {{"a.tif", done, ""}, {"b.tif", std::nullopt, "b.tif cannot be opened"}};
  record.mosaic = MosaicRecord{"all.tif", 1, 200, 90, 0, {{1, "water", 30}, {2, "forest", 60}}};
  CHECK(scenes_text(record) ==
        "Classified 1 of 2 scenes with m.parsimap.\n\n"
        "  scene  pixels  classified  rejected\n"
        "  a.tif     100          90         4\n"
        "  b.tif       -      failed         -\n\n"
        "Time: 2.00 s\n"
        "Map: out/a_map.tif\n"
        "Failed: b.tif cannot be opened\n\n"
        "Mosaic of 1 maps: 90 of 200 pixels have a class; where several maps have one (0 pixels) the most confident "
        "counts.\n\n"
        "  code  class   pixels  share %\n"
        "     1  water       30     33.3\n"
        "     2  forest      60     66.7\n\n"
        "Mosaic: all.tif\n");
}

}  // namespace parsimap::test
