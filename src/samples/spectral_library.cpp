#include "parsimap/samples/spectral_library.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

bool has_wavelengths(const BandTable& bands) {
  return std::any_of(bands.begin(), bands.end(), [](const Band& band) { return band.wavelength.has_value(); });
}

bool same_wavelength(const Band& first, const Band& second) {
  constexpr double kTolerance = 0.01;  // nanometres
  return first.wavelength && second.wavelength && std::abs(*first.wavelength - *second.wavelength) <= kTolerance;
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

// The column of the attribute, which is added where there is none.
std::size_t column_or_new(SpectralLibrary& library, const std::string& name) {
  if (const auto column = attribute_column(library, name)) {
    return *column;
  }
  library.attributes.push_back(name);
  for (std::vector<std::string>& row : library.values) {
    row.emplace_back();
  }
  return library.attributes.size() - 1;
}

}  // namespace

std::optional<std::size_t> attribute_column(const SpectralLibrary& library, const std::string& name) {
  const std::vector<std::string>& attributes = library.attributes;
  const auto exact = std::find(attributes.begin(), attributes.end(), name);
  if (exact != attributes.end()) {
    return static_cast<std::size_t>(exact - attributes.begin());
  }
  const auto alike = [&](const std::string& other) { return lower_case(other) == lower_case(name); };
  const auto found = std::find_if(attributes.begin(), attributes.end(), alike);
  // A name that differs in upper and lower case only counts where no second one does so.
  const bool only_one = found != attributes.end() && std::none_of(found + 1, attributes.end(), alike);
  return only_one ? std::optional(static_cast<std::size_t>(found - attributes.begin())) : std::nullopt;
}

std::vector<std::string> distinct_values(const SpectralLibrary& library, std::size_t column) {
  std::set<std::string> distinct;
  for (const std::vector<std::string>& row : library.values) {
    if (!row[column].empty()) {
      distinct.insert(row[column]);
    }
  }
  return {distinct.begin(), distinct.end()};
}

bool same_wavelengths(const BandTable& first, const BandTable& second) {
  if (first.size() != second.size()) {
    return false;
  }
  return (!has_wavelengths(first) && !has_wavelengths(second)) ||
         std::equal(first.begin(), first.end(), second.begin(), same_wavelength);
}

void append(SpectralLibrary& library, const SpectralLibrary& other) {
  // Spectra of two libraries can share one matrix only if their columns mean the same wavelengths.
  if (!same_wavelengths(library.bands, other.bands)) {
    throw DataError(other.path + " has other wavelengths than " + library.path);
  }
  std::vector<std::size_t> columns;
  for (const std::string& name : other.attributes) {
    columns.push_back(column_or_new(library, name));
  }
  // Values go to the columns of the same attribute; attributes that the other library lacks stay empty.
  for (const std::vector<std::string>& row : other.values) {
    std::vector<std::string>& added = library.values.emplace_back(library.attributes.size());
    for (std::size_t k = 0; k < columns.size(); ++k) {
      added[columns[k]] = row[k];
    }
  }
  library.names.insert(library.names.end(), other.names.begin(), other.names.end());
  // The spectra of the other library follow below, and its notes about reading are kept as well. A quantity that is not
  // the same in both is unknown for the result.
  const Index before = library.size();
  library.spectra.conservativeResize(before + other.size(), Eigen::NoChange);
  library.spectra.bottomRows(other.size()) = other.spectra;
  library.notes.insert(library.notes.end(), other.notes.begin(), other.notes.end());
  library.quantity = library.quantity == other.quantity ? library.quantity : "";
}

SpectralLibrary subset(const SpectralLibrary& library, const Indices& rows) {
  SpectralLibrary result = library;
  result.names.clear();
  result.values.clear();
  result.spectra = library.spectra(rows, Eigen::all);
  for (const Index row : rows) {
    result.names.push_back(library.names[static_cast<std::size_t>(row)]);
    result.values.push_back(library.values[static_cast<std::size_t>(row)]);
  }
  return result;
}

void check_library(const SpectralLibrary& library) {
  const auto spectra = static_cast<std::size_t>(library.size());
  if (spectra == 0 || library.bands.empty()) {
    throw DataError(library.path + " holds no spectrum");
  }
  // Every row of values needs a text for each attribute, or columns would shift.
  const bool rows_fit =
      std::all_of(library.values.begin(), library.values.end(),
                  [&](const std::vector<std::string>& row) { return row.size() == library.attributes.size(); });
  if (library.names.size() != spectra || library.values.size() != spectra || !rows_fit ||
      library.spectra.cols() != static_cast<Index>(library.bands.size())) {
    throw DataError(library.path + ": its names, attributes and bands do not fit its " + std::to_string(spectra) +
                    " spectra");
  }
}

namespace {

Indices good_bands(const BandTable& bands) {
  Indices good;
  for (std::size_t b = 0; b < bands.size(); ++b) {
    if (!bands[b].bad) {
      good.push_back(static_cast<Index>(b));
    }
  }
  return good;
}

}  // namespace

Spectra in_bands(const SpectralLibrary& library, const WantedBands& wanted) {
  const BandMatch match = match_bands(wanted, library.bands, library.path);
  // Spectra that have all bands are taken as they are; only others are resampled by the widths of the bands.
  if (match.complete()) {
    return library.spectra(Eigen::all, match.found);
  }
  const SpectralResampling plan = plan_resampling(wanted, library.bands, good_bands(library.bands), library.path);
  Spectra spectra(library.size(), static_cast<Index>(wanted.bands.size()));
  for (std::size_t b = 0; b < plan.weights.size(); ++b) {
    // Sums are made in double precision; a spectrum without a value in a band that counts gets none.
    Vector sum = Vector::Zero(library.size());
    for (const BandWeight& entry : plan.weights[b]) {
      sum += entry.weight * library.spectra.col(entry.band).cast<double>();
    }
    spectra.col(static_cast<Index>(b)) = sum.cast<float>();
  }
  return spectra;
}

void append_in_bands(SpectralLibrary& library, const SpectralLibrary& other) {
  // The bands of the library are wanted from the other one, each at its own place.
  WantedBands wanted{library.bands, {}, static_cast<Index>(library.bands.size()), "of the first library", library.path};
  for (Index band = 0; band < wanted.scene_bands; ++band) {
    wanted.places.push_back(band);
  }
  SpectralLibrary resampled = other;
  resampled.spectra = in_bands(other, wanted);
  resampled.bands = library.bands;
  append(library, resampled);
}

}  // namespace parsimap
