// Where labelled spectra come from, and which of them belong together: made where labels and libraries are read, and
// used down to the folds.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// Samples of one unit are left out together.
struct SampleUnit {
  // Why they belong together.
  enum class Reason : std::uint8_t {
    matched,  // their distances are those of the map (validation/unit_design.hpp)
    scene,    // scenes that show the same ground are left out as wholes
    library,  // group or spectrum of a library beside units of one of the kinds above
    overlap,  // regions that show the same feature or the same ground in several scenes
    group,    // a field of the labels has the same value
    feature,  // parts of one feature of a vector file
    region,   // one part of a feature, one connected area of a raster, one spectrum of a library
    kept,     // they were a unit of the training that has kept them in a file
    single    // nothing but the same place on the ground
  };
  std::int64_t number = 0;  // among those of the same reason
  Reason reason = Reason::region;

  bool operator==(const SampleUnit&) const = default;
  // Folds depend on this order. Groups that were found last come first.
  std::strong_ordering operator<=>(const SampleUnit& other) const {
    const bool falls = reason == Reason::group || reason == Reason::overlap;
    return reason != other.reason ? reason <=> other.reason : falls ? other.number <=> number : number <=> other.number;
  }
};

// As files of samples have it: groups are numbered downwards from -1, everything else upwards.
std::int64_t number_in_file(const SampleUnit& unit);
SampleUnit unit_from_file(std::int64_t number);

struct SamplePlace {
  static constexpr std::int64_t kNoPixel = -1;

  std::int64_t pixel = kNoPixel;  // row * width + column in the scene, or in the stack of several; else a spectrum
  std::int64_t region = 0;        // of which labelled region (LabelledPixel::region) the pixel is a part; or all 0
  SampleUnit unit = {};
  // The first pixel that shows the same place on the ground; unset where no other pixel does.
  std::optional<std::int64_t> ground = {};

  [[nodiscard]] bool in_scene() const { return pixel != kNoPixel; }
  bool operator==(const SamplePlace&) const = default;
};

// The entries of all places, in their order.
std::vector<std::int64_t> pixels_of(const std::vector<SamplePlace>& places);
std::vector<std::int64_t> regions_of(const std::vector<SamplePlace>& places);
std::vector<SampleUnit> units_of(const std::vector<SamplePlace>& places);

// Every sample by itself, but those of the same place on the ground together.
std::vector<SampleUnit> single_units(const std::vector<SamplePlace>& places);

// The places with other units, one for each.
std::vector<SamplePlace> with_units(std::vector<SamplePlace> places, const std::vector<SampleUnit>& units);

// The number of different units, of all samples and by class; `labels` are in [0, classes).
Index unit_count(const std::vector<SampleUnit>& units);
std::vector<Index> units_by_class(const std::vector<int>& labels, std::size_t classes,
                                  const std::vector<SampleUnit>& units);

}  // namespace parsimap
