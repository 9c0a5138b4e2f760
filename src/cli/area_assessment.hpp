// Areas of a map from a reference that is a probability sample of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/assessment/assessment.hpp"

#include "command_line.hpp"
#include "reference_comparison.hpp"

namespace parsimap {

// What the user says about how the reference pixels were chosen; nobody else can know.
struct SamplingDesign {
  std::string name;                   // "simple" or "stratified"
  std::optional<std::string> strata;  // class raster; unset: the strata are the map's classes
};

// --sampling-design and --strata.
std::vector<OptionSyntax> area_option_syntax();
// Nothing where the reference is not said to be a probability sample. ConfigError: strata without a stratified design.
std::optional<SamplingDesign> sampling_design(const OptionValues& values);

// The population are the pixels that the map classifies, and that have a stratum. Reads all of the map and the strata,
// strip by strip.
// DataError: strata on another grid, a sample unit without a stratum, a stratum without a unit.
AreaAssessment assess_areas(ClassMapSource& map, const LabelledPixels& reference, const ClassMatch& match,
                            const Comparison& comparison, const SamplingDesign& design);

}  // namespace parsimap
