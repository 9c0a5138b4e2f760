// What a sample that `parsimap sample` has drawn says of a map, from its inclusion probabilities, and how far it has
// come. The map may be another than the one that the sample was drawn from (Stehman, Estimating area and map accuracy
// for stratified random sampling when the strata are different from the map classes, 2014).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/accuracy/assessment.hpp"
#include "parsimap/accuracy/sample_plan.hpp"

namespace parsimap {

struct SampledPoint {
  std::int64_t pixel = 0;  // of the map's grid
  Index stratum = 0;
  std::int64_t cluster = 0;  // 0 where there are none
  double probability = 0;    // of inclusion
};

struct DrawnSample {
  std::string file;
  SamplingDesign design = SamplingDesign::simple;
  std::vector<Aim> aims = {};
  std::vector<std::string> strata = {};   // names
  std::vector<SampledPoint> points = {};  // in the order of the drawing
  std::int64_t labelled = 0;              // the first of them
};

// `comparison` is that of the map with `reference`, which has a pixel for every labelled point. Reads all of the map.
// Intervals for the size of the sample are exact for simple samples (exact_interval()), else Wilson's of an effective
// number of points (Korn and Graubard 1998); they have no width of 0 unless all pixels were drawn. Those of a growing
// sample are those of sequential_interval.hpp. DataError: fewer than two labelled points in a stratum or two whole
// clusters in all, and a map with other pixels than the sample was drawn from.
AreaAssessment assess_sample(ClassMapSource& map, const LabelledPixels& reference, const Comparison& comparison,
                             const DrawnSample& sample, std::optional<double> pixel_area);

}  // namespace parsimap
