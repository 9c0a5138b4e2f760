#include "commands/part_outputs.hpp"

#include <doctest/doctest.h>

#include "parsimap/gdal/raster/scene.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

TEST_CASE("a grid of rows lies where the rows lie") {
  RasterGrid grid;
  grid.width = 10;
  grid.height = 20;
  grid.geotransform = std::array<double, 6>{100, 2, 0.5, 200, 0.25, -2};
  grid.control_points = {{1, 15, 7, 8}};
  const RasterGrid rows = grid_of_rows(grid, {5, 12});
  CHECK(rows.height == 7);
  CHECK(rows.width == 10);
  CHECK(map_point(rows, 3, 0) == map_point(grid, 3, 5));
  CHECK(rows.control_points[0] == ControlPoint{1, 10, 7, 8});
}

TEST_CASE("windows of the whole map are written to the rows of the part, and its record is there last") {
  const TemporaryFolder folder;
  const PartsFolder parts(folder.file("map.tif"));
  std::filesystem::create_directory(parts.path());
  MapPlan plan;
  plan.parts = 2;
  plan.unit = 4;
  plan.grid.width = 2;
  plan.grid.height = 6;
  plan.classes = {{1, "water", {}}, {2, "forest", {}}};
  plan.layers = {{"confidence", "c.tif"}};
  MapPart part;
  part.shard = {2, 2};
  part.digest = plan_digest(plan);
  part.rows = part_rows(plan, part.shard);
  part.class_pixels = {1, 1};
  {
    PartOutputs outputs(parts, plan, part.shard);
    outputs.sinks().map->write({0, 5, 2, 1}, {1, 2});
    outputs.sinks().layers.at(MapLayer::confidence)->write({0, 4, 1, 1}, Spectra::Constant(1, 1, 0.5F));
    outputs.complete(part);
    CHECK(parts.find(plan, 2).state == PartState::missing);
    outputs.publish(part);
  }
  CHECK(parts.find(plan, 2).state == PartState::complete);
  Spectra codes;
  open_scene(parts.raster(2, "map")).source->read({0, 1, 2, 1}, {0}, codes);
  CHECK(codes == Spectra{{1.0F}, {2.0F}});
  Spectra confidence;
  open_scene(parts.raster(2, "confidence")).source->read({0, 0, 1, 1}, {0}, confidence);
  CHECK(confidence(0, 0) == 0.5F);
}

}  // namespace parsimap::test
