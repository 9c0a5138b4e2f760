// Spectral libraries as they are written: as an ENVI spectral library, as a table of text, or spectrum by spectrum as
// profiles for a field of a vector layer. Numbers are written with as many digits as their single precision needs, so
// that they read back the same.
#pragma once

#include <string>

#include "parsimap/job/output_set.hpp"
#include "parsimap/samples/spectral_library.hpp"

namespace parsimap {

// True for the names .sli and .csv, which write_library() writes.
bool is_library_output(const std::string& path);

// Announces a library: with .sli its header (.hdr) and its table of attributes (.csv), too. ConfigError as
// OutputSet::stage().
const StagedOutput& stage_library(OutputSet& outputs, const std::string& role, const std::string& path);

// Writes the announced library. An ENVI library keeps all of it; its names, which must not hold commas and braces, have
// blanks in their place. A table keeps names, attributes, wavelengths and values. IoError.
void write_library(const StagedOutput& output, const SpectralLibrary& library);

// One spectrum as an object of JSON, as the EnMAP-Box keeps it: x in nanometres, y, bbl, and beside those fwhm and
// where the bands come from.
std::string profile_text(const SpectralLibrary& library, Index row);

}  // namespace parsimap
