#include "parsimap/samples/spectral_library.hpp"

#include <algorithm>
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
  const auto found = std::find(library.attributes.begin(), library.attributes.end(), name);
  return found == library.attributes.end()
             ? std::nullopt
             : std::optional(static_cast<std::size_t>(found - library.attributes.begin()));
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
  if (!same_wavelengths(library.bands, other.bands)) {
    throw DataError(other.path + " has other wavelengths than " + library.path);
  }
  std::vector<std::size_t> columns;
  for (const std::string& name : other.attributes) {
    columns.push_back(column_or_new(library, name));
  }
  for (const std::vector<std::string>& row : other.values) {
    std::vector<std::string>& added = library.values.emplace_back(library.attributes.size());
    for (std::size_t k = 0; k < columns.size(); ++k) {
      added[columns[k]] = row[k];
    }
  }
  library.names.insert(library.names.end(), other.names.begin(), other.names.end());
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
  const bool rows_fit =
      std::all_of(library.values.begin(), library.values.end(),
                  [&](const std::vector<std::string>& row) { return row.size() == library.attributes.size(); });
  if (library.names.size() != spectra || library.values.size() != spectra || !rows_fit ||
      library.spectra.cols() != static_cast<Index>(library.bands.size())) {
    throw DataError(library.path + ": its names, attributes and bands do not fit its " + std::to_string(spectra) +
                    " spectra");
  }
}

}  // namespace parsimap
