// Libraries whose spectra are profiles: texts of JSON in a column of a table or in a field of a vector layer.
#include "profile_library.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/vector/labels.hpp"

#include "formats.hpp"

namespace parsimap {

using Json = nlohmann::ordered_json;

// The numbers of a list, NaN where there is none; empty where the object lacks it. A number may stand as a text.
static std::vector<double> numbers_of(const Json& profile, const char* key, std::size_t count,
                                      const std::string& place) {
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

static std::string text_of(const Json& profile, const char* key) {
  const auto found = profile.find(key);
  return found != profile.end() && found->is_string() ? found->get<std::string>() : "";
}

static void describe_bands(const Json& json, Profile& profile, const std::string& place) {
  const std::size_t d = profile.values.size();
  BandLists lists{text_of(json, "xUnit"), numbers_of(json, "x", d, place), {}, {}};
  lists.widths = numbers_of(json, "fwhm", d, place);
  lists.good = numbers_of(json, "bbl", d, place);
  profile.bands = described_bands(d, lists);
  const auto names = json.find("bandNames");
  // Names are optional and carry no values: a list that does not fit is ignored.
  if (names != json.end() && names->is_array() && names->size() == d) {
    for (std::size_t b = 0; b < d; ++b) {
      profile.bands[b].name = (*names)[b].is_string() ? (*names)[b].get<std::string>() : "";
    }
  }
}

static bool is_name_column(const std::string& column) {
  static const std::vector<std::string> names = {"spectra names", "spectra name", "spectrum name",
                                                 "name",          "names",        "spectrum"};
  return std::ranges::find(names, lower_case(column)) != names.end();
}

bool looks_like_profile(const std::string& text) {
  return trimmed(text).starts_with("{") &&
         (text.find("\"y\"") != std::string::npos || text.find("\"x\"") != std::string::npos);
}

Profile parse_profile(const std::string& text, const std::string& place) {
  // Lists of numbers are all that a profile has: what nests deeper is passed over.
  const auto is_shallow = [](int depth, Json::parse_event_t, const Json&) { return depth <= 2; };
  // The third argument makes errors a discarded value instead of an exception.
  const Json json = Json::parse(text, is_shallow, false);
  if (json.is_discarded() || !json.is_object()) {
    throw DataError(place + ": the profile is no object of JSON");
  }
  Profile profile;
  profile.values = mapped<float>(numbers_of(json, "y", 0, place), value_of_number);
  if (profile.values.empty()) {
    throw DataError(place + ": the profile has no values 'y'");
  }
  describe_bands(json, profile, place);
  profile.quantity = text_of(json, "yUnit");
  profile.origin = band_origin_of(text_of(json, "sceneBands"), text_of(json, "bands"), text_of(json, "droppedBands"),
                                  profile.values.size(), place);
  return profile;
}

// The first column that is called like a name holds the names; it is an attribute no longer.
void take_names(SpectralLibrary& library) {
  library.names.clear();
  const auto found = std::ranges::find_if(library.attributes, is_name_column);
  const bool named = found != library.attributes.end();
  const std::ptrdiff_t column = found - library.attributes.begin();
  for (std::size_t i = 0; i < library.values.size(); ++i) {
    std::vector<std::string>& row = library.values[i];
    library.names.push_back(named ? row[static_cast<std::size_t>(column)] : "spectrum " + std::to_string(i + 1));
    if (named) {
      row.erase(row.begin() + column);
    }
  }
  if (named) {
    library.attributes.erase(found);
  }
}

SpectralLibrary library_of_profiles(const std::string& path, const std::string& format,
                                    std::vector<std::string> columns, std::vector<std::vector<std::string>> rows,
                                    std::size_t profile_column) {
  SpectralLibrary library;
  library.path = path;
  library.format = format;
  library.attributes = std::move(columns);
  library.attributes.erase(library.attributes.begin() + static_cast<std::ptrdiff_t>(profile_column));
  std::vector<std::vector<float>> spectra;
  std::size_t without = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    // The text of a profile is taken out of its row, which keeps the attributes; rows without a profile are counted and
    // left out.
    const std::string text = std::exchange(rows[r][profile_column], {});
    if (text.empty()) {
      ++without;
      continue;
    }
    const std::string place = path + ": spectrum " + std::to_string(r + 1);
    Profile profile = parse_profile(text, place);
    if (spectra.empty()) {
      library.bands = std::move(profile.bands);
      library.quantity = profile.quantity;
      library.origin = std::move(profile.origin);
      // Every profile has wavelengths of its own; a library has one table of bands, which is that of the first profile.
    } else if (!same_wavelengths(profile.bands, library.bands)) {
      throw DataError(place + " has other wavelengths than the first one; keep them in files of their own");
    }
    spectra.push_back(std::move(profile.values));
    rows[r].erase(rows[r].begin() + static_cast<std::ptrdiff_t>(profile_column));
    library.values.push_back(std::move(rows[r]));
  }
  if (without > 0) {
    library.notes.push_back(path + ": rows without a profile: " + std::to_string(without));
  }
  library.spectra.resize(static_cast<Index>(spectra.size()), static_cast<Index>(library.bands.size()));
  for (std::size_t i = 0; i < spectra.size(); ++i) {
    library.spectra.row(static_cast<Index>(i)) =
        Eigen::Map<const Eigen::RowVectorXf>(spectra[i].data(), static_cast<Index>(spectra[i].size()));
  }
  take_names(library);
  return library;
}

bool is_vector_library(const std::string& path) { return find_profile_field(path, looks_like_profile).has_value(); }

SpectralLibrary read_vector_library(const std::string& path) {
  const auto field = find_profile_field(path, looks_like_profile);
  if (!field) {
    throw DataError(path + ": no field of its layers holds spectral profiles as JSON ({\"x\": [...], \"y\": [...]})");
  }
  FeatureTable table = read_feature_table(path, field->first);
  const auto column = std::ranges::find(table.columns, field->second) - table.columns.begin();
  return library_of_profiles(path, "vector layer of profiles", std::move(table.columns), std::move(table.rows),
                             static_cast<std::size_t>(column));
}

}  // namespace parsimap
