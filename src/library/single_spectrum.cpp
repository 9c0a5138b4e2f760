// What the readers of single spectra share.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <limits>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

#include "formats.hpp"

namespace parsimap {

std::string stem_of(const std::string& path) { return std::filesystem::path(path).stem().string(); }

std::string extension_of(const std::string& path) {
  return lower_case(std::filesystem::path(path).extension().string());
}

SpectralLibrary single_spectrum(const std::string& path, const std::string& format, const std::vector<double>& values,
                                const std::vector<double>& wavelengths) {
  SpectralLibrary library;
  library.path = path;
  library.format = format;
  library.names = {stem_of(path)};
  library.attributes = {"file"};
  library.values = {{std::filesystem::path(path).filename().string()}};
  library.spectra.resize(1, static_cast<Index>(values.size()));
  library.bands.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<float>(values[i]);
    library.spectra(0, static_cast<Index>(i)) = std::isfinite(value) ? value : std::numeric_limits<float>::quiet_NaN();
    library.bands[i].wavelength = wavelengths[i];
  }
  return library;
}

}  // namespace parsimap
