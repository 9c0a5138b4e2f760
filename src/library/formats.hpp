// What the readers of the single formats share. All throw DataError, which begins with the path, for a file that is
// damaged.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/text_table.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/samples/band.hpp"
#include "parsimap/samples/spectral_library.hpp"

namespace parsimap {

// "lamp" of "folder/lamp.asd".
std::string stem_of(const std::string& path);
// The extension in lower case with its point, as in ".asd".
std::string extension_of(const std::string& path);

// A number as a value of a spectrum: NaN where it is infinite as float, or NaN.
float value_of_number(double number);

// A library of one spectrum, which is called like its file.
SpectralLibrary single_spectrum(const std::string& path, const std::string& format, const std::vector<double>& values,
                                const std::vector<double>& wavelengths);

// Lists with an entry for each band; those that a file lacks are empty.
struct BandLists {
  std::string unit;  // of wavelengths and widths; may be empty
  std::vector<double> wavelengths;
  std::vector<double> widths;
  std::vector<double> good;  // 0 for bad bands
};
// Wavelengths that are not above 0, and widths of bands without a wavelength, are unknown.
BandTable described_bands(std::size_t count, const BandLists& lists);

// The bands of a scene as people count them, without blanks: "1-60 62-177".
std::string band_ranges(const Indices& bands);
// "constant: 61; no data: 3 7-9".
std::string dropped_ranges(const std::vector<DroppedBand>& dropped);

// What the three texts say of `count` bands; nothing where the first is empty. DataError, which begins with `path`:
// they are no such texts, or the bands do not make up the scene.
std::optional<BandOrigin> band_origin_of(const std::string& scene_bands, const std::string& bands,
                                         const std::string& dropped, std::size_t count, const std::string& path);

}  // namespace parsimap
