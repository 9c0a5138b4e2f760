// Spectral bands: what is known of them, their wavelengths, and how the bands of one table are found in another.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// What is known of a spectral band.
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

// What is known of a band.
inline bool has_wavelength(const Band& band) { return band.wavelength.has_value(); }
inline bool has_width(const Band& band) { return band.fwhm.has_value(); }
inline bool has_name(const Band& band) { return !band.name.empty(); }

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

// The values of a property, such as the wavelength, of the bands that have it.
std::vector<double> known_values(const BandTable& bands, std::optional<double> Band::*property);

// The bands that are not marked as bad.
Indices good_bands(const BandTable& bands);

// "1352.4 nm".
std::string nanometres_text(double wavelength);

// "3, 7-9": indices from 0, ascending, as people count bands.
std::string band_list(const Indices& bands);

// The bands dropped for each reason, reasons in the order in which they occur.
std::vector<std::pair<std::string, Indices>> bands_by_reason(const std::vector<DroppedBand>& dropped);

// A wavelength in nanometres. Without a unit, values below 100 are taken as micrometres. Units that are no length
// (wavenumber, GHz, index) give nothing.
std::optional<double> wavelength_nanometres(double value, const std::string& unit);
// True for units of length, and for none.
bool knows_wavelength_unit(const std::string& unit);

// How bands of one table are found in another: those of a model in a scene, or those of one scene in another. Scenes of
// other sensors, or with other bands left out, fit as long as they have the bands that are wanted.

// How far, in nanometres, the same band of two scenes may be apart: 5, or half the usual (median) distance between
// neighbouring bands of the table where that is less, so that a neighbour is not taken for a band that is missing.
double wavelength_tolerance(const BandTable& bands);

// The bands that somebody needs, and where they stand in the scene that they are of.
struct WantedBands {
  BandTable bands;
  Indices places;            // of each in that scene, from 0
  Index scene_bands = 0;     // number of bands of that scene
  std::string user;          // who needs them, for messages: "that the model uses"
  std::string scene;         // that scene, for messages: "the training scene"
  bool by_position = false;  // equal places decide where wavelengths and names do not
};

constexpr Index kNoBand = -1;

struct BandMatch {
  Indices found;  // for every band wanted its partner, from 0, or kNoBand
  // Why not every band has a partner, as one sentence; empty where all have.
  std::string misfit;
  bool by_position = false;  // found by their places alone
  std::string note = {};     // the sentence that says so

  [[nodiscard]] bool complete() const { return misfit.empty(); }
};

// The partner of every band wanted among the bands `offered`, which are those of the scene called `name`:
//
// - Where the wavelengths of all bands wanted are known, and any of those offered: one to one, nearest pairs first,
//   within wavelength_tolerance() of the bands wanted. Among bands of the same wavelength the name decides, then the
//   place; DataError where a further band has the same wavelength and neither tells which is wanted.
// - Else, where all bands wanted have different names, and any of those offered has one: by name.
// - Else there must be as many bands offered as in the scene of the bands wanted, in the same order; bands whose
//   wavelengths both know must agree. Where the wavelengths or the numbers in the names of one of both do not ascend,
//   their orders may differ: a misfit that shows both lists, unless `by_position`.
// Other bands are ignored, whatever they are; the order is free in the first two cases. A misfit is a band without a
// partner (all of them are listed), a name that several bands offered have, another number of bands.
// With `by_position` the last rule also decides where names do not fit.
BandMatch match_bands(const WantedBands& wanted, const BandTable& offered, const std::string& name);

// The places in `found` that have a partner, ascending; and those that have none.
Indices matched(const BandMatch& match);
Indices unmatched(const BandMatch& match);

}  // namespace parsimap
