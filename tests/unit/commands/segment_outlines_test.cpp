#include "commands/segment_outlines.hpp"

#include <doctest/doctest.h>

#include "parsimap/gdal/vector/labels.hpp"

#include "support/memory_segments.hpp"
#include "support/single_output.hpp"
#include "unit/core/temporary_folder.hpp"

using namespace parsimap;
using namespace parsimap::test;

TEST_CASE("every segment has a feature with its outline, and a class unless it is rejected") {
  const TemporaryFolder folder;
  RasterGrid grid;
  grid.width = 4;
  grid.height = 2;
  MemorySegments segments(4, {3, 3, 8, 0,  //
                              3, 8, 8, 3});
  const ClassTable classes = {{2, "oak", {}}, {5, "pine", {}}};
  SingleVector single(folder.file("segments.gpkg"));
  write_segment_outlines(
      single.staged, grid, segments, classes,
      {{.number = 3, .pixels = 4, .window = {0, 0, 4, 2}, .label = 1, .confidence = 0.75F},
       {.number = 8, .pixels = 3, .window = {1, 0, 2, 2}, .label = 0, .confidence = 0.5F, .rejected = true}});
  single.outputs.publish();

  const LabelledPixels by_number =
      read_labels(folder.file("segments.gpkg"), {.class_field = "segment", .where = {}}, grid, "scene");
  std::vector<int> labels(8, -1);
  for (const LabelledPixel& pixel : by_number.pixels) {
    labels[static_cast<std::size_t>(pixel.pixel)] = by_number.classes[static_cast<std::size_t>(pixel.label)].code;
  }
  CHECK(labels == std::vector<int>{3, 3, 8, -1, 3, 8, 8, 3});
  const auto count = [&](const std::string& condition) {
    return read_labels(folder.file("segments.gpkg"), {.class_field = "segment", .where = condition}, grid, "scene")
        .pixels.size();
  };
  CHECK(count("segment = 3 AND class = 'pine' AND code = 5 AND confidence = 0.75 AND pixels = 4") == 4);
  CHECK(count("segment = 8 AND class IS NULL AND code IS NULL AND confidence = 0.5 AND pixels = 3") == 3);
}
