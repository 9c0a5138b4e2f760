// Prediction sets (docs/method.md): the classes that a pixel may belong to, its own among them at a stated rate.
//
// A class is in the set of a pixel whose probability of it is at least the threshold of the class. Thresholds are
// conformal over units, not over pixels: pixels of a unit are alike, and what is promised is a random pixel of a new
// unit of the class (Lee, Barber and Willett 2023, Distribution-free inference with hierarchical data).
#pragma once

#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/samples/sample_place.hpp"

namespace parsimap {

// How probable their own class was at the left-out samples of one class.
struct OwnProbabilities {
  Vector probabilities;                    // m, descending
  Indices units;                           // m, in [0, n): the unit of each sample
  [[nodiscard]] Index unit_count() const;  // n
};

// For each class, of scores (n x K; -infinity for a class that was not trained), class indices and units of the
// samples, and the slope a of softmax(a f). The samples of a class that was not left out by units (by_region, K) are
// one unit.
std::vector<OwnProbabilities> own_probabilities(const Matrix& scores, double slope, const std::vector<int>& labels,
                                                const std::vector<SampleUnit>& units,
                                                const std::vector<bool>& by_region);

// The least probability with which a class is in a set, for a level in (0, 1). 0 where n units are too few,
// n/(n+1) < level, so that the class is in every set.
double set_threshold(const OwnProbabilities& of_class, double level);

}  // namespace parsimap
