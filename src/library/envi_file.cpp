#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

#include "formats.hpp"

namespace parsimap {
namespace {

template <typename Number>
Spectra values_as(std::string_view bytes, bool big_endian, Index rows, Index columns) {
  Spectra values(rows, columns);
  std::array<char, sizeof(Number)> one{};
  // Numbers are copied byte by byte, since the buffer need not be aligned, and reversed where the orders of bytes
  // differ.
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

// The data types of ENVI: 1 byte, 2 and 12 integers of 16 bits, 3 and 13 of 32, 14 and 15 of 64, of each pair the
// second unsigned; 4 float, 5 double. 6 and 9 are complex.
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

EnviHeader::EnviHeader(std::string path, std::string_view text) : path_(std::move(path)) {
  if (!trimmed(take_line(text)).starts_with("ENVI")) {
    throw DataError(path_ + " does not begin with ENVI, as the header of an ENVI file does");
  }
  while (!text.empty()) {
    // `rest` begins with the current line and `text` behind it; a list in braces moves `text` behind its closing brace.
    const std::string_view rest = text;
    const std::string_view line = take_line(text);
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || trimmed(line).starts_with(";")) {
      continue;
    }
    const std::string name = lower_case(trimmed(line.substr(0, equals)));
    // A list in braces may go on over several lines, and ends at the next closing brace: braces do not nest.
    std::string_view value = trimmed(line.substr(equals + 1));
    if (value.starts_with("{")) {
      const std::size_t open = rest.find('{');
      const std::size_t close = rest.find('}', open);
      if (close == std::string_view::npos) {
        throw DataError(path_ + ": the list '" + name + "' has no closing brace");
      }
      value = rest.substr(open + 1, close - open - 1);
      text = rest.substr(close + 1);
    }
    fields_.emplace(name, std::string(value));
  }
}

std::string EnviHeader::text(const std::string& name) const {
  const auto found = fields_.find(name);
  return found == fields_.end() ? std::string() : std::string(trimmed(found->second));
}

Index EnviHeader::integer(const std::string& name, std::optional<Index> fallback, Index least) const {
  const std::string value = text(name);
  if (value.empty() && fallback) {
    return *fallback;
  }
  const auto number = parse_number<Index>(value);
  if (!number || *number < least) {
    throw DataError(path_ + ": '" + name + "' is '" + value + "'; it must be a whole number of at least " +
                    std::to_string(least));
  }
  return *number;
}

std::vector<std::string> EnviHeader::list(const std::string& name) const {
  std::string_view rest;
  if (const auto found = fields_.find(name); found != fields_.end()) {
    rest = found->second;
  }
  std::vector<std::string> members;
  while (!trimmed(rest).empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string member(trimmed(rest.substr(0, comma)));
    std::replace_if(
        member.begin(), member.end(), [](char letter) { return letter == '\n' || letter == '\r'; }, ' ');
    members.push_back(std::move(member));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return members;
}

std::vector<double> EnviHeader::numbers(const std::string& name) const {
  std::vector<double> numbers;
  for (const std::string& member : list(name)) {
    const auto number = parse_number<double>(member);
    if (!number) {
      throw DataError(path_ + ": '" + member + "' in the list '" + name + "' is not a number");
    }
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace parsimap
