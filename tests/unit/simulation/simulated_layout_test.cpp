#include "parsimap/simulation/simulated_layout.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/simulation/simulation_spec.hpp"

namespace parsimap::test {
namespace {

SimulationSpec spec_with_layout(const std::string& kind) {
  SimulationSpec spec;
  spec.width = 40;
  spec.height = 30;
  spec.bands = 10;
  spec.classes.resize(4);
  for (std::size_t c = 0; c < 4; ++c) {
    spec.classes[c].name = std::string(1, static_cast<char>('a' + c));
  }
  spec.layout.kind = kind;
  spec.layout.stripe_width = 3;
  spec.layout.block_size = 7;
  if (kind == "map") {
    for (Index pixel = 0; pixel < 40 * 30; ++pixel) {
      spec.layout.map.push_back(static_cast<std::uint16_t>(pixel / 100 % 5));
    }
  }
  return spec;
}

const Window kWholeLayout = {0, 0, 40, 30};

std::vector<int> labels_of(const SimulationSpec& spec, const Window& window) {
  std::vector<int> labels;
  SimulatedLayout(spec).labels(window, labels);
  return labels;
}

std::vector<std::uint16_t> reference_of(const SimulationSpec& spec, const Window& window) {
  std::vector<std::uint16_t> codes;
  SimulatedLayout(spec).reference(window, codes);
  return codes;
}

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

TEST_CASE("labels and reference of a window are those of the whole grid") {
  for (const char* kind : {"voronoi", "stripes", "blocks", "map"}) {
    SimulationSpec spec = spec_with_layout(kind);
    spec.layout.gap = 2;
    const std::vector<int> labels = labels_of(spec, kWholeLayout);
    const std::vector<std::uint16_t> codes = reference_of(spec, kWholeLayout);
    const Window window = {5, 11, 17, 9};
    const std::vector<int> part = labels_of(spec, window);
    const std::vector<std::uint16_t> part_codes = reference_of(spec, window);
    for (Index i = 0; i < window.pixels(); ++i) {
      const auto whole = static_cast<std::size_t>((window.row + i / window.width) * 40 + 5 + i % window.width);
      REQUIRE(part[static_cast<std::size_t>(i)] == labels[whole]);
      REQUIRE(part_codes[static_cast<std::size_t>(i)] == codes[whole]);
    }
    CHECK(part.size() == 17 * 9);
  }
}

TEST_CASE("every class has a region, in proportion to its weight") {
  SimulationSpec spec = spec_with_layout("blocks");
  spec.layout.block_size = 1;
  spec.classes[3].weight = 5;
  const std::vector<int> labels = labels_of(spec, kWholeLayout);
  CHECK(std::count(labels.begin(), labels.end(), 0) == 150);
  CHECK(std::count(labels.begin(), labels.end(), 3) == 750);

  spec = spec_with_layout("voronoi");
  spec.layout.sites = 4;
  spec.classes[3].weight = 1000;
  const std::vector<int> few = labels_of(spec, kWholeLayout);
  for (int label = 0; label < 4; ++label) {
    CHECK(std::count(few.begin(), few.end(), label) > 0);
  }
}

TEST_CASE("stripes and blocks have the stated size") {
  const std::vector<int> stripes = labels_of(spec_with_layout("stripes"), kWholeLayout);
  const std::vector<int> blocks = labels_of(spec_with_layout("blocks"), kWholeLayout);
  for (Index row = 0; row < 30; ++row) {
    for (Index column = 0; column < 40; ++column) {
      const auto pixel = static_cast<std::size_t>(row * 40 + column);
      REQUIRE(stripes[pixel] == stripes[static_cast<std::size_t>(column / 3 * 3)]);
      REQUIRE(blocks[pixel] == blocks[static_cast<std::size_t>(row / 7 * 7 * 40 + column / 7 * 7)]);
    }
  }
  CHECK(*std::max_element(stripes.begin(), stripes.end()) == 3);
}

TEST_CASE("regions are counted with those that the border cuts off") {
  CHECK(layout_regions(spec_with_layout("stripes")) == 14);
  CHECK(layout_regions(spec_with_layout("blocks")) == 6 * 5);
  SimulationSpec sites = spec_with_layout("voronoi");
  sites.layout.sites = 17;
  CHECK(layout_regions(sites) == 17);
}

TEST_CASE("a map is taken as it is, 0 being no class") {
  const SimulationSpec spec = spec_with_layout("map");
  const std::vector<int> labels = labels_of(spec, kWholeLayout);
  bool same = true;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    same = same && labels[i] == static_cast<int>(spec.layout.map[i]) - 1;
  }
  CHECK(same);
  CHECK(reference_of(spec, kWholeLayout) == spec.layout.map);
}

TEST_CASE("the gap is what is near to another region") {
  SimulationSpec spec = spec_with_layout("map");
  // Two halves and a column without class at the right edge.
  for (std::size_t i = 0; i < spec.layout.map.size(); ++i) {
    spec.layout.map[i] = i % 40 == 39 ? 0 : i % 40 < 20 ? 1 : 2;
  }
  spec.layout.gap = 3;
  const std::vector<std::uint16_t> codes = reference_of(spec, kWholeLayout);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::size_t column = i % 40;
    const int expected = column < 17 ? 1 : column >= 23 && column < 36 ? 2 : 0;
    REQUIRE(codes[i] == expected);
  }
  CHECK(std::count(codes.begin(), codes.end(), 1) == 17 * 30);
}

TEST_CASE("the layout depends on the seed") {
  SimulationSpec spec = spec_with_layout("voronoi");
  const std::vector<int> first = labels_of(spec, kWholeLayout);
  CHECK(labels_of(spec, kWholeLayout) == first);
  spec.seed = 77;
  CHECK(labels_of(spec, kWholeLayout) != first);
}

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

TEST_CASE("asking for more polygons than there is room for ends soon, tells its progress and can be stopped") {
  SimulationSpec spec = polygon_spec();
  spec.layout.kind = "blocks";
  spec.layout.block_size = 50;
  spec.polygons.per_class = 70'000;
  std::vector<double> shown;
  const SimulatedLayout layout(spec);
  const auto polygons = place_polygons(spec, layout, grid_of(spec), [&](double share) { shown.push_back(share); });
  CHECK(polygons.size() > 60);
  CHECK(polygons.size() < 1000);
  CHECK(shown.size() > 100);
  CHECK(std::is_sorted(shown.begin(), shown.end()));
  CHECK(shown.back() == 1);
  CHECK_THROWS_AS(place_polygons(spec, layout, grid_of(spec), [](double) { throw IoError("stopped"); }), IoError);
}

}  // namespace parsimap::test
