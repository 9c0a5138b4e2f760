// Which steps of a classification look at what lies around a pixel, and what they were found to be worth.
#pragma once

#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

struct SpatialSteps {
  bool profiles = false;    // a second kernel of morphological profiles (kernel/class_metric.hpp)
  bool neighbours = false;  // probabilities are regularised by neighbours (spatial/regularisation.hpp)
  bool operator==(const SpatialSteps&) const = default;
};

// "none", "profiles", "neighbours" or "profiles and neighbours".
std::string to_string(const SpatialSteps& steps);

// Steps that were tried on left-out samples.
struct SpatialScore {
  SpatialSteps steps;
  SpatialSteps over;      // those that were kept before
  double accuracy = 0;    // fraction of the left-out samples that was right
  double gain = 0;        // accuracy less that of `over`, on the same samples
  double gain_error = 0;  // its standard error, over parts of the classes
};

struct SpatialRecord {
  std::string asked;  // "auto", "profiles" or "neighbours"
  SpatialSteps steps;
  std::vector<SpatialScore> scores = {};  // the simplest first, over itself; empty where nothing was judged
  Index samples = 0;                      // that were left out in turn
  Index units = 0;                        // parts of the classes that they are in
  int strongest = 4;                      // strength that neighbours may have in a map (spatial/regularisation.hpp)
  double buffer = 0;                      // least distance in pixels from a training sample to a left-out one
  std::string reason = {};                // why nothing was judged, where that was asked for
};

}  // namespace parsimap
