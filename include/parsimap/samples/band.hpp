// What is known of a spectral band.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

struct Band {
  std::string name{};                  // may be empty
  std::optional<double> wavelength{};  // nanometres
  bool bad = false;                    // marked as bad by the scene itself
  // A spectrum's value is scale * stored + offset. Whoever reads a scene has done so already.
  double scale = 1;
  double offset = 0;
  std::optional<double> fwhm{};  // full width at half maximum of its response, nanometres
  bool operator==(const Band&) const = default;
};

using BandTable = std::vector<Band>;

// A band of a scene that is not used.
struct DroppedBand {
  Index band = 0;      // index from 0
  std::string reason;  // as in "constant"
  bool operator==(const DroppedBand&) const = default;
};

// The wavelengths in nanometres of the bands at `indices` of `table`; empty where one of them is not known.
std::vector<double> wavelengths_of(const BandTable& table, const Indices& indices);

// Wavelengths that differ by less are the same, written in micrometres and in nanometres.
constexpr double kWavelengthRounding = 1e-6;  // nanometres

// "1352.4 nm".
std::string nanometres_text(double wavelength);

// "3, 7-9": indices from 0, ascending, as people count bands.
std::string band_list(const Indices& bands);

// The bands dropped for each reason, reasons in the order in which they occur.
std::vector<std::pair<std::string, Indices>> bands_by_reason(const std::vector<DroppedBand>& dropped);

}  // namespace parsimap
