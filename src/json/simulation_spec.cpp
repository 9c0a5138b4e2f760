#include "parsimap/core/error.hpp"
#include "parsimap/json/experiment_spec.hpp"
#include "parsimap/json/json_text.hpp"

#include "json_fields.hpp"

namespace parsimap {

static void list_fields(LayoutSpec& layout, Fields& field) {
  field("kind", layout.kind);
  field("sites", layout.sites);
  field("stripe_width", layout.stripe_width);
  field("block_size", layout.block_size);
  field("map", layout.map);
  field("gap", layout.gap);
}

static void list_fields(SimulatedClassSpec& simulated, Fields& field) {
  field("name", simulated.name);
  field("dimension", simulated.dimension);
  field("variances", simulated.variances);
  field("largest_variance", simulated.largest_variance);
  field("decay", simulated.decay);
  field("noise_variance", simulated.noise_variance);
  field("weight", simulated.weight);
  field("mean", simulated.mean);
  field("colour", simulated.colour);
}

static void list_fields(MixingSpec& mixing, Fields& field) {
  field("fraction", mixing.fraction);
  field("strength", mixing.strength);
  field("reach", mixing.reach);
}

static void list_fields(PolygonSpec& polygons, Fields& field) {
  field("per_class", polygons.per_class);
  field("smallest_radius", polygons.smallest_radius);
  field("largest_radius", polygons.largest_radius);
  field("train_fraction", polygons.train_fraction);
}

void list_fields(SimulationSpec& spec, Fields& field) {
  field("width", spec.width);
  field("height", spec.height);
  field("bands", spec.bands);
  field("first_wavelength", spec.first_wavelength);
  field("last_wavelength", spec.last_wavelength);
  field("pixel_size", spec.pixel_size);
  field("origin", spec.origin);
  field("epsg", spec.epsg);
  field("seed", spec.seed);
  field("layout", spec.layout);
  field("classes", spec.classes);
  field("separation", spec.separation);
  field("subspace", spec.subspace);
  field("mixing", spec.mixing);
  field("snr", spec.snr);
  field("epsilon", spec.epsilon);
  field("scale", spec.scale);
  field("polygons", spec.polygons);
}

SimulationSpec read_simulation_spec(const std::string& path) {
  const std::string text = read_json_text(path, "simulation specification");
  try {
    const Json document = parse_json(text);
    // The schema gives the position of unknown keys and wrong types. Relations between the fields, such as a dimension
    // below the number of bands, are tested by check_simulation(). Only then is the name of the file put in front of
    // the message.
    static const nlohmann::json schema = resolved_schema(simulation_schema());
    check_document(document, schema);
    SimulationSpec spec = value_of<SimulationSpec>(Node(document), Form::spec);
    check_simulation(spec);
    return spec;
  } catch (const ConfigError& error) {
    throw ConfigError(path + ": " + error.what());
  }
}

}  // namespace parsimap
