// Labelled regions made by hand: the pixels of a region are alike, and some regions have a wrong label.
#pragma once

#include <set>

#include "parsimap/core/random.hpp"
#include "parsimap/samples/sample_set.hpp"

namespace parsimap::toy {

// Four classes in 12 bands, `regions` regions of 5 pixels for each. Classes differ in bands 0 to 3; every region lies
// somewhere else along two strong directions that all classes share.
inline SampleSet labelled_regions(Index regions, std::uint64_t seed) {
  constexpr int kClasses = 4;
  constexpr Index kPixels = 5;
  Random random(seed);
  SampleSet samples;
  samples.classes = {{1, "a", {}}, {2, "b", {}}, {3, "c", {}}, {4, "d", {}}};
  const Index count = kClasses * regions * kPixels;
  samples.spectra = random.normal_matrix(count, 12);
  Random of_region(seed, 1);
  for (Index i = 0; i < count; ++i) {
    const std::int64_t region = i / kPixels;
    const int label = static_cast<int>(region % kClasses);
    if (i % kPixels == 0) {
      samples.spectra(i, 10) = 10 * of_region.normal();
      samples.spectra(i, 11) = 10 * of_region.normal();
    } else {
      samples.spectra.row(i).tail(2) = samples.spectra.row(i - 1).tail(2);
    }
    samples.spectra(i, label) += 3;
    samples.labels.push_back(label);
    samples.places.push_back({i, region, {region}});
  }
  return samples;
}

// Gives `count` regions, drawn from the seed, another class, drawn too. Returns them.
inline std::set<std::int64_t> flip_regions(SampleSet& samples, Index count, std::uint64_t seed) {
  const std::int64_t regions = samples.places.back().region + 1;
  Random random(seed);
  const Indices order = random.permutation(regions);
  const std::set<std::int64_t> flipped(order.begin(), order.begin() + count);
  std::vector<int> steps;
  for (std::int64_t region = 0; region < regions; ++region) {
    steps.push_back(1 + static_cast<int>(random.index(static_cast<Index>(samples.classes.size()) - 1)));
  }
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    if (flipped.contains(samples.places[i].region)) {
      samples.labels[i] = (samples.labels[i] + steps[static_cast<std::size_t>(samples.places[i].region)]) %
                          static_cast<int>(samples.classes.size());
    }
  }
  return flipped;
}

}  // namespace parsimap::toy
