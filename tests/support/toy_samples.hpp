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
    samples.places.push_back({i});
    samples.spectra(i, 0) *= 20;
    samples.spectra(i, 1) += label == 0 ? 4 : 0;
    samples.spectra(i, 2) += label == 1 ? 4 : 0;
  }
  samples.spectra = 100 * samples.spectra.array() + 3000;
  return samples;
}

// Four classes, those of two sides of a spectrum and two sides of a profile, so many standard deviations apart, in
// regions of five samples; the other bands and features are noise.
inline SampleSet four_classes(Index per_class, double spectral, double spatial, std::uint64_t seed) {
  Random random(seed);
  SampleSet samples;
  samples.classes = {{1, "a", {}}, {2, "b", {}}, {3, "c", {}}, {4, "d", {}}};
  samples.spectra = random.normal_matrix(4 * per_class, 8);
  samples.profiles = random.normal_matrix(4 * per_class, 6);
  for (Index i = 0; i < 4 * per_class; ++i) {
    const int label = static_cast<int>(i % 4);
    samples.labels.push_back(label);
    const std::int64_t region = 4 * (i / 20) + label;
    samples.places.push_back({i, region, {region}});
    samples.spectra(i, 0) += label < 2 ? spectral : 0;
    samples.profiles(i, 0) += label % 2 == 0 ? spatial : 0;
  }
  samples.spectra = 100 * samples.spectra.array() + 3000;
  return samples;
}

// The first two of four_classes() differ by their profiles alone, the first and the third by their spectra alone.
inline SampleSet two_of_four(const SampleSet& four, int first, int second) {
  Indices rows;
  for (std::size_t i = 0; i < four.labels.size(); ++i) {
    if (four.labels[i] == first || four.labels[i] == second) {
      rows.push_back(static_cast<Index>(i));
    }
  }
  SampleSet two = subset(four, rows);
  two.classes = {four.classes[static_cast<std::size_t>(first)], four.classes[static_cast<std::size_t>(second)]};
  for (int& label : two.labels) {
    label = label == first ? 0 : 1;
  }
  return two;
}

}  // namespace parsimap::toy
