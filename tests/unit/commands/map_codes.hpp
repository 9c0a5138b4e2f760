// The codes of a class map.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/gdal/raster/class_map.hpp"

namespace parsimap::test {

// Of all pixels, row by row.
inline std::vector<std::uint16_t> codes_of(ClassMapSource& map) {
  std::vector<std::uint16_t> codes;
  map.read({0, 0, map.grid().width, map.grid().height}, codes);
  return codes;
}

inline std::vector<std::uint16_t> codes_of(const std::string& path) { return codes_of(*open_class_map(path)); }

}  // namespace parsimap::test
