#include <doctest/doctest.h>

#include <functional>
#include <limits>

#include "parsimap/core/error.hpp"
#include "parsimap/simulation/simulation.hpp"

using namespace parsimap;

namespace {

SimulationSpec valid_spec() {
  SimulationSpec spec;
  spec.width = 20;
  spec.height = 10;
  spec.bands = 30;
  spec.classes.resize(2);
  spec.classes[0].name = "wheat";
  spec.classes[1].name = "maize";
  return spec;
}

// The sentence that a change to a valid specification is refused with.
std::string refusal(const std::function<void(SimulationSpec&)>& change) {
  SimulationSpec spec = valid_spec();
  change(spec);
  try {
    check_simulation(spec);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a specification of required fields alone is valid") {
  CHECK_NOTHROW(check_simulation(valid_spec()));
  CHECK(refusal([](SimulationSpec&) {}) == "accepted");
}

TEST_CASE("a refusal names the field by its JSON pointer, the value and the rule") {
  CHECK(refusal([](SimulationSpec& spec) { spec.classes[1].dimension = 40; }) ==
        "/classes/1/dimension is 40; it must be smaller than bands (30)");
  CHECK(refusal([](SimulationSpec& spec) { spec.classes[1].name = "wheat"; }) ==
        "/classes/1/name is \"wheat\"; it must be different from the other classes' names");
  CHECK(refusal([](SimulationSpec& spec) { spec.layout.kind = "hexagons"; }) ==
        "/layout/kind is \"hexagons\"; it must be one of voronoi, stripes, blocks, map");
  CHECK(refusal([](SimulationSpec& spec) { spec.mixing.fraction = 1.5; }) ==
        "/mixing/fraction is 1.5; it must be from 0 to 1");
}

TEST_CASE("every field is checked") {
  using Change = std::function<void(SimulationSpec&)>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<std::string, Change>> changes = {
      {"/width", [](SimulationSpec& spec) { spec.width = 0; }},
      {"/height", [](SimulationSpec& spec) { spec.height = -1; }},
      {"/bands", [](SimulationSpec& spec) { spec.bands = 1; }},
      {"/first_wavelength", [](SimulationSpec& spec) { spec.first_wavelength = 0; }},
      {"/last_wavelength", [](SimulationSpec& spec) { spec.last_wavelength = 400; }},
      {"/pixel_size", [](SimulationSpec& spec) { spec.pixel_size = 0; }},
      {"/epsg", [](SimulationSpec& spec) { spec.epsg = -4; }},
      {"/subspace", [](SimulationSpec& spec) { spec.subspace = "rough"; }},
      {"/separation", [nan](SimulationSpec& spec) { spec.separation = nan; }},
      {"/scale", [](SimulationSpec& spec) { spec.scale = 0; }},
      {"/classes", [](SimulationSpec& spec) { spec.classes.resize(1); }},
      {"/classes/0/name", [](SimulationSpec& spec) { spec.classes[0].name.clear(); }},
      {"/classes/0/dimension", [](SimulationSpec& spec) { spec.classes[0].dimension = 0; }},
      {"/classes/0/decay", [](SimulationSpec& spec) { spec.classes[0].decay = 1.1; }},
      {"/classes/0/largest_variance", [](SimulationSpec& spec) { spec.classes[0].largest_variance = 1e-6; }},
      {"/classes/0/noise_variance", [](SimulationSpec& spec) { spec.classes[0].noise_variance = -1; }},
      {"/classes/0/variances",
       [](SimulationSpec& spec) {
         spec.classes[0].variances = {1, 2};
       }},
      {"/classes/0/variances/4",
       [](SimulationSpec& spec) {
         spec.classes[0].variances = {1, 1, 1, 1, 0};
       }},
      {"/classes/1/weight", [](SimulationSpec& spec) { spec.classes[1].weight = 0; }},
      {"/classes/1/mean", [](SimulationSpec& spec) { spec.classes[1].mean = {0.5}; }},
      {"/layout", [](SimulationSpec& spec) { spec.layout.sites = 1; }},
      {"/layout/gap", [](SimulationSpec& spec) { spec.layout.gap = -1; }},
      {"/layout/stripe_width", [](SimulationSpec& spec) { spec.layout.stripe_width = 0; }},
      {"/layout/block_size", [](SimulationSpec& spec) { spec.layout.block_size = 0; }},
      {"/layout/map", [](SimulationSpec& spec) { spec.layout.kind = "map"; }},
      {"/mixing/strength", [](SimulationSpec& spec) { spec.mixing.strength = -0.1; }},
      {"/mixing/reach", [](SimulationSpec& spec) { spec.mixing.reach = 100; }},
      {"/epsilon", [](SimulationSpec& spec) { spec.epsilon = -1; }},
      {"/snr", [](SimulationSpec& spec) { spec.snr = 0; }},
      {"/polygons/per_class", [](SimulationSpec& spec) { spec.polygons.per_class = -1; }},
      {"/polygons/smallest_radius", [](SimulationSpec& spec) { spec.polygons.smallest_radius = 0; }},
      {"/polygons/largest_radius", [](SimulationSpec& spec) { spec.polygons.largest_radius = 1; }},
      {"/polygons/train_fraction", [](SimulationSpec& spec) { spec.polygons.train_fraction = 2; }},
  };
  for (const auto& [pointer, change] : changes) {
    CAPTURE(pointer);
    CHECK(refusal(change).rfind(pointer + " is ", 0) == 0);
  }
}

TEST_CASE("rules between fields") {
  CHECK(refusal([](SimulationSpec& spec) {
          spec.snr = 10;
          spec.epsilon = 0.1;
        }).rfind("/epsilon", 0) == 0);
  CHECK(refusal([](SimulationSpec& spec) {
          spec.layout.kind = "stripes";
          spec.layout.stripe_width = 20;
        }) == "/layout is of 1 regions; it must be of at least as many as classes (2)");
  CHECK(refusal([](SimulationSpec& spec) {
          spec.layout.kind = "map";
          spec.layout.map.assign(200, 2);
          spec.layout.map[7] = 3;
        }) == "/layout/map/7 is 3; it must be at most the number of classes (2)");
}
