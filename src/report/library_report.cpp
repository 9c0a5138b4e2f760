#include "parsimap/report/library_report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "parsimap/report/text_table.hpp"

namespace parsimap {
namespace {

constexpr std::size_t kFewNames = 10;
constexpr std::size_t kFewValues = 12;

// "5.8 .. 14.4 nm", or that some or all are unknown.
std::string range_text(const BandTable& bands, std::optional<double> Band::*property) {
  std::vector<double> known;
  for (const Band& band : bands) {
    if (band.*property) {
      known.push_back(*(band.*property));
    }
  }
  if (known.empty()) {
    return "unknown";
  }
  const auto [lowest, highest] = std::minmax_element(known.begin(), known.end());
  return short_number(*lowest) + " .. " + short_number(*highest) + " nm" +
         (known.size() < bands.size() ? " (known for " + std::to_string(known.size()) + " bands)" : "");
}

std::string bad_text(const BandTable& bands) {
  Indices bad;
  for (std::size_t b = 0; b < bands.size(); ++b) {
    if (bands[b].bad) {
      bad.push_back(static_cast<Index>(b));
    }
  }
  return bad.empty() ? "none" : band_list(bad);
}

// "reflectance, 0.01 .. 0.98, 12 missing"
std::string values_text(const SpectralLibrary& library) {
  float lowest = std::numeric_limits<float>::infinity();
  float highest = -lowest;
  Index missing = 0;
  for (Index i = 0; i < library.spectra.size(); ++i) {
    const float value = library.spectra.data()[i];
    if (std::isnan(value)) {
      ++missing;
    } else {
      lowest = std::min(lowest, value);
      highest = std::max(highest, value);
    }
  }
  std::string text = library.quantity.empty() ? "" : library.quantity + ", ";
  text += lowest > highest
              ? "none"
              : short_number(static_cast<double>(lowest)) + " .. " + short_number(static_cast<double>(highest));
  return text + (missing > 0 ? ", " + std::to_string(missing) + " missing" : "");
}

// "forest (12), water (3)": the different values with their numbers, the first `most` in the order of their bytes.
std::string value_list(const SpectralLibrary& library, std::size_t column, std::size_t most) {
  std::map<std::string, Index> counts;
  for (const std::vector<std::string>& row : library.values) {
    if (!row[column].empty()) {
      ++counts[row[column]];
    }
  }
  std::string text;
  std::size_t shown = 0;
  for (const auto& [value, count] : counts) {
    if (shown++ == most) {
      return text + " and " + std::to_string(counts.size() - most) + " more";
    }
    text += (text.empty() ? "" : ", ") + value + " (" + std::to_string(count) + ")";
  }
  return text.empty() ? "empty" : text;
}

std::string names_text(const SpectralLibrary& library, std::size_t most) {
  std::string text = "\nNames:\n";
  for (std::size_t i = 0; i < std::min(most, library.names.size()); ++i) {
    text += "  " + library.names[i] + "\n";
  }
  return text + (library.names.size() > most ? "  and " + std::to_string(library.names.size() - most) + " more\n" : "");
}

}  // namespace

std::string library_text(const SpectralLibrary& library, bool verbose) {
  constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
  std::string text = fact_line("Library", library.path);
  text += fact_line("Format", library.format);
  text += fact_line("Spectra", std::to_string(library.size()));
  text += fact_line("Values", values_text(library));
  text += fact_line("Bands", std::to_string(library.bands.size()));
  text += fact_line("Wavelengths", range_text(library.bands, &Band::wavelength));
  text += fact_line("FWHM", range_text(library.bands, &Band::fwhm));
  text += fact_line("Bad bands", bad_text(library.bands));
  if (library.origin) {
    text += fact_line("Kept from", "a training on " + std::to_string(library.bands.size()) + " of " +
                                       std::to_string(library.origin->scene_bands) + " bands of a scene");
  }
  for (std::size_t column = 0; column < library.attributes.size(); ++column) {
    text += (column == 0 ? "\nAttributes:\n" : "");
    text += "  " + library.attributes[column] + ": " + value_list(library, column, verbose ? kAll : kFewValues) + "\n";
  }
  return text + names_text(library, verbose ? kAll : kFewNames);
}

}  // namespace parsimap
