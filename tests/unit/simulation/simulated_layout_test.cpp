#include "parsimap/simulation/simulated_layout.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace parsimap;

namespace {

SimulationSpec spec_of(const std::string& kind) {
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

const Window kAll = {0, 0, 40, 30};

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

}  // namespace

TEST_CASE("labels and reference of a window are those of the whole grid") {
  for (const char* kind : {"voronoi", "stripes", "blocks", "map"}) {
    SimulationSpec spec = spec_of(kind);
    spec.layout.gap = 2;
    const std::vector<int> labels = labels_of(spec, kAll);
    const std::vector<std::uint16_t> codes = reference_of(spec, kAll);
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
  SimulationSpec spec = spec_of("blocks");
  spec.layout.block_size = 1;
  spec.classes[3].weight = 5;
  const std::vector<int> labels = labels_of(spec, kAll);
  CHECK(std::count(labels.begin(), labels.end(), 0) == 150);
  CHECK(std::count(labels.begin(), labels.end(), 3) == 750);

  spec = spec_of("voronoi");
  spec.layout.sites = 4;
  spec.classes[3].weight = 1000;
  const std::vector<int> few = labels_of(spec, kAll);
  for (int label = 0; label < 4; ++label) {
    CHECK(std::count(few.begin(), few.end(), label) > 0);
  }
}

TEST_CASE("stripes and blocks have the stated size") {
  const std::vector<int> stripes = labels_of(spec_of("stripes"), kAll);
  const std::vector<int> blocks = labels_of(spec_of("blocks"), kAll);
  for (Index row = 0; row < 30; ++row) {
    for (Index column = 0; column < 40; ++column) {
      const auto pixel = static_cast<std::size_t>(row * 40 + column);
      REQUIRE(stripes[pixel] == stripes[static_cast<std::size_t>(column / 3 * 3)]);
      REQUIRE(blocks[pixel] == blocks[static_cast<std::size_t>(row / 7 * 7 * 40 + column / 7 * 7)]);
    }
  }
  CHECK(*std::max_element(stripes.begin(), stripes.end()) == 3);
}

TEST_CASE("a map is taken as it is, 0 being no class") {
  const SimulationSpec spec = spec_of("map");
  const std::vector<int> labels = labels_of(spec, kAll);
  bool same = true;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    same = same && labels[i] == static_cast<int>(spec.layout.map[i]) - 1;
  }
  CHECK(same);
  CHECK(reference_of(spec, kAll) == spec.layout.map);
}

TEST_CASE("the gap is what is near to another region") {
  SimulationSpec spec = spec_of("map");
  // Two halves and a column without class at the right edge.
  for (std::size_t i = 0; i < spec.layout.map.size(); ++i) {
    spec.layout.map[i] = i % 40 == 39 ? 0 : i % 40 < 20 ? 1 : 2;
  }
  spec.layout.gap = 3;
  const std::vector<std::uint16_t> codes = reference_of(spec, kAll);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::size_t column = i % 40;
    const int expected = column < 17 ? 1 : column >= 23 && column < 36 ? 2 : 0;
    REQUIRE(codes[i] == expected);
  }
  CHECK(std::count(codes.begin(), codes.end(), 1) == 17 * 30);
}

TEST_CASE("the layout depends on the seed") {
  SimulationSpec spec = spec_of("voronoi");
  const std::vector<int> first = labels_of(spec, kAll);
  CHECK(labels_of(spec, kAll) == first);
  spec.seed = 77;
  CHECK(labels_of(spec, kAll) != first);
}
