// Two maps against one reference.
#pragma once

#include "parsimap/assessment/assessment.hpp"

#include "reference_comparison.hpp"

namespace parsimap {

// `comparison` is that of the first map under `match`. The bootstrap draws whole features where the reference has them.
// DataError: `second` lies on another grid than `first`, cannot be matched with the reference, or has no reference
// pixel in common with the first that both classify.
MapComparison compare_maps(const ClassMapSource& first, const ClassMatch& match, const Comparison& comparison,
                           ClassMapSource& second, const LabelledPixels& reference, const std::string& reference_name);

}  // namespace parsimap
