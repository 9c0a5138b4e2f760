// Small training sets made by hand.
#pragma once

#include "parsimap/core/random.hpp"
#include "parsimap/samples/sample_set.hpp"

namespace parsimap::toy {

// Three classes with means on a triangle and a common strong nuisance direction.
inline SampleSet three_classes(Index per_class, std::uint64_t seed) {
  Random random(seed);
  SampleSet samples;
  samples.classes = {{1, "a", {}}, {2, "b", {}}, {5, "c", {}}};
  samples.spectra = random.normal_matrix(3 * per_class, 10);
  for (Index i = 0; i < 3 * per_class; ++i) {
    const int label = static_cast<int>(i % 3);
    samples.labels.push_back(label);
    samples.pixels.push_back(i);
    samples.regions.push_back(0);
    samples.groups.push_back(0);
    samples.spectra(i, 0) *= 20;
    samples.spectra(i, 1) += label == 0 ? 4 : 0;
    samples.spectra(i, 2) += label == 1 ? 4 : 0;
  }
  samples.spectra = 100 * samples.spectra.array() + 3000;
  return samples;
}

}  // namespace parsimap::toy
