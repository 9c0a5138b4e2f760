// What a sample that `parsimap sample` has drawn says of a map, from its inclusion probabilities, and how far it has
// come. The map may be another than the one that the sample was drawn from (Stehman, Estimating area and map accuracy
// for stratified random sampling when the strata are different from the map classes, 2014).
#pragma once

#include <optional>

#include "parsimap/accuracy/assessment.hpp"
#include "parsimap/accuracy/drawn_sample.hpp"

namespace parsimap {

// `comparison` is that of the map with `reference`, which has a pixel for every labelled point. Reads all of the map.
// Intervals for the size of the sample are exact for simple samples (exact_interval()), else Wilson's of an effective
// number of points (Korn and Graubard 1998); they have no width of 0 unless all pixels were drawn. Those of a growing
// sample are those of sequential_interval.hpp. DataError as check_enough() and check_population().
AreaAssessment assess_sample(ClassMapSource& map, const LabelledPixels& reference, const Comparison& comparison,
                             const DrawnSample& sample, std::optional<double> pixel_area);

}  // namespace parsimap
