// Units of wavelengths as files and arrays name them.
#pragma once

#include <optional>
#include <string>

namespace parsimap {

// A wavelength in nanometres. Without a unit, values below 100 are taken as micrometres. Units that are no length
// (wavenumber, GHz, index) give nothing.
std::optional<double> wavelength_nanometres(double value, const std::string& unit);

}  // namespace parsimap
