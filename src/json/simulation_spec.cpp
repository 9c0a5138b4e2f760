#include "parsimap/json/simulation_spec.hpp"

#include "parsimap/core/error.hpp"
#include "parsimap/json/json_text.hpp"

#include "json_fields.hpp"
#include "schema_check.hpp"

namespace parsimap {

static PARSIMAP_RECORD(LayoutSpec, kind, sites, stripe_width, block_size, map, gap);
static PARSIMAP_RECORD(SimulatedClassSpec, name, dimension, variances, largest_variance, decay, noise_variance, weight,
                       mean, colour);
static PARSIMAP_RECORD(MixingSpec, fraction, strength, reach);
static PARSIMAP_RECORD(PolygonSpec, per_class, smallest_radius, largest_radius, train_fraction);
PARSIMAP_RECORD(SimulationSpec, width, height, bands, first_wavelength, last_wavelength, pixel_size, origin, epsg, seed,
                layout, classes, separation, subspace, mixing, snr, epsilon, scale, polygons);

SimulationSpec read_simulation_spec(const std::string& path) {
  const std::string text = read_json_text(path, "simulation specification");
  return naming<ConfigError>(path + ": ", [&] {
    const Json document = parse_json(text);
    // The schema gives the position of unknown keys and wrong types. Relations between the fields, such as a dimension
    // below the number of bands, are tested by check_simulation(). Only then is the name of the file put in front of
    // the message.
    static const nlohmann::json schema = resolved_schema(simulation_schema());
    check_document(document, schema);
    SimulationSpec spec = value_of<SimulationSpec>(Node(document), Form::spec);
    check_simulation(spec);
    return spec;
  });
}

}  // namespace parsimap
