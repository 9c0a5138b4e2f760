#include "commands/maps/map_report.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "parsimap/commands/maps/classify.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/scene/memory_scene.hpp"

#include "support/memory_scene.hpp"
#include "support/small_scene.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

TEST_CASE("outputs are watched, those not asked for too where the report needs them") {
  RasterGrid grid;
  grid.width = 2;
  grid.height = 1;
  MemoryClassMapSink map(grid);
  MemoryFieldSink novelty(grid, 1);
  MemoryScene scene("scene", grid, BandTable(3), Spectra::Constant(2, 3, 1));
  MapReport report(scene, {&map, {{MapLayer::novelty, &novelty}}}, false, page_date());
  const MapOutputs watched = report.watched();
  CHECK(watched.layers.count(MapLayer::probabilities) == 0);
  watched.map->write({0, 0, 2, 1}, {7, 0});
  watched.layers.at(MapLayer::confidence)->write({0, 0, 2, 1}, Spectra::Constant(2, 1, 0.99F));
  watched.layers.at(MapLayer::novelty)->write({0, 0, 2, 1}, Spectra::Constant(2, 1, 0.01F));
  CHECK(map.codes() == std::vector<std::uint16_t>{7, 0});
  CHECK(novelty.values()(0, 0) == 0.01F);

  MappingRecord record;
  record.pixels = 2;
  record.classified = 1;
  record.rejected = 1;
  record.classes = {{7, "oak", 1}, {9, "pine", 0}};
  const ClassTable classes = {{7, "oak", Colour{1, 2, 3}}, {9, "pine", {}}};
  const std::string page = report.html(record, classes, {}, {}, {{"reject", "0.5"}});
  CHECK(contains(page, "<li><span style=\"background: #010203\"></span>oak<small>100.0 %</small></li>"));
  CHECK(contains(page, "bands 3, 2 and 1 as red, green and blue"));
  CHECK(contains(page, "100.0 % of the pixels with data have a class of probability 0.9 or more."));
  CHECK(contains(page, "0.0 % of the pixels with data are unlike all classes"));
  for (const char* picture : {"picture-map", "picture-rejected", "picture-confidence", "picture-novelty"}) {
    CHECK(contains(page, "<figure id=\"" + std::string(picture) + "\">"));
  }
  CHECK(contains(page, "\"counts\": [\n        0,"));
  CHECK(contains(page, "\"name\": \"novelty\""));
  CHECK(contains(page, "<tr><td>reject</td><td>0.5</td></tr>"));
}

TEST_CASE("novelty is shown where it rejects, whether it is written or not") {
  const RasterGrid grid{2, 1, {}, {}};
  MemoryClassMapSink map(grid);
  MemoryScene scene("scene", grid, BandTable(3), Spectra::Constant(2, 3, 1));
  CHECK(MapReport(scene, {&map, {}}, false, "").watched().layers.count(MapLayer::novelty) == 0);
  CHECK(MapReport(scene, {&map, {}}, true, "").watched().layers.count(MapLayer::novelty) == 1);
}

TEST_CASE("the report appears with the map, which is the same as without") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  MapOptions options = small.mapping(folder.file("map.tif"));
  options.report = folder.file("map.html");
  map(options);
  const std::string page = file_content(folder.file("map.html"));
  CHECK(contains(page, "data:image/png;base64,"));
  CHECK(contains(page, "720 of 720 pixels were classified with the model model."));
  CHECK(contains(page, sha256_of_file(small.model())));
  CHECK(file_content(folder.file("map.tif")) == file_content(small.map()));
  options.map = folder.file("other.tif");
  CHECK(contains(message_of([&] { map(options); }), "--overwrite"));
  CHECK_FALSE(std::filesystem::exists(folder.file("other.tif")));
}

}  // namespace parsimap::test
