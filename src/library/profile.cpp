#include "profile.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/samples/wavelength_unit.hpp"

#include "band_ranges.hpp"

namespace parsimap {
namespace {

using Json = nlohmann::json;

// The numbers of a list, NaN where there is none; empty where the object lacks it. A number may stand as a text.
std::vector<double> numbers_of(const Json& profile, const char* key, std::size_t count, const std::string& place) {
  std::vector<double> numbers;
  if (!profile.contains(key) || profile[key].is_null()) {
    return numbers;
  }
  const Json& list = profile[key];
  if (!list.is_array() || (count > 0 && list.size() != count)) {
    throw DataError(place + ": '" + key + "' of the profile must be a list" +
                    (count > 0 ? " of " + std::to_string(count) + " numbers" : ""));
  }
  for (const Json& entry : list) {
    const auto written = entry.is_string() ? parse_number<double>(entry.get_ref<const std::string&>()) : std::nullopt;
    if (!entry.is_number() && !entry.is_null() && !written) {
      throw DataError(place + ": '" + key + "' of the profile has an entry that is no number");
    }
    numbers.push_back(entry.is_number() ? entry.get<double>()
                                        : written.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  return numbers;
}

std::string text_of(const Json& profile, const char* key) {
  const auto found = profile.find(key);
  return found != profile.end() && found->is_string() ? found->get<std::string>() : "";
}

void describe_bands(const Json& json, Profile& profile, const std::string& place) {
  const std::size_t d = profile.values.size();
  profile.bands.resize(d);
  const std::string unit = text_of(json, "xUnit");
  const std::vector<double> x = numbers_of(json, "x", d, place);
  const std::vector<double> widths = numbers_of(json, "fwhm", d, place);
  const std::vector<double> good = numbers_of(json, "bbl", d, place);
  for (std::size_t b = 0; b < d; ++b) {
    Band& band = profile.bands[b];
    if (!x.empty() && x[b] > 0 && std::isfinite(x[b])) {
      band.wavelength = wavelength_nanometres(x[b], unit);
      if (!widths.empty() && widths[b] > 0 && band.wavelength) {
        band.fwhm = widths[b] * (*band.wavelength / x[b]);
      }
    }
    band.bad = !good.empty() && good[b] == 0;
  }
  const auto names = json.find("bandNames");
  if (names != json.end() && names->is_array() && names->size() == d) {
    for (std::size_t b = 0; b < d; ++b) {
      profile.bands[b].name = (*names)[b].is_string() ? (*names)[b].get<std::string>() : "";
    }
  }
}

}  // namespace

bool looks_like_profile(const std::string& text) {
  return trimmed(text).starts_with("{") &&
         (text.find("\"y\"") != std::string::npos || text.find("\"x\"") != std::string::npos);
}

Profile parse_profile(const std::string& text, const std::string& place) {
  // Lists of numbers are all that a profile has: what nests deeper is passed over.
  const auto is_shallow = [](int depth, Json::parse_event_t, const Json&) { return depth <= 2; };
  const Json json = Json::parse(text, is_shallow, false);
  if (json.is_discarded() || !json.is_object()) {
    throw DataError(place + ": the profile is no object of JSON");
  }
  Profile profile;
  for (const double value : numbers_of(json, "y", 0, place)) {
    const auto number = static_cast<float>(value);
    profile.values.push_back(std::isfinite(number) ? number : std::numeric_limits<float>::quiet_NaN());
  }
  if (profile.values.empty()) {
    throw DataError(place + ": the profile has no values 'y'");
  }
  describe_bands(json, profile, place);
  profile.quantity = text_of(json, "yUnit");
  profile.origin = band_origin_of(text_of(json, "sceneBands"), text_of(json, "bands"), text_of(json, "droppedBands"),
                                  profile.values.size(), place);
  return profile;
}

}  // namespace parsimap
