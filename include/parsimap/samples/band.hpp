// What is known of a spectral band.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace parsimap {

struct Band {
  std::string name;                  // may be empty
  std::optional<double> wavelength;  // nanometres
  bool operator==(const Band&) const = default;
};

using BandTable = std::vector<Band>;

}  // namespace parsimap
