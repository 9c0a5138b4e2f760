#include "parsimap/json/simulation_spec.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <functional>

#include "parsimap/core/error.hpp"

#include "json/json_fields.hpp"
#include "json/schema_check.hpp"
#include "unit/core/temporary_folder.hpp"

using namespace parsimap;
using nlohmann::json;

namespace {

json minimal_simulation() {
  return {{"width", 40}, {"height", 30}, {"bands", 20}, {"classes", {{{"name", "a"}}, {{"name", "b"}}}}};
}

SimulationSpec read_simulation(const json& document) {
  const TemporaryFolder folder;
  write_file(folder.file("spec.json"), document.dump());
  return read_simulation_spec(folder.file("spec.json"));
}

// The error of a document, without the file's name in front.
std::string refusal_of_text(const std::string& text) {
  const TemporaryFolder folder;
  const std::string path = folder.file("spec.json");
  write_file(path, text);
  try {
    read_simulation_spec(path);
  } catch (const ConfigError& error) {
    const std::string message = error.what();
    return message.starts_with(path + ": ") ? message.substr(path.size() + 2) : message;
  }
  return "accepted";
}

// The error after setting the value at a JSON pointer.
std::string refusal_of_simulation(const std::string& pointer, const json& value) {
  json document = minimal_simulation();
  document[json::json_pointer(pointer)] = value;
  return refusal_of_text(document.dump());
}

// Calls visit on every rule of a schema.
void each_simulation_rule(const json& rule, const std::function<void(const json&)>& visit) {
  visit(rule);
  if (rule.contains("properties")) {
    for (const auto& [key, property] : rule["properties"].items()) {
      each_simulation_rule(property, visit);
    }
  }
  if (rule.contains("items")) {
    each_simulation_rule(rule["items"], visit);
  }
}

// Every field differs from its default.
const nlohmann::ordered_json& full() {
  static const nlohmann::ordered_json json = nlohmann::ordered_json::parse(R"({
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

TEST_CASE("every rule has a type or choices, no object takes unknown keys, and whole numbers fit 64 bits") {
  each_simulation_rule(json::parse(simulation_schema()), [](const json& rule) {
    CHECK((rule.contains("type") || rule.contains("enum")));
    if (rule.value("type", "") == "object") {
      CHECK(rule.value("additionalProperties", true) == false);
    }
    if (rule.value("type", "") == "integer") {
      CHECK(rule.contains("minimum"));
      CHECK(rule.contains("maximum"));
    }
  });
}

TEST_CASE("a minimal specification has the defaults") {
  const SimulationSpec spec = read_simulation(minimal_simulation());
  const SimulationSpec defaults;
  CHECK(spec.width == 40);
  CHECK(spec.height == 30);
  CHECK(spec.bands == 20);
  REQUIRE(spec.classes.size() == 2);
  CHECK(spec.classes[1].name == "b");
  CHECK(spec.classes[1].dimension == SimulatedClassSpec{}.dimension);
  CHECK(spec.origin == defaults.origin);
  CHECK(spec.layout.kind == defaults.layout.kind);
  CHECK(spec.polygons.per_class == defaults.polygons.per_class);
  CHECK_FALSE(spec.snr);
}

TEST_CASE("every key reaches its field") {
  json document = minimal_simulation();
  document.merge_patch(json::parse(R"({
    "width": 3, "height": 2, "bands": 4, "first_wavelength": 401.5, "last_wavelength": 900,
    "pixel_size": 2.5, "origin": [10, -20.5], "epsg": 0, "seed": 9223372036854775807, "separation": 0.5,
    "subspace": "random", "epsilon": 0.25, "scale": 1000,
    "layout": {"kind": "map", "sites": 9, "stripe_width": 8, "block_size": 7, "map": [0, 1, 2, 2, 1, 0], "gap": 1},
    "mixing": {"fraction": 0.1, "strength": 0.2, "reach": 3},
    "polygons": {"per_class": 4, "smallest_radius": 1.25, "largest_radius": 6, "train_fraction": 0.75},
    "classes": [{"name": "a", "dimension": 2, "variances": [0.5, 0.25], "largest_variance": 3, "decay": 0.75,
                 "noise_variance": 0.001, "weight": 2, "mean": [1, 2, 3, 4], "colour": [1, 2, 255]},
                {"name": "b", "dimension": 1}]})"));
  const SimulationSpec spec = read_simulation(document);
  CHECK(spec.width == 3);
  CHECK(spec.height == 2);
  CHECK(spec.bands == 4);
  CHECK(spec.first_wavelength == 401.5);
  CHECK(spec.last_wavelength == 900);
  CHECK(spec.pixel_size == 2.5);
  CHECK(spec.origin == std::array<double, 2>{10, -20.5});
  CHECK(spec.epsg == 0);
  CHECK(spec.seed == 9223372036854775807ULL);
  CHECK(spec.separation == 0.5);
  CHECK(spec.subspace == "random");
  CHECK(spec.epsilon == 0.25);
  CHECK(spec.scale == 1000);
  CHECK(spec.layout.kind == "map");
  CHECK(spec.layout.sites == 9);
  CHECK(spec.layout.stripe_width == 8);
  CHECK(spec.layout.block_size == 7);
  CHECK(spec.layout.map == std::vector<std::uint16_t>{0, 1, 2, 2, 1, 0});
  CHECK(spec.layout.gap == 1);
  CHECK(spec.mixing.fraction == 0.1);
  CHECK(spec.mixing.strength == 0.2);
  CHECK(spec.mixing.reach == 3);
  CHECK(spec.polygons.per_class == 4);
  CHECK(spec.polygons.smallest_radius == 1.25);
  CHECK(spec.polygons.largest_radius == 6);
  CHECK(spec.polygons.train_fraction == 0.75);
  const SimulatedClassSpec& a = spec.classes[0];
  CHECK(a.dimension == 2);
  CHECK(a.variances == std::vector<double>{0.5, 0.25});
  CHECK(a.largest_variance == 3);
  CHECK(a.decay == 0.75);
  CHECK(a.noise_variance == 0.001);
  CHECK(a.weight == 2);
  CHECK(a.mean == std::vector<double>{1, 2, 3, 4});
  CHECK(a.colour == Colour{1, 2, 255});
  document.erase("epsilon");
  document["snr"] = 50;
  CHECK(read_simulation(document).snr == 50);
}

TEST_CASE("unknown and missing keys are named with what is known") {
  CHECK(refusal_of_simulation("/bandz", 4)
            .starts_with("/bandz is unknown; known here are bands, classes, epsg, epsilon, "));
  CHECK(refusal_of_simulation("/classes/1/color", "red") ==
        "/classes/1/color is unknown; known here are colour, decay, dimension, largest_variance, mean, name, "
        "noise_variance, variances, weight");
  CHECK(refusal_of_simulation("/mixing", {{"amount", 1}}) ==
        "/mixing/amount is unknown; known here are fraction, reach, strength");
  CHECK(refusal_of_simulation("/classes/0", json::object()) ==
        "/classes/0/name is missing; it must be text that is not empty");
  CHECK(refusal_of_text("{}") == "/width is missing; it must be a whole number at least 1, at most 1073741824");
}

TEST_CASE("wrong types and ranges are named with their path, value and rule") {
  CHECK(refusal_of_simulation("/width", "wide") ==
        "/width is \"wide\"; it must be a whole number at least 1, at most 1073741824");
  CHECK(refusal_of_simulation("/width", 1.5).starts_with("/width is 1.5; it must be a whole number"));
  CHECK(refusal_of_simulation("/width", 0).starts_with("/width is 0; it must be a whole number at least 1"));
  CHECK(refusal_of_simulation("/width", 1e30).starts_with("/width is 1e+30; it must be a whole number"));
  CHECK(refusal_of_simulation("/width", 18446744073709551615ULL)
            .starts_with("/width is 18446744073709551615; it must be"));
  CHECK(refusal_of_simulation("/seed", -1) ==
        "/seed is -1; it must be a whole number at least 0, at most 9223372036854775807");
  CHECK(refusal_of_simulation("/pixel_size", 0) == "/pixel_size is 0; it must be a number greater than 0");
  CHECK(refusal_of_simulation("/scale", nullptr) == "/scale is null; it must be a number greater than 0");
  CHECK(refusal_of_simulation("/mixing/fraction", 1.25) ==
        "/mixing/fraction is 1.25; it must be a number at least 0, at most 1");
  CHECK(refusal_of_simulation("/layout/kind", "hexagons") ==
        "/layout/kind is \"hexagons\"; it must be one of voronoi, stripes, blocks, map");
  CHECK(refusal_of_simulation("/layout", 3) == "/layout is 3; it must be an object");
  CHECK(refusal_of_simulation("/classes/1/name", "") == "/classes/1/name is \"\"; it must be text that is not empty");
  CHECK(refusal_of_simulation("/origin", {1}) == "/origin is [1]; it must be a list of 2 numbers");
  CHECK(refusal_of_simulation("/origin/0", "x").starts_with("/origin"));
  CHECK(refusal_of_simulation("/classes", json::array()) == "/classes is []; it must be a list of at least 2 objects");
  CHECK(refusal_of_simulation("/classes/1/colour", {0, 0, 256}) ==
        "/classes/1/colour/2 is 256; it must be a whole number at least 0, at most 255");
  CHECK(refusal_of_simulation("/classes/1/mean", "flat") ==
        "/classes/1/mean is \"flat\"; it must be a list of numbers");
  CHECK(refusal_of_simulation("/classes/0/decay", 1.5)
            .starts_with("/classes/0/decay is 1.5; it must be a number greater than 0"));
  CHECK(refusal_of_text("[1, 2]") == "the document is [1,2]; it must be an object");
}

TEST_CASE("every field has its range") {
  const std::vector<std::pair<std::string, json>> wrong = {{"/height", -1},
                                                           {"/bands", 1},
                                                           {"/first_wavelength", 0},
                                                           {"/epsg", -4},
                                                           {"/subspace", "rough"},
                                                           {"/separation", -1},
                                                           {"/scale", 0},
                                                           {"/classes/0/dimension", 0},
                                                           {"/classes/0/decay", 0},
                                                           {"/classes/0/noise_variance", -1},
                                                           {"/classes/0/noise_variance", 10000000},
                                                           {"/classes/1/weight", 0},
                                                           {"/layout/gap", -1},
                                                           {"/layout/stripe_width", 0},
                                                           {"/layout/block_size", 0},
                                                           {"/mixing/strength", -1},
                                                           {"/mixing/reach", 100},
                                                           {"/epsilon", -1},
                                                           {"/epsilon", 10000000},
                                                           {"/snr", 0},
                                                           {"/polygons/per_class", -1},
                                                           {"/polygons/smallest_radius", 0},
                                                           {"/polygons/train_fraction", 2}};
  for (const auto& [pointer, value] : wrong) {
    CHECK(refusal_of_simulation(pointer, value).starts_with(pointer + " is " + value.dump() + "; it must be "));
  }
}

TEST_CASE("rules between fields come from the simulation itself") {
  CHECK(refusal_of_simulation("/classes/1/dimension", 20) ==
        "/classes/1/dimension is 20; it must be smaller than bands (20)");
  CHECK(refusal_of_simulation("/classes/1/name", "a") ==
        "/classes/1/name is \"a\"; it must be different from the other classes' names");
}

TEST_CASE("what is no JSON is refused with the place, and a missing file with its name") {
  CHECK(
      refusal_of_text("{\n  \"width\": 3,\n  oops\n}").starts_with("not valid JSON: parse error at line 3, column 3"));
  CHECK(refusal_of_text(std::string(100000, '[')).starts_with("not valid JSON for this program: lists and objects"));
  CHECK(refusal_of_text("").ends_with("is empty"));
  CHECK(message_of([] { read_simulation_spec("/nowhere/spec.json"); }) ==
        "simulation specification '/nowhere/spec.json' cannot be read: No such file or directory");
  CHECK_THROWS_AS(read_simulation_spec("/tmp"), ConfigError);
}

TEST_CASE("a specification survives the way to a document and back") {
  CHECK(document_of(value_of<SimulationSpec>(Node(full()), Form::spec), Form::spec).dump() == full().dump());
}

TEST_CASE("a document has every key of the schema, but for optional ones that are unset") {
  const nlohmann::json schema = resolved_schema(simulation_schema());
  for (const auto& rule : schema["properties"].items()) {
    CAPTURE(rule.key());
    CHECK(full().contains(rule.key()));
    const nlohmann::json properties = rule.value().value("properties", nlohmann::json::object());
    for (const auto& inner : properties.items()) {
      CAPTURE(inner.key());
      CHECK(full()[rule.key()].contains(inner.key()));
    }
  }
  for (const auto& each : schema["properties"]["classes"]["items"]["properties"].items()) {
    CAPTURE(each.key());
    CHECK(full()["classes"][0].contains(each.key()));
  }
  SimulationSpec spec = value_of<SimulationSpec>(Node(full()), Form::spec);
  spec.snr.reset();
  spec.classes[0].colour.reset();
  const Json without = document_of(spec, Form::spec);
  CHECK_FALSE(without.contains("snr"));
  CHECK_FALSE(without["classes"][0].contains("colour"));
}
