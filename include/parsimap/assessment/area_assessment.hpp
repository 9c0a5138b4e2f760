// Areas of the classes of a map, from a reference that is a probability sample of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/accuracy/area_estimate.hpp"
#include "parsimap/assessment/comparison.hpp"

namespace parsimap {

// How the reference pixels were chosen, which only who chose them can know.
enum class SamplingDesign {
  simple,     // at random from all pixels that the map classifies
  stratified  // at random from each stratum
};

// "simple" or "stratified".
std::string to_string(SamplingDesign design);

struct AreaAssessment {
  SamplingDesign design = SamplingDesign::simple;
  std::optional<std::string> strata;  // raster of the strata; unset: the map's classes
  AreaEstimate estimate;
  std::optional<double> pixel_area;        // square metres; unset where the grid does not tell
  std::int64_t unclassified_pixels = 0;    // of the map: no part of the population
  std::int64_t pixels_outside_strata = 0;  // classified, but no part of the population
  std::vector<std::string> merged_strata;  // names of strata that a simple sample is too small to keep apart
};

// The population are the pixels that the map classifies, and that have a stratum. `strata` lies on the map's grid; null
// stands for the map's classes. `comparison` is that of the map with `reference`. Reads all of the map and the strata,
// window by window. DataError: a sample unit without a stratum, and as estimate_areas().
AreaAssessment assess_areas(ClassMapSource& map, const LabelledPixels& reference, const Comparison& comparison,
                            SamplingDesign design, ClassMapSource* strata, std::optional<double> pixel_area);

// The unit of areas: "ha", "m2" for less than one hectare in all, or "pixels" where the size of a pixel is not known.
struct AreaUnit {
  std::string name;
  double factor = 1;  // from a share of the population to an area
};
AreaUnit area_unit(const AreaAssessment& areas);

}  // namespace parsimap
