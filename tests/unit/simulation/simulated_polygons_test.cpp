#include "parsimap/simulation/simulated_polygons.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "parsimap/core/error.hpp"

using namespace parsimap;

namespace {

constexpr double kLeft = 1000;
constexpr double kTop = 2000;
constexpr double kPixel = 2;

SimulationSpec polygon_spec() {
  SimulationSpec spec;
  spec.width = 120;
  spec.height = 100;
  spec.bands = 10;
  spec.layout.sites = 25;
  spec.layout.gap = 1;
  spec.classes.resize(3);
  spec.classes[0].name = "lake";
  spec.classes[1].name = "field";
  spec.classes[2].name = "roof";
  return spec;
}

RasterGrid grid_of(const SimulationSpec& spec) {
  RasterGrid grid;
  grid.width = spec.width;
  grid.height = spec.height;
  grid.geotransform = {kLeft, kPixel, 0, kTop, 0, -kPixel};
  return grid;
}

std::vector<SimulatedPolygon> polygons_of(const SimulationSpec& spec) {
  return place_polygons(spec, SimulatedLayout(spec), grid_of(spec));
}

// Sum of the angles under which the edges are seen: 2 pi inside, 0 outside. Another way than the one under test.
bool winds_around(const SimulatedPolygon& polygon, double x, double y) {
  double total = 0;
  for (std::size_t i = 0; i + 1 < polygon.ring.size(); ++i) {
    const double first = std::atan2(polygon.ring[i][1] - y, polygon.ring[i][0] - x);
    const double second = std::atan2(polygon.ring[i + 1][1] - y, polygon.ring[i + 1][0] - x);
    total += std::remainder(second - first, 2 * std::numbers::pi);
  }
  return std::abs(total) > std::numbers::pi;
}

std::set<Index> pixels_inside(const SimulatedPolygon& polygon, const SimulationSpec& spec) {
  std::set<Index> pixels;
  for (Index pixel = 0; pixel < spec.width * spec.height; ++pixel) {
    const double x = kLeft + (static_cast<double>(pixel % spec.width) + 0.5) * kPixel;
    const double y = kTop - (static_cast<double>(pixel / spec.width) + 0.5) * kPixel;
    if (winds_around(polygon, x, y)) {
      pixels.insert(pixel);
    }
  }
  return pixels;
}

}  // namespace

TEST_CASE("polygons are closed, disjoint, and lie in their class of the reference map") {
  const SimulationSpec spec = polygon_spec();
  std::vector<std::uint16_t> codes;
  SimulatedLayout(spec).reference({0, 0, spec.width, spec.height}, codes);
  std::set<Index> taken;
  const std::vector<SimulatedPolygon> polygons = polygons_of(spec);
  REQUIRE(polygons.size() == 36);
  for (const SimulatedPolygon& polygon : polygons) {
    CHECK(polygon.ring.front() == polygon.ring.back());
    const std::set<Index> pixels = pixels_inside(polygon, spec);
    CHECK(pixels.size() >= 4);
    for (const Index pixel : pixels) {
      REQUIRE(spec.classes[codes[static_cast<std::size_t>(pixel)] - 1U].name == polygon.class_name);
      REQUIRE(taken.insert(pixel).second);
    }
  }
}

TEST_CASE("polygons of a class are split into train and test") {
  SimulationSpec spec = polygon_spec();
  spec.polygons.train_fraction = 0.25;
  std::map<std::string, int> train;
  std::map<std::string, int> all;
  for (const SimulatedPolygon& polygon : polygons_of(spec)) {
    ++all[polygon.class_name];
    train[polygon.class_name] += polygon.split == "train" ? 1 : 0;
  }
  CHECK(all == std::map<std::string, int>{{"lake", 12}, {"field", 12}, {"roof", 12}});
  CHECK(train == std::map<std::string, int>{{"lake", 3}, {"field", 3}, {"roof", 3}});
  spec.polygons.train_fraction = 0.01;
  int least = 0;
  for (const SimulatedPolygon& polygon : polygons_of(spec)) {
    least += polygon.split == "train" ? 1 : 0;
  }
  CHECK(least == 3);
}

TEST_CASE("polygons depend on the seed and can be absent") {
  SimulationSpec spec = polygon_spec();
  const std::vector<SimulatedPolygon> polygons = polygons_of(spec);
  CHECK(polygons_of(spec).front().ring == polygons.front().ring);
  spec.seed = 5;
  CHECK(polygons_of(spec).front().ring != polygons.front().ring);
  spec.polygons.per_class = 0;
  CHECK(polygons_of(spec).empty());
}

TEST_CASE("a class whose regions are too small is named") {
  SimulationSpec spec = polygon_spec();
  spec.layout.kind = "stripes";
  spec.layout.stripe_width = 2;
  try {
    polygons_of(spec);
    FAIL("accepted");
  } catch (const ConfigError& error) {
    CHECK(std::string(error.what()).find("class lake") != std::string::npos);
  }
}
