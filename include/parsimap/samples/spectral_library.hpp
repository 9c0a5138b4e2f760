// Spectral libraries: spectra with names and attributes, which need no scene.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/samples/band.hpp"

namespace parsimap {

// Where the bands of spectra come from that a training has used: the model that is trained from them again is to
// remember the scene as the first one does.
struct BandOrigin {
  Index scene_bands = 0;             // of the scene
  Indices bands;                     // of the scene, one for each band of the library; indices from 0, ascending
  std::vector<DroppedBand> dropped;  // the others, ascending
  bool operator==(const BandOrigin&) const = default;
};

// Row i of the matrix and entry i of `names` and `values` belong to the same spectrum.
struct SpectralLibrary {
  std::string path;                              // of the file or folder it was read from
  std::string format;                            // such as "ENVI spectral library"
  std::string quantity;                          // "reflectance", "radiance" ...; empty where the file does not tell
  std::vector<std::string> names;                // n
  Spectra spectra;                               // n x d; NaN where there is no value
  BandTable bands;                               // d
  std::vector<std::string> attributes;           // names of the columns of `values`
  std::vector<std::vector<std::string>> values;  // n rows with a text for each attribute, empty for none
  std::optional<BandOrigin> origin = {};         // of spectra that a training has written
  std::vector<std::string> notes = {};           // sentences about how the files were read

  [[nodiscard]] Index size() const { return spectra.rows(); }
};

// The column of the attribute; nothing where there is none of that name.
std::optional<std::size_t> attribute_column(const SpectralLibrary& library, const std::string& name);

// The different texts of a column but the empty one, in the order of their bytes.
std::vector<std::string> distinct_values(const SpectralLibrary& library, std::size_t column);

// True where both tables have as many bands with the same wavelengths, to a hundredth of a nanometre. Where no band of
// either has a wavelength, the numbers of bands decide.
bool same_wavelengths(const BandTable& first, const BandTable& second);

// Adds the spectra of `other`, which have the same bands, behind those of `library`. Attributes that one of them lacks
// are empty there. DataError: the bands differ.
void append(SpectralLibrary& library, const SpectralLibrary& other);

// The spectra at `rows`, in that order, with all else as it is.
SpectralLibrary subset(const SpectralLibrary& library, const Indices& rows);

// What every library obeys: every spectrum has a name and a text for each attribute, and every matrix the sizes
// that the lists say. DataError "<path> ..." otherwise, or where there is no spectrum or no band.
void check_library(const SpectralLibrary& library);

}  // namespace parsimap
