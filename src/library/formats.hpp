// The readers of the single formats. All throw DataError, which begins with the path, for a file that is damaged.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parsimap/samples/spectral_library.hpp"

namespace parsimap {

// "lamp" of "folder/lamp.asd".
std::string stem_of(const std::string& path);
// The extension in lower case with its point, as in ".asd".
std::string extension_of(const std::string& path);

// A library of one spectrum, which is called like its file.
SpectralLibrary single_spectrum(const std::string& path, const std::string& format, const std::vector<double>& values,
                                const std::vector<double>& wavelengths);

// ---- ENVI (envi_library.cpp) ----

// The header that belongs to the data file or header at `path`; empty where there is none.
std::string envi_header_of(const std::string& path);
// True where the header at `path` says that it belongs to a spectral library.
bool is_envi_library_header(const std::string& path);
SpectralLibrary read_envi_library(const std::string& path);
// The header, the data file, and the table of attributes where there is one; those that exist.
std::vector<std::string> envi_library_files(const std::string& path);

// ---- field spectrometers ----

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

// ---- vector files (profile_library.cpp) ----

bool is_vector_library(const std::string& path);
SpectralLibrary read_vector_library(const std::string& path);

// A library from rows of text of which one column has profiles; the other columns become attributes.
SpectralLibrary library_of_profiles(const std::string& path, const std::string& format,
                                    std::vector<std::string> columns, std::vector<std::vector<std::string>> rows,
                                    std::size_t profile_column);

// The name of each spectrum: the column that is called name, names, spectra names or the like, or else "spectrum 1"
// and so on. The column is taken out of the attributes.
void take_names(SpectralLibrary& library);

}  // namespace parsimap
