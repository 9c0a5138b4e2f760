#include "parsimap/samples/band.hpp"

#include <algorithm>
#include <sstream>

namespace parsimap {

std::vector<double> wavelengths_of(const BandTable& table, const Indices& indices) {
  std::vector<double> wavelengths;
  for (const Index index : indices) {
    const std::optional<double>& wavelength = table[static_cast<std::size_t>(index)].wavelength;
    if (!wavelength) {
      return {};
    }
    wavelengths.push_back(*wavelength);
  }
  return wavelengths;
}

std::string nanometres_text(double wavelength) {
  std::ostringstream text;
  text << wavelength << " nm";
  return text.str();
}

std::string band_list(const Indices& bands) {
  std::string text;
  for (std::size_t i = 0; i < bands.size(); ++i) {
    std::size_t last = i;
    while (last + 1 < bands.size() && bands[last + 1] == bands[last] + 1) {
      ++last;
    }
    text += (text.empty() ? "" : ", ") + std::to_string(bands[i] + 1);
    if (last > i) {
      text.append("-").append(std::to_string(bands[last] + 1));
    }
    i = last;
  }
  return text;
}

std::vector<std::pair<std::string, Indices>> bands_by_reason(const std::vector<DroppedBand>& dropped) {
  std::vector<std::pair<std::string, Indices>> groups;
  for (const DroppedBand& band : dropped) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& one) { return one.first == band.reason; });
    if (group == groups.end()) {
      group = groups.insert(groups.end(), {band.reason, {}});
    }
    group->second.push_back(band.band);
  }
  return groups;
}

}  // namespace parsimap
