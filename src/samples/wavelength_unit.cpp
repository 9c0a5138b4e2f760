#include "parsimap/samples/wavelength_unit.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <utility>

namespace parsimap {

std::optional<double> wavelength_nanometres(double value, const std::string& unit) {
  std::string name;
  std::transform(unit.begin(), unit.end(), std::back_inserter(name),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  static constexpr std::array<std::pair<const char*, double>, 14> kFactors{{{"nm", 1},
                                                                            {"nanomet", 1},
                                                                            {"um", 1e3},
                                                                            {"\xc2\xb5m", 1e3},
                                                                            {"\xce\xbcm", 1e3},
                                                                            {"micro", 1e3},
                                                                            {"angstrom", 0.1},
                                                                            {"millimet", 1e6},
                                                                            {"mm", 1e6},
                                                                            {"centimet", 1e7},
                                                                            {"cm", 1e7},
                                                                            {"wavenumber", 0},
                                                                            {"index", 0},
                                                                            {"met", 1e9}}};
  for (const auto& [prefix, factor] : kFactors) {
    if (name.starts_with(prefix)) {
      return factor > 0 ? std::optional<double>(value * factor) : std::nullopt;
    }
  }
  if (name == "ghz" || name == "mhz") {
    return std::nullopt;
  }
  return value < 100 ? value * 1e3 : value;
}

}  // namespace parsimap
