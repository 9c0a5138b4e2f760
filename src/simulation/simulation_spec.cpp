#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "parsimap/core/error.hpp"
#include "parsimap/simulation/simulation.hpp"

namespace parsimap {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

// All errors name the place in the document by its JSON pointer, the value, and the rule.
template <typename Value>
[[noreturn]] void refuse(const std::string& pointer, const Value& value, const std::string& rule) {
  std::ostringstream text;
  text << pointer << " is " << value << "; it must be " << rule;
  throw ConfigError(text.str());
}

// NaN lies in no range.
// Comparisons with NaN are false: the condition is negated, so that NaN is refused.
void require_range(const std::string& pointer, double value, double low, double high, const std::string& rule) {
  if (!(value >= low && value <= high)) {
    refuse(pointer, value, rule);
  }
}

void require_positive(const std::string& pointer, double value) {
  if (!(value > 0 && value < kUnlimited)) {
    refuse(pointer, value, "larger than 0");
  }
}

void require_choice(const std::string& pointer, const std::string& value, const std::vector<std::string>& choices) {
  if (std::find(choices.begin(), choices.end(), value) == choices.end()) {
    std::string list;
    for (const std::string& choice : choices) {
      list += (list.empty() ? "" : ", ") + choice;
    }
    refuse(pointer, "\"" + value + "\"", "one of " + list);
  }
}

void check_variances(const SimulatedClassSpec& entry, const std::string& pointer) {
  require_range(pointer + "/noise_variance", entry.noise_variance, 0, 1e6, "at least 0");
  if (entry.variances.empty()) {
    require_range(pointer + "/decay", entry.decay, 1e-6, 1, "in (0, 1]");
    // The variances fall by the factor `decay` from one direction to the next; the last one must still be above the
    // noise, for a direction below it is no signal.
    const double smallest = entry.largest_variance * std::pow(entry.decay, static_cast<double>(entry.dimension - 1));
    if (!(smallest > entry.noise_variance)) {
      refuse(pointer + "/largest_variance", entry.largest_variance,
             "so large that largest_variance * decay^(dimension - 1) is above noise_variance");
    }
    return;
  }
  if (static_cast<Index>(entry.variances.size()) != entry.dimension) {
    refuse(pointer + "/variances", "a list of " + std::to_string(entry.variances.size()),
           "as long as dimension (" + std::to_string(entry.dimension) + ")");
  }
  for (std::size_t i = 0; i < entry.variances.size(); ++i) {
    if (!(entry.variances[i] > entry.noise_variance)) {
      refuse(pointer + "/variances/" + std::to_string(i), entry.variances[i], "larger than noise_variance");
    }
  }
}

// The subspace of a class must leave at least one direction to the noise.
void check_class(const SimulatedClassSpec& entry, Index bands, const std::string& pointer) {
  if (entry.name.empty()) {
    refuse(pointer + "/name", "empty", "a name");
  }
  if (entry.dimension < 1 || entry.dimension >= bands) {
    refuse(pointer + "/dimension", entry.dimension,
           entry.dimension < 1 ? "at least 1" : "smaller than bands (" + std::to_string(bands) + ")");
  }
  check_variances(entry, pointer);
  require_positive(pointer + "/weight", entry.weight);
  if (!entry.mean.empty() && static_cast<Index>(entry.mean.size()) != bands) {
    refuse(pointer + "/mean", "a list of " + std::to_string(entry.mean.size()),
           "as long as bands (" + std::to_string(bands) + ")");
  }
}

void check_classes(const SimulationSpec& spec) {
  if (spec.classes.size() < 2 || spec.classes.size() > 65535) {
    refuse("/classes", "a list of " + std::to_string(spec.classes.size()), "2 to 65535 classes");
  }
  std::set<std::string> names;
  for (std::size_t c = 0; c < spec.classes.size(); ++c) {
    const std::string pointer = "/classes/" + std::to_string(c);
    check_class(spec.classes[c], spec.bands, pointer);
    if (!names.insert(spec.classes[c].name).second) {
      refuse(pointer + "/name", "\"" + spec.classes[c].name + "\"", "different from the other classes' names");
    }
  }
}

// Widths and heights are rounded up: a last stripe or block may be cut off by the border of the scene.
Index count_regions(const SimulationSpec& spec) {
  const LayoutSpec& layout = spec.layout;
  if (layout.kind == "stripes") {
    return (spec.width + layout.stripe_width - 1) / layout.stripe_width;
  }
  if (layout.kind == "blocks") {
    return ((spec.width + layout.block_size - 1) / layout.block_size) *
           ((spec.height + layout.block_size - 1) / layout.block_size);
  }
  return layout.sites;
}

void check_layout(const SimulationSpec& spec) {
  const LayoutSpec& layout = spec.layout;
  require_choice("/layout/kind", layout.kind, {"voronoi", "stripes", "blocks", "map"});
  require_range("/layout/gap", static_cast<double>(layout.gap), 0, 1000, "from 0 to 1000");
  require_range("/layout/stripe_width", static_cast<double>(layout.stripe_width), 1, kUnlimited, "at least 1");
  require_range("/layout/block_size", static_cast<double>(layout.block_size), 1, kUnlimited, "at least 1");
  // Every class gets at least one region; in a given map a class may be absent.
  if (layout.kind != "map") {
    if (count_regions(spec) < static_cast<Index>(spec.classes.size())) {
      refuse("/layout", "of " + std::to_string(count_regions(spec)) + " regions",
             "of at least as many as classes (" + std::to_string(spec.classes.size()) + ")");
    }
    return;
  }
  if (static_cast<Index>(layout.map.size()) != spec.width * spec.height) {
    refuse("/layout/map", "a list of " + std::to_string(layout.map.size()),
           "as long as width * height (" + std::to_string(spec.width * spec.height) + ")");
  }
  for (std::size_t i = 0; i < layout.map.size(); ++i) {
    if (layout.map[i] > spec.classes.size()) {
      refuse("/layout/map/" + std::to_string(i), layout.map[i],
             "at most the number of classes (" + std::to_string(spec.classes.size()) + ")");
    }
  }
}

void check_noise_and_mixing(const SimulationSpec& spec) {
  require_range("/mixing/fraction", spec.mixing.fraction, 0, 1, "from 0 to 1");
  require_range("/mixing/strength", spec.mixing.strength, 0, 1, "from 0 to 1");
  require_range("/mixing/reach", static_cast<double>(spec.mixing.reach), 0, 32, "from 0 to 32");
  require_range("/epsilon", spec.epsilon, 0, 1e6, "at least 0");
  if (spec.snr) {
    require_positive("/snr", *spec.snr);
    if (spec.epsilon > 0) {
      refuse("/epsilon", spec.epsilon, "absent where snr is given");
    }
  }
}

void check_polygons(const PolygonSpec& polygons) {
  require_range("/polygons/per_class", static_cast<double>(polygons.per_class), 0, 1e6, "from 0 to 1000000");
  require_range("/polygons/smallest_radius", polygons.smallest_radius, 1, 1000, "from 1 to 1000");
  require_range("/polygons/largest_radius", polygons.largest_radius, polygons.smallest_radius, 1000,
                "from smallest_radius to 1000");
  require_range("/polygons/train_fraction", polygons.train_fraction, 0, 1, "from 0 to 1");
}

}  // namespace

void check_simulation(const SimulationSpec& spec) {
  // Along a side. Scenes are generated row by row and need not fit into memory.
  constexpr double kMostPixels = 1 << 30;
  require_range("/width", static_cast<double>(spec.width), 1, kMostPixels, "from 1 to 2^30");
  require_range("/height", static_cast<double>(spec.height), 1, kMostPixels, "from 1 to 2^30");
  require_range("/bands", static_cast<double>(spec.bands), 2, 65535, "from 2 to 65535");
  require_positive("/first_wavelength", spec.first_wavelength);
  if (!(spec.last_wavelength > spec.first_wavelength)) {
    refuse("/last_wavelength", spec.last_wavelength, "larger than first_wavelength");
  }
  require_positive("/pixel_size", spec.pixel_size);
  require_range("/epsg", spec.epsg, 0, kUnlimited, "the code of a coordinate system, or 0 for none");
  require_choice("/subspace", spec.subspace, {"smooth", "random"});
  require_range("/separation", spec.separation, 0, 1e6, "at least 0");
  require_positive("/scale", spec.scale);
  check_classes(spec);
  check_layout(spec);
  check_noise_and_mixing(spec);
  check_polygons(spec.polygons);
}

}  // namespace parsimap
