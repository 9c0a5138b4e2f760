// Libraries whose spectra are profiles in a column of texts.
#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/vector/feature_table.hpp"

#include "formats.hpp"
#include "profile.hpp"

namespace parsimap {
namespace {

bool is_name_column(const std::string& column) {
  static const std::vector<std::string> names = {"spectra names", "spectra name", "spectrum name",
                                                 "name",          "names",        "spectrum"};
  return std::find(names.begin(), names.end(), lower_case(column)) != names.end();
}

}  // namespace

void take_names(SpectralLibrary& library) {
  library.names.clear();
  const auto found = std::find_if(library.attributes.begin(), library.attributes.end(), is_name_column);
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
  const auto column = std::find(table.columns.begin(), table.columns.end(), field->second) - table.columns.begin();
  return library_of_profiles(path, "vector layer of profiles", std::move(table.columns), std::move(table.rows),
                             static_cast<std::size_t>(column));
}

}  // namespace parsimap
