// Headers of tables that name wavelengths.
#pragma once

#include <optional>
#include <string>

namespace parsimap {

// The nanometres that a header means: a number (460.5), with a unit behind it (460 nm, 0.46um), with the number of the
// band before it, as older versions of the EnMAP-Box write (b12_460.5 nm), or with the X that R puts before numbers.
// Nothing for other words. Without a unit, numbers below 100 are micrometres.
std::optional<double> wavelength_of_header(const std::string& header);

}  // namespace parsimap
