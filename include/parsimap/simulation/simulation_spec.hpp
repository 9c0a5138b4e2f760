// What a simulated scene looks like: plain options. In JSON every field has the same name; absent means the default
// given here, and an optional field that is unset is absent. Only `width`, `height`, `bands` and `classes` are
// required, of a class only `name`. See sample_data/spec.json for an example.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

// One class: spectra are normal with a mean spectrum and covariance Q diag(a) Q' + b (I - Q Q'), in reflectance.
struct SimulatedClassSpec {
  std::string name;                // unique
  Index dimension = 5;             // p, 1 <= p < bands
  std::vector<double> variances;   // a_1 .. a_p, each > noise_variance; empty: largest_variance decay^(i-1)
  double largest_variance = 1e-3;  // a_1
  double decay = 0.5;              // a_(i+1) / a_i, in (0, 1]
  double noise_variance = 1e-6;    // b >= 0
  double weight = 1;               // share of the regions, > 0, relative to the other classes
  std::vector<double> mean;        // reflectance by band; empty: a smooth spectrum drawn from the seed
  std::optional<Colour> colour;    // in JSON [red, green, blue]
};

// Where the classes lie. Regions are dealt to the classes in proportion to their weights, each class gets at least one.
struct LayoutSpec {
  std::string kind = "voronoi";    // "voronoi", "stripes", "blocks" or "map"
  Index sites = 40;                // voronoi: number of regions, >= number of classes
  Index stripe_width = 10;         // stripes: vertical, in pixels
  Index block_size = 16;           // blocks: squares of so many pixels
  std::vector<std::uint16_t> map;  // map: width * height codes in row-major order, 0 = no class, else class index + 1
  Index gap = 0;                   // pixels this near to another region (Chebyshev) have no reference label
};

// Linear mixtures x = sum alpha_i s_i as in the paper's section on simulated data, the label the largest alpha.
// alpha = (1 - strength) e_label + strength * u with u uniform on the simplex, its largest entry moved to the label.
struct MixingSpec {
  double fraction = 0;  // of the pixels that are mixed, in [0, 1]
  double strength = 1;  // in [0, 1]; 1 is the paper's
  Index reach = 0;      // mixed with the classes found within so many pixels (none: pure); 0: with all classes
};

// Small polygons for training and test, each inside one region.
struct PolygonSpec {
  Index per_class = 12;          // fewer where no more fit; 0 = none
  double smallest_radius = 1.5;  // in pixels
  double largest_radius = 4;
  double train_fraction = 0.5;  // of a class's polygons that have split "train", the others "test"; in [0, 1]
};

struct SimulationSpec {
  Index width = 0;  // in pixels, >= 1
  Index height = 0;
  Index bands = 0;                                       // d >= 2
  double first_wavelength = 400;                         // nanometres, bands are evenly spaced
  double last_wavelength = 2500;                         // > first_wavelength
  double pixel_size = 1;                                 // in map units, > 0
  std::array<double, 2> origin = {500000.0, 4000000.0};  // x, y of the upper left corner
  int epsg = 32631;                                      // of the map coordinates, 0 = none
  std::uint64_t seed = 1;
  LayoutSpec layout;
  std::vector<SimulatedClassSpec> classes;  // 2 .. 65535; code = position + 1
  double separation = 1;            // factor on the distance of drawn mean spectra from their common average, >= 0
  std::string subspace = "smooth";  // directions Q: "smooth" (low frequencies along the bands) or "random" (any)
  MixingSpec mixing;
  std::optional<double>
      snr;               // > 0; variance of the added white noise = mean square of the class means (by weight) / snr
  double epsilon = 0;    // >= 0, or its standard deviation in reflectance; only one of snr and epsilon
  double scale = 10000;  // > 0; a stored value is round(scale * reflectance), clamped to 0 .. 65535
  PolygonSpec polygons;
};

// Throws ConfigError when fields contradict each other; that each lies in its own range, config/simulation.schema.json
// has seen to. The text starts with the field's JSON pointer, as in "/classes/1/dimension is 40; it must be smaller
// than bands (30)", so that a reader of a file puts its name before it.
void check_simulation(const SimulationSpec& spec);

// The independent random streams of one simulation seed.
enum class SimulationStream : std::uint64_t { layout = 1, class_model = 2, row = 3, polygons = 4 };

// The stream of the `index`-th class, row ...
inline std::uint64_t simulation_stream(SimulationStream kind, std::uint64_t index) {
  return (static_cast<std::uint64_t>(kind) << 32U) + index;
}

}  // namespace parsimap
