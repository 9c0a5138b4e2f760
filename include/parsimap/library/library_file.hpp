// Files of spectral libraries and of field spectrometers.
//
// Formats, recognised by the name and the content of the file:
// - ENVI spectral library: data file (.sli) and header (.hdr), either of which may be named; attributes of the spectra
//   in a table (.csv) of the same name beside them.
// - ASD FieldSpec (.asd): one spectrum; reflectance where the file holds that of a reference panel, too.
// - Spectra Vista (.sig) and Spectral Evolution (.sed): one spectrum, its reflectance.
// - tables of text (.csv, .txt): a spectrum in each line below a header of wavelengths; or below the word "wavelength"
//   a spectrum in each column, as ASD's ViewSpec exports; or a column of profiles in JSON, as the EnMAP-Box keeps them.
// - USGS splib07 as text (.txt): one spectrum, whose wavelengths lie in a file of their own beside it.
// - vector files with a field of profiles in JSON, as the EnMAP-Box keeps them: .gpkg, .geojson and others.
// - a folder of .asd, .sig, .sed and splib07 files: their spectra in the order of the names of
//   the files, in the bands of the first.
#pragma once

#include <string>
#include <vector>

#include "parsimap/samples/spectral_library.hpp"

namespace parsimap {

// True for a file or folder that read_library() takes for a library rather than for a scene, whether or not it can be
// read in the end. Files that are no library are not read further than that takes.
bool is_library(const std::string& path);

// The library at `path`. Values that the file marks as missing are NaN; wavelengths are in nanometres.
// DataError, which names the file and the line or field: it cannot be read, is of no such format, or is damaged; files
// of a folder whose bands do not suit the first one.
SpectralLibrary read_library(const std::string& path);

// All files that a library is read from, the one named `path` first: no output may replace them.
std::vector<std::string> library_files(const std::string& path);

}  // namespace parsimap
