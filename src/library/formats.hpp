// The readers of the single formats, and what they share. All throw DataError, which begins with the path, for a file
// that is damaged.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsimap/core/text_table.hpp"
#include "parsimap/core/types.hpp"
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

// ---- texts (table_library.cpp) ----

// decoded_text() of a file. DataError as read_text_file().
std::string library_text(const std::string& path);

// The beginning of a file, at most `bytes`; empty where it is no regular file or cannot be read.
std::string file_head(const std::string& path, std::size_t bytes = 4096);

// The fields of a table, row by row, as read_text_table() reads them.
std::vector<std::vector<std::string>> table_rows(std::string_view text);

// ---- bands (library_file.cpp) ----

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

// ---- ENVI (envi_library.cpp) ----

// The header that belongs to the data file or header at `path`; empty where there is none.
std::string envi_header_of(const std::string& path);
// True where the header at `path` says that it belongs to a spectral library.
bool is_envi_library_header(const std::string& path);
SpectralLibrary read_envi_library(const std::string& path);
// The header, the data file, and the table of attributes where there is one; those that exist.
std::vector<std::string> envi_library_files(const std::string& path);

// ---- field spectrometers (field_spectrometers.cpp) ----

SpectralLibrary read_asd(const std::string& path);
SpectralLibrary read_svc(const std::string& path);
SpectralLibrary read_spectral_evolution(const std::string& path);

// ---- USGS splib07 (usgs_library.cpp) ----

// True where the first line of the file is the title of a spectrum of splib07.
bool is_usgs_spectrum(const std::string& path);
SpectralLibrary read_usgs_spectrum(const std::string& path);
// The files of wavelengths and of widths that go with the spectrum.
std::vector<std::string> usgs_side_files(const std::string& path);

// ---- tables (table_library.cpp) ----

// True where the header of the table names wavelengths or holds profiles.
bool is_table_library(const std::string& path);
SpectralLibrary read_table_library(const std::string& path);

// The nanometres that a header means: a number (460.5), with a unit behind it (460 nm, 0.46um), with the number of the
// band before it, as older versions of the EnMAP-Box write (b12_460.5 nm), or with the X that R puts before numbers.
// Nothing for other words. Without a unit, numbers below 100 are micrometres.
std::optional<double> wavelength_of_header(const std::string& header);

// ---- profiles (table_library.cpp) ----

// Profiles as the EnMAP-Box keeps them in fields of vector layers: an object of JSON with the values `y`, and where
// they are known the wavelengths `x`, their unit `xUnit`, what the values are (`yUnit`) and a list of bad bands (`bbl`,
// 1 good and 0 bad). Beside those the spectra that a training keeps have `fwhm` in the unit of `x`, and where the bands
// come from.
struct Profile {
  std::vector<float> values;  // NaN for none
  BandTable bands;            // as many
  std::string quantity;
  std::optional<BandOrigin> origin;
};

// True for a text that begins as a profile does.
bool looks_like_profile(const std::string& text);

// `place` is for messages. DataError: the text is no such object, or its lists differ in their length.
Profile parse_profile(const std::string& text, const std::string& place);

bool is_vector_library(const std::string& path);
SpectralLibrary read_vector_library(const std::string& path);

// A library from rows of text of which one column has profiles; the other columns become attributes.
SpectralLibrary library_of_profiles(const std::string& path, const std::string& format,
                                    std::vector<std::string> columns, std::vector<std::vector<std::string>> rows,
                                    std::size_t profile_column);

// The name of each spectrum: the column that is called name, names, spectra names or the like, or else "spectrum 1"
// and so on. The column is taken out of the attributes.
void take_names(SpectralLibrary& library);

// Files of ENVI: their header, `name = value` in each line, where a value in braces may go on over several lines, and
// the numbers of their data.

class EnviHeader {
 public:
  // Lines that are no field, comments (;) among them, are passed over. DataError: the text does not begin with ENVI, or
  // a brace is not closed. `path` is for messages.
  EnviHeader(std::string path, std::string_view text);

  // The value of a field, whose name counts in lower case; empty where there is none.
  [[nodiscard]] std::string text(const std::string& name) const;
  // A whole number of at least `least`; `fallback` where there is none. DataError for anything else.
  [[nodiscard]] Index integer(const std::string& name, std::optional<Index> fallback, Index least) const;
  // The members of a list, without the space around them; a list that ends in a comma has no further member.
  [[nodiscard]] std::vector<std::string> list(const std::string& name) const;
  // The same as numbers. DataError for a member that is none.
  [[nodiscard]] std::vector<double> numbers(const std::string& name) const;

 private:
  std::string path_;
  std::map<std::string, std::string> fields_;
};

// The bytes of a number of ENVI's data type `type`; 0 for types that hold no single real number.
Index envi_type_bytes(Index type);

// The matrix that `bytes` hold row by row, of rows x columns numbers of that type, in the byte order that is given.
// `bytes` must have the size that these say.
Spectra envi_values(std::string_view bytes, Index type, bool big_endian, Index rows, Index columns);

}  // namespace parsimap
