#include "envi_values.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace parsimap {
namespace {

template <typename Number>
Spectra values_as(std::string_view bytes, bool big_endian, Index rows, Index columns) {
  Spectra values(rows, columns);
  std::array<char, sizeof(Number)> one{};
  const bool swapped = big_endian != (std::endian::native == std::endian::big);
  for (Index i = 0; i < rows * columns; ++i) {
    std::memcpy(one.data(), bytes.data() + static_cast<std::size_t>(i) * sizeof(Number), sizeof(Number));
    if (swapped) {
      std::reverse(one.begin(), one.end());
    }
    values.data()[i] = static_cast<float>(std::bit_cast<Number>(one));
  }
  return values;
}

}  // namespace

Index envi_type_bytes(Index type) {
  constexpr std::array<Index, 16> kBytes = {0, 1, 2, 4, 4, 8, 0, 0, 0, 0, 0, 0, 2, 4, 8, 8};
  return type >= 0 && type < static_cast<Index>(kBytes.size()) ? kBytes[static_cast<std::size_t>(type)] : 0;
}

Spectra envi_values(std::string_view bytes, Index type, bool big_endian, Index rows, Index columns) {
  switch (type) {
    case 1:
      return values_as<std::uint8_t>(bytes, big_endian, rows, columns);
    case 2:
      return values_as<std::int16_t>(bytes, big_endian, rows, columns);
    case 3:
      return values_as<std::int32_t>(bytes, big_endian, rows, columns);
    case 5:
      return values_as<double>(bytes, big_endian, rows, columns);
    case 12:
      return values_as<std::uint16_t>(bytes, big_endian, rows, columns);
    case 13:
      return values_as<std::uint32_t>(bytes, big_endian, rows, columns);
    case 14:
      return values_as<std::int64_t>(bytes, big_endian, rows, columns);
    case 15:
      return values_as<std::uint64_t>(bytes, big_endian, rows, columns);
    default:
      return values_as<float>(bytes, big_endian, rows, columns);
  }
}

}  // namespace parsimap
