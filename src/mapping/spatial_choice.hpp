// Which steps are kept, by how many left-out samples were right with each.
#pragma once

#include <cstdint>
#include <vector>

#include "parsimap/classifier/spatial_record.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap {

// What was tried on n left-out samples.
struct SpatialTrials {
  std::vector<SpatialSteps> steps;  // of the columns; the first has the fewest steps, and each of the others more
  Matrix right;                     // n x steps: 1 where the sample was right, else 0
  std::vector<std::int64_t> units;  // n: samples of a unit are not independent of each other
};

// Begins with the first steps, and adds one step at a time: the one that gains most, as long as it gains more than one
// standard error over the units, and half a point. The record has every trial that was compared on the way.
SpatialRecord choose_spatial_steps(const SpatialTrials& trials);

}  // namespace parsimap
