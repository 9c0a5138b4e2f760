// Pictures as PNG, made by GDAL's driver.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// A PNG file as the text "data:image/png;base64,...", which a page of HTML can hold. `rgba` has red, green, blue and
// opacity of every pixel, row-major. IoError when GDAL has no PNG driver or fails.
std::string png_data_uri(Index width, Index height, const std::vector<std::uint8_t>& rgba);

}  // namespace parsimap
