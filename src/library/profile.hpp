// Profiles as the EnMAP-Box keeps them in fields of vector layers: an object of JSON with the values `y`, and where
// they are known the wavelengths `x`, their unit `xUnit`, what the values are (`yUnit`) and a list of bad bands (`bbl`,
// 1 good and 0 bad). Beside those the spectra that a training keeps have `fwhm` in the unit of `x`, and where the bands
// come from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/samples/spectral_library.hpp"

namespace parsimap {

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

}  // namespace parsimap
