#include "parsimap/mapping/band_match.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <tuple>
#include <vector>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

constexpr double kLargestTolerance = 5;  // nanometres
constexpr double kRounding = 1e-6;       // nanometres, of wavelengths written in micrometres
constexpr Index kNone = -1;

bool has_wavelength(const Band& band) { return band.wavelength.has_value(); }
bool has_name(const Band& band) { return !band.name.empty(); }

std::string nanometres(double value) {
  std::ostringstream text;
  text << value << " nm";
  return text.str();
}

// "12 (1352.4 nm), 13 (water)": bands of the training scene.
std::string described(const Model& model, const std::vector<std::size_t>& bands) {
  constexpr std::size_t kMost = 20;
  std::string text;
  for (std::size_t i = 0; i < bands.size() && i < kMost; ++i) {
    const Band& band = model.band_table[bands[i]];
    text += (i > 0 ? ", " : "") + std::to_string(model.bands[bands[i]] + 1) + " (" +
            (band.wavelength ? nanometres(*band.wavelength) : band.name) + ")";
  }
  return bands.size() > kMost ? text + " and " + std::to_string(bands.size() - kMost) + " more" : text;
}

void check_complete(const Indices& found, const SceneSource& scene, const Model& model, const std::string& rule) {
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == kNone) {
      missing.push_back(i);
    }
  }
  if (!missing.empty()) {
    throw DataError(scene.name() + " lacks " + std::to_string(missing.size()) + " of the " +
                    std::to_string(found.size()) + " bands that the model uses (" + rule +
                    "); of the training scene these are the bands " + described(model, missing));
  }
}

// A band of the model beside one of the scene. The order is that in which pairs are taken: the nearest wavelengths
// first, then bands of the same name, then bands at the same position.
struct Pair {
  double distance;
  bool other_name;
  Index other_place;
  std::size_t wanted;
  std::size_t offered;
  bool operator<(const Pair& other) const {
    return std::tie(distance, other_name, other_place, wanted, offered) <
           std::tie(other.distance, other.other_name, other.other_place, other.wanted, other.offered);
  }
};

// All pairs of a band of the model and one of the scene whose wavelengths are near enough.
std::vector<Pair> pairs_within(double tolerance, const BandTable& bands, const Model& model) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < model.band_table.size(); ++i) {
    const Band& wanted = model.band_table[i];
    for (std::size_t j = 0; j < bands.size(); ++j) {
      const double distance = bands[j].wavelength ? std::abs(*bands[j].wavelength - *wanted.wavelength) : tolerance + 1;
      if (distance <= tolerance + kRounding) {
        pairs.push_back(
            {distance, bands[j].name != wanted.name, std::abs(static_cast<Index>(j) - model.bands[i]), i, j});
      }
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// Each band of the model takes the nearest band of the scene that no nearer pair has taken.
Indices by_wavelength(const SceneSource& scene, const Model& model) {
  const double tolerance = wavelength_tolerance(model.band_table);
  Indices found(model.bands.size(), kNone);
  std::vector<bool> taken(scene.bands().size(), false);
  for (const Pair& pair : pairs_within(tolerance, scene.bands(), model)) {
    if (found[pair.wanted] == kNone && !taken[pair.offered]) {
      found[pair.wanted] = static_cast<Index>(pair.offered);
      taken[pair.offered] = true;
    }
  }
  check_complete(found, scene, model, "a band of its own within " + nanometres(tolerance));
  return found;
}

// Each band of the model takes the band of the scene with its name, which must be the only one.
Indices by_name(const SceneSource& scene, const Model& model) {
  std::map<std::string, std::vector<Index>> offered;
  for (std::size_t j = 0; j < scene.bands().size(); ++j) {
    offered[scene.bands()[j].name].push_back(static_cast<Index>(j));
  }
  Indices found;
  for (const Band& band : model.band_table) {
    const auto entry = offered.find(band.name);
    if (entry != offered.end() && entry->second.size() > 1) {
      throw DataError(scene.name() + " has " + std::to_string(entry->second.size()) + " bands named '" + band.name +
                      "'; the model finds its bands by name, so there must be one");
    }
    found.push_back(entry == offered.end() ? kNone : entry->second.front());
  }
  check_complete(found, scene, model, "by name");
  return found;
}

// Nothing tells the bands apart but their positions, so the scene must have as many as the one that was trained on, and
// wavelengths that both know must agree.
Indices by_order(const SceneSource& scene, const Model& model) {
  const auto count = static_cast<Index>(scene.bands().size());
  if (count != model.scene_bands) {
    throw DataError(scene.name() + " has " + std::to_string(count) +
                    " bands, but the model was trained on a scene of " + std::to_string(model.scene_bands) +
                    " bands; without wavelengths or names in both they must be the same bands");
  }
  for (std::size_t i = 0; i < model.bands.size(); ++i) {
    const std::optional<double> found = scene.bands()[static_cast<std::size_t>(model.bands[i])].wavelength;
    const std::optional<double> expected = model.band_table[i].wavelength;
    if (found && expected && std::abs(*found - *expected) > kLargestTolerance) {
      throw DataError(scene.name() + ": band " + std::to_string(model.bands[i] + 1) + " has wavelength " +
                      nanometres(*found) + ", but the model was trained with " + nanometres(*expected) +
                      " there; they may differ by " + nanometres(kLargestTolerance) + " at most");
    }
  }
  return model.bands;
}

bool names_tell_apart(const BandTable& bands) {
  std::set<std::string> names;
  for (const Band& band : bands) {
    names.insert(band.name);
  }
  return names.size() == bands.size() && names.count("") == 0;
}

}  // namespace

double wavelength_tolerance(const BandTable& bands) {
  std::vector<double> sorted;
  for (const Band& band : bands) {
    if (band.wavelength) {
      sorted.push_back(*band.wavelength);
    }
  }
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  // The median of the steps between neighbouring wavelengths; the first entry of the differences is no step.
  std::vector<double> steps(sorted.size());
  std::adjacent_difference(sorted.begin(), sorted.end(), steps.begin());
  if (steps.size() < 2) {
    return kLargestTolerance;
  }
  const auto middle = steps.begin() + 1 + static_cast<std::ptrdiff_t>((steps.size() - 1) / 2);
  std::nth_element(steps.begin() + 1, middle, steps.end());
  return std::min(kLargestTolerance, *middle / 2);
}

Indices match_bands(const SceneSource& scene, const Model& model) {
  const BandTable& bands = scene.bands();
  if (std::all_of(model.band_table.begin(), model.band_table.end(), has_wavelength) &&
      std::any_of(bands.begin(), bands.end(), has_wavelength)) {
    return by_wavelength(scene, model);
  }
  if (names_tell_apart(model.band_table) && std::any_of(bands.begin(), bands.end(), has_name)) {
    return by_name(scene, model);
  }
  return by_order(scene, model);
}

}  // namespace parsimap
