#include "commands/training/scene_positions.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "support/memory_scene.hpp"

namespace parsimap::test {

namespace {

RasterGrid grid_from(double x) {
  return {100, 100, std::array<double, 6>{x, 10, 0, 5000000, 0, -10}, crs_from_epsg(32632)};
}

// Two scenes of 4 x 3 and 2 x 5 pixels, of which the second lies 1000 m to the east.
struct TwoScenes {
  MemoryScene first{"a", grid_from(500000), {{"b"}}, Spectra::Zero(12, 1)};
  MemoryScene second{"b", grid_from(501000), {{"b"}}, Spectra::Zero(10, 1)};
  SceneStack stack{{{&first, {0}}, {&second, {0}}}, first.bands()};
  ScenePositions positions{{{"a.tif", first.grid()}, {"b.tif", second.grid()}}, &stack};
  // A pixel of the second scene, a spectrum of a library, and two pixels of the first scene.
  std::vector<std::int64_t> pixels = {stack.pixel_of(1, 401), SamplePlace::kNoPixel, stack.pixel_of(0, 0),
                                      stack.pixel_of(0, 101)};
};

}  // namespace

TEST_CASE("pixels of a stack have their places in their own scenes, and spectra of libraries have none") {
  const TwoScenes scenes;
  const PixelPlaces found = scenes.positions.places_of(scenes.pixels);
  CHECK(found.several);
  REQUIRE(found.places.size() == 4);
  CHECK_FALSE(found.places[1]);
  CHECK(found.places[0]->scene == "b.tif");
  CHECK(found.places[0]->row == 4);
  CHECK(found.places[0]->column == 1);
  CHECK(found.places[0]->point == std::array<double, 2>{501015, 4999955});
  CHECK(found.places[3]->scene == "a.tif");
  CHECK(found.places[3]->point == std::array<double, 2>{500015, 4999985});
  CHECK(scenes.positions.place_of(scenes.pixels[0]).row == 4);
  std::vector<Indices> rows;
  const std::vector<GridPixels> parts = scenes.positions.by_scene(scenes.pixels, rows);
  CHECK(parts[0].pixels == std::vector<std::int64_t>{0, 101});
  CHECK(parts[1].pixels == std::vector<std::int64_t>{401});
  CHECK(rows == std::vector<Indices>{{2, 3}, {0}});
}

TEST_CASE("positions of a stack are in the order of the pixels, whatever their scenes") {
  const TwoScenes scenes;
  const std::vector<std::int64_t> pixels = {scenes.pixels[0], scenes.pixels[3], scenes.pixels[2]};
  const PixelPositions found = scenes.positions.positions(pixels, 0);
  CHECK(found.metres);
  CHECK((found.points.row(1) - found.points.row(2)).norm() == doctest::Approx(std::hypot(10, 10)));
  CHECK((found.points.row(0) - found.points.row(2)).norm() == doctest::Approx(std::hypot(1010, 40)));
  const ScenePositions one({{"a.tif", scenes.first.grid()}});
  CHECK(one.locate(101).row == 1);
  CHECK(one.positions({0, 101}, 0).points.row(0) == pixel_positions(scenes.first.grid(), {0}).points.row(0));
}

TEST_CASE("scenes that show a place in common are one unit") {
  const TwoScenes scenes;
  std::vector<SamplePlace> places = {{scenes.pixels[0]}, {scenes.pixels[2]}, {scenes.pixels[3]}};
  CHECK(unit_count(scenes.positions.scene_units(places)) == 2);
  places[0].ground = places[1].ground = scenes.pixels[2];
  const std::vector<SampleUnit> joined = scenes.positions.scene_units(places);
  CHECK(unit_count(joined) == 1);
  CHECK(joined.front().reason == SampleUnit::Reason::scene);
}

}  // namespace parsimap::test
