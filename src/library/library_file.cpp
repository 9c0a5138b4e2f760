#include "parsimap/library/library_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/samples/band.hpp"

#include "envi_library.hpp"
#include "field_spectrometers.hpp"
#include "formats.hpp"
#include "profile_library.hpp"
#include "table_library.hpp"
#include "usgs_library.hpp"

namespace parsimap {
namespace {

namespace fs = std::filesystem;

using Reader = SpectralLibrary (*)(const std::string& path);

template <std::size_t N>
bool is_among(const std::string& extension, const std::array<std::string_view, N>& extensions) {
  return std::ranges::find(extensions, extension) != extensions.end();
}

// What reads a file; null where it is no library. The extension decides where it belongs to one format only. Tables,
// vector files and ENVI files are libraries only if their content says so, because scenes and labels have the same
// extensions.
Reader reader_of(const std::string& path) {
  static const std::map<std::string, Reader> own = {
      {".sli", read_envi_library}, {".asd", read_asd}, {".sig", read_svc}, {".sed", read_spectral_evolution}};
  const std::string extension = extension_of(path);
  if (const auto found = own.find(extension); found != own.end()) {
    return found->second;
  }
  // A USGS spectrum is a table of one column and would not be recognised as another kind, so that it is tested first.
  if (is_among<3>(extension, {".csv", ".txt", ".tsv"})) {
    return is_usgs_spectrum(path) ? read_usgs_spectrum : is_table_library(path) ? read_table_library : nullptr;
  }
  if (is_among<5>(extension, {".gpkg", ".geojson", ".json", ".fgb", ".sqlite"}) && is_vector_library(path)) {
    return read_vector_library;
  }
  const std::string header = extension == ".hdr" ? path : envi_header_of(path);
  return !header.empty() && is_envi_library_header(header) ? read_envi_library : nullptr;
}

// The single spectra of a folder, by name.
std::vector<std::string> spectra_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    const std::string path = entry.path().string();
    const std::string extension = extension_of(path);
    if (is_among<3>(extension, {".asd", ".sig", ".sed"}) || (extension == ".txt" && is_usgs_spectrum(path))) {
      files.push_back(path);
    }
  }
  // The order of a directory is arbitrary, and the first file decides the bands: sorting makes the result reproducible.
  std::ranges::sort(files);
  return files;
}

// The first file decides the bands of the library; the spectra of the others are resampled to them.
SpectralLibrary read_folder(const std::string& path) {
  const std::vector<std::string> files = spectra_in(path);
  if (files.empty()) {
    throw DataError(path + ": the folder holds no spectra (.asd, .sig, .sed, or .txt of splib07)");
  }
  SpectralLibrary library = read_library(files.front());
  for (std::size_t i = 1; i < files.size(); ++i) {
    append_in_bands(library, read_library(files[i]));
  }
  // The library has the name of the folder; the files of its spectra are in the attribute "file".
  library.path = path;
  library.format = "folder of single spectra";
  return library;
}

// Many programs write one of these numbers, far below all measurements, where there is no value. Spectra that a
// training has kept are as they were trained on.
void take_off_fill(SpectralLibrary& library) {
  auto values = library.spectra.array();
  for (const float fill : {-999.F, -9999.F, -99999.F, -32767.F, -32768.F}) {
    const auto filled = (values == fill).eval();
    if (!library.origin && filled.any() && (filled || values.isNaN()).select(0, values).minCoeff() > fill / 10) {
      values = filled.select(std::numeric_limits<float>::quiet_NaN(), values);
      library.notes.push_back(library.path + ": values of " + std::to_string(static_cast<int>(fill)) +
                              ", which are far below all others, count as missing: " + std::to_string(filled.count()));
    }
  }
}

}  // namespace

std::string stem_of(const std::string& path) { return std::filesystem::path(path).stem().string(); }

std::string extension_of(const std::string& path) {
  return lower_case(std::filesystem::path(path).extension().string());
}

float value_of_number(double number) {
  const auto value = static_cast<float>(number);
  return std::isfinite(value) ? value : std::numeric_limits<float>::quiet_NaN();
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
  library.bands = mapped<Band>(wavelengths, [](double wavelength) { return Band{.wavelength = wavelength}; });
  std::ranges::transform(values, library.spectra.data(), value_of_number);
  return library;
}

bool is_library(const std::string& path) {
  return is_directory(path) ? !spectra_in(path).empty() : reader_of(path) != nullptr;
}

SpectralLibrary read_library(const std::string& path) {
  if (is_directory(path)) {
    return read_folder(path);
  }
  std::error_code failure;
  if (!fs::exists(path, failure)) {
    throw DataError(path + ": there is no such file");
  }
  const Reader read = reader_of(path);
  if (read == nullptr) {
    throw DataError(path +
                    " is no spectral library: neither .sli, .asd, .sig or .sed, nor a table with wavelengths in its "
                    "header and spectra below, nor a vector file with profiles");
  }
  SpectralLibrary library = read(path);
  check_library(library);
  take_off_fill(library);
  return library;
}

std::vector<std::string> library_files(const std::string& path) {
  std::vector<std::string> files = {path};
  if (is_directory(path)) {
    add_all(files, spectra_in(path));
    return files;
  }
  const Reader read = reader_of(path);
  if (read == read_envi_library || read == read_usgs_spectrum) {
    add_all(files, read == read_envi_library ? envi_library_files(path) : usgs_side_files(path));
  }
  return files;
}

// What files of libraries say of their bands.

constexpr Index kMostBands = 100000;  // of a scene; keeps a damaged text from taking memory

// Reads ascending ranges of bands that do not overlap, counted from 1, into indices from 0.
static Indices bands_of(std::string_view ranges, const std::string& path) {
  Indices bands;
  // A range "first-last", or a single number, must begin behind the last band so far.
  for (const std::string& range : parts_of(ranges, " \t")) {
    const std::vector<std::string> ends = parts_of(range, "-");
    const auto first = parse_number<Index>(ends.front());
    const auto last = parse_number<Index>(ends.back());
    if (ends.size() > 2 || !first || !last || *first < 1 || *last < *first || *last > kMostBands ||
        (!bands.empty() && *first - 1 <= bands.back())) {
      throw DataError(path + ": '" + range + "' must be ranges of bands, as in '1-60 62-177'");
    }
    for (Index band = *first; band <= *last; ++band) {
      bands.push_back(band - 1);
    }
  }
  return bands;
}

// Widths are in the unit of the wavelengths, so that both are converted by the same factor, which is the quotient of
// the converted and the written wavelength.
BandTable described_bands(std::size_t count, const BandLists& lists) {
  BandTable bands(count);
  for (std::size_t b = 0; b < count; ++b) {
    if (!lists.wavelengths.empty() && lists.wavelengths[b] > 0 && std::isfinite(lists.wavelengths[b])) {
      bands[b].wavelength = wavelength_nanometres(lists.wavelengths[b], lists.unit);
      if (!lists.widths.empty() && lists.widths[b] > 0 && bands[b].wavelength) {
        bands[b].fwhm = lists.widths[b] * (*bands[b].wavelength / lists.wavelengths[b]);
      }
    }
    bands[b].bad = !lists.good.empty() && lists.good[b] == 0;
  }
  return bands;
}

std::string band_ranges(const Indices& bands) {
  std::string text = band_list(bands);
  std::erase(text, ',');
  return text;
}

std::string dropped_ranges(const std::vector<DroppedBand>& dropped) {
  return separated(bands_by_reason(dropped), "; ",
                   [](const auto& group) { return group.first + ": " + band_ranges(group.second); });
}

std::optional<BandOrigin> band_origin_of(const std::string& scene_bands, const std::string& bands,
                                         const std::string& dropped, std::size_t count, const std::string& path) {
  if (scene_bands.empty()) {
    return std::nullopt;
  }
  BandOrigin origin;
  const auto total = parse_number<Index>(scene_bands);
  if (!total || *total < 1 || *total > kMostBands) {
    throw DataError(path + ": '" + scene_bands + "' must be the number of bands of a scene");
  }
  origin.scene_bands = *total;
  origin.bands = bands_of(bands, path);
  // Dropped bands have the form "reason: ranges; reason: ranges", as dropped_ranges() writes them.
  for (const std::string& part : parts_of(dropped, ";")) {
    const std::size_t colon = std::min(part.find(':'), part.size());
    for (const Index band : bands_of(part.substr(std::min(colon + 1, part.size())), path)) {
      origin.dropped.push_back({band, std::string(trimmed(part.substr(0, colon)))});
    }
  }
  std::ranges::stable_sort(origin.dropped, [](const auto& a, const auto& b) { return a.band < b.band; });
  // Used and dropped bands together must be each band of the scene once: only then can a model that is trained on the
  // library find its bands in the scene again.
  std::vector<char> seen(static_cast<std::size_t>(*total), 0);
  const auto is_new = [&](Index band) {
    return band < *total && std::exchange(seen[static_cast<std::size_t>(band)], 1) == 0;
  };
  if (origin.bands.size() != count || static_cast<Index>(origin.bands.size() + origin.dropped.size()) != *total ||
      !std::ranges::all_of(origin.bands, is_new) ||
      !std::ranges::all_of(origin.dropped, [&](const DroppedBand& entry) { return is_new(entry.band); })) {
    throw DataError(path + ": the bands used (" + bands + ") and dropped (" + dropped + ") do not make up the " +
                    scene_bands + " bands of the scene");
  }
  return origin;
}

}  // namespace parsimap
