// A second map against the same reference, at the pixels that both maps classify.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "parsimap/accuracy/paired_test.hpp"
#include "parsimap/assessment/comparison.hpp"

namespace parsimap {

struct MapComparison {
  std::string map;  // the second
  PairedCounts counts;
  std::int64_t unclassified_pixels = 0;  // reference pixels that one of the maps leaves unclassified
  McNemarTest test;
  std::optional<Interval> difference;   // of the overall accuracies, first less second
  std::optional<std::int64_t> regions;  // drawn as wholes by the bootstrap; unset: pixels
};

// `comparison` is that of the first map, on whose grid the second lies. The bootstrap draws whole features where the
// reference has them. DataError: the second map cannot be matched with the reference, or there is no reference pixel
// that both classify.
MapComparison compare_maps(const ClassMapSource& first, const Comparison& comparison, ClassMapSource& second,
                           const LabelledPixels& reference, const std::string& reference_name);

}  // namespace parsimap
