// Left-out results as counts: by unit of the bootstrap, distance, reference class and predicted class.
#pragma once

#include <optional>
#include <vector>

#include "parsimap/validation/expected_accuracy.hpp"

namespace parsimap {

// Records of one unit that agree in distance and classes.
struct LeftOutCell {
  Index unit = 0;
  Index bin = 0;
  Index row = 0;     // of the tested classes
  Index column = 0;  // of all classes
  double count = 0;
};

struct LeftOutTable {
  Indices tested;  // classes with a record, ascending
  Index units = 0;
  std::vector<LeftOutCell> cells;      // by unit
  std::vector<DistanceAccuracy> bins;  // from near to far, without accuracies; one where distances are not known
  Vector bin_weights;                  // their shares in what was measured of the map; they sum up to 1
  bool by_distance = false;
  std::optional<double> not_measured;  // share of the map beyond the farthest bin; unset without its distances
  Support support;
  std::vector<Support> classes;          // all
  std::vector<std::int64_t> map_pixels;  // by class, of the measured part of the map; empty without a map
};

// The bootstrap draws the units of the coarsest design that has all samples and at least 20 units, or as many as the
// main one: what is left out together far from labels errs together, and a unit of a finer design lies within one of a
// coarser one only by chance. A sample without a record of that design counts with its first one.
//
// Bins are steps of the root of two, joined until each has 10 units and 3 % of the records. The farthest distance
// measured is one that five units reach.
LeftOutTable left_out_table(const LeftOutResults& results, const MapDraw& map);

}  // namespace parsimap
