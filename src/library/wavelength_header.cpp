#include "wavelength_header.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "parsimap/core/text.hpp"
#include "parsimap/samples/wavelength_unit.hpp"

namespace parsimap {
namespace {

bool is_digit(char letter) { return std::isdigit(static_cast<unsigned char>(letter)) != 0; }

// Takes "b12_" or "X" off the front.
std::string_view without_prefix(std::string_view text) {
  if (text.size() > 1 && text.front() == 'X' && is_digit(text[1])) {
    return text.substr(1);
  }
  if (text.size() > 1 && text.front() == 'b' && is_digit(text[1])) {
    const auto end = std::find_if_not(text.begin() + 1, text.end(), is_digit);
    const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.begin()));
    return rest.starts_with('_') || rest.starts_with(' ') ? rest.substr(1) : std::string_view{};
  }
  return text;
}

// "nm" of " [nm]" and "_nm".
std::string unit_of(std::string_view text) {
  const auto is_bracket = [](char letter) { return std::string_view(" _[]()").find(letter) != std::string_view::npos; };
  std::string unit(text);
  std::erase_if(unit, is_bracket);
  return unit;
}

bool is_known_unit(const std::string& unit) {
  static constexpr std::array<std::string_view, 8> kUnits = {"nm",     "nanomet", "Nanomet",   "um",
                                                             "microm", "Microm",  "\xc2\xb5m", "\xce\xbcm"};
  return unit.empty() || std::any_of(kUnits.begin(), kUnits.end(), [&](auto known) { return unit.starts_with(known); });
}

}  // namespace

std::optional<double> wavelength_of_header(const std::string& header) {
  const std::string_view text = without_prefix(trimmed(header));
  const auto end =
      std::find_if_not(text.begin(), text.end(), [](char letter) { return is_digit(letter) || letter == '.'; });
  const auto digits = static_cast<std::size_t>(end - text.begin());
  const auto number = parse_number<double>(text.substr(0, digits));
  const std::string unit = unit_of(text.substr(digits));
  if (!number || *number <= 0 || !is_known_unit(unit)) {
    return std::nullopt;
  }
  return wavelength_nanometres(*number, unit);
}

}  // namespace parsimap
