// Numbers of an ENVI data file.
#pragma once

#include <string_view>

#include "parsimap/core/types.hpp"

namespace parsimap {

// The bytes of a number of ENVI's data type `type`; 0 for types that hold no single real number.
Index envi_type_bytes(Index type);

// The matrix that `bytes` hold row by row, of rows x columns numbers of that type, in the byte order that is given.
// `bytes` must have the size that these say.
Spectra envi_values(std::string_view bytes, Index type, bool big_endian, Index rows, Index columns);

}  // namespace parsimap
