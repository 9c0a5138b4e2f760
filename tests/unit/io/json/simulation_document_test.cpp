#include "io/json/simulation_document.hpp"

#include <doctest/doctest.h>

#include "parsimap/io/json/simulation_spec.hpp"

#include "io/json/schema_check.hpp"

using namespace parsimap;

namespace {

// Every field differs from its default.
const Json& full() {
  static const Json json = parse_json(R"({
    "width": 3, "height": 2, "bands": 4, "first_wavelength": 401.5, "last_wavelength": 900.1,
    "pixel_size": 2.5, "origin": [10.0, -20.5], "epsg": 4326, "seed": 9223372036854775807,
    "layout": {"kind": "map", "sites": 9, "stripe_width": 8, "block_size": 7, "map": [0, 1, 2, 2, 1, 0], "gap": 1},
    "classes": [{"name": "a", "dimension": 2, "variances": [0.5, 0.25], "largest_variance": 3.5, "decay": 0.75,
                 "noise_variance": 0.001, "weight": 2.5, "mean": [1.5, 2.5, 3.5, 4.5], "colour": [1, 2, 255]},
                {"name": "b", "dimension": 1, "variances": [], "largest_variance": 0.1, "decay": 0.1,
                 "noise_variance": 0.002, "weight": 0.1, "mean": []}],
    "separation": 0.5, "subspace": "random",
    "mixing": {"fraction": 0.1, "strength": 0.2, "reach": 3}, "snr": 50.5, "epsilon": 0.25, "scale": 1000.5,
    "polygons": {"per_class": 4, "smallest_radius": 1.25, "largest_radius": 6.5, "train_fraction": 0.75}})");
  return json;
}

}  // namespace

TEST_CASE("a specification survives the way to a document and back") {
  CHECK(simulation_document(simulation_of(full())).dump() == full().dump());
}

TEST_CASE("a document has every key of the schema, but for optional ones that are unset") {
  const nlohmann::json schema = resolved_schema(simulation_schema());
  for (const auto& [key, rule] : schema["properties"].items()) {
    CAPTURE(key);
    CHECK(full().contains(key));
    const nlohmann::json properties = rule.value("properties", nlohmann::json::object());
    for (const auto& [inner, ignored] : properties.items()) {
      CAPTURE(inner);
      CHECK(full()[key].contains(inner));
    }
  }
  for (const auto& [key, ignored] : schema["properties"]["classes"]["items"]["properties"].items()) {
    CAPTURE(key);
    CHECK(full()["classes"][0].contains(key));
  }
  SimulationSpec spec = simulation_of(full());
  spec.snr.reset();
  spec.classes[0].colour.reset();
  const Json without = simulation_document(spec);
  CHECK_FALSE(without.contains("snr"));
  CHECK_FALSE(without["classes"][0].contains("colour"));
}
