#include "parsimap/samples/outlying_samples.hpp"

#include <set>

namespace parsimap {

std::vector<Outlier> outlying_samples(const SampleSet& samples) {
  std::vector<Outlier> outliers = find_outliers(samples.spectra);
  std::vector<Index> left = class_counts(samples);
  const auto label = [&](const Outlier& outlier) {
    return static_cast<std::size_t>(samples.labels[static_cast<std::size_t>(outlier.sample)]);
  };
  for (const Outlier& outlier : outliers) {
    --left[label(outlier)];
  }
  std::erase_if(outliers, [&](const Outlier& outlier) { return left[label(outlier)] == 0; });
  return outliers;
}

SampleSet without_outliers(const SampleSet& samples, const std::vector<Outlier>& outliers) {
  std::set<Index> dropped;
  for (const Outlier& outlier : outliers) {
    dropped.insert(outlier.sample);
  }
  Indices kept;
  for (Index i = 0; i < samples.size(); ++i) {
    if (!dropped.contains(i)) {
      kept.push_back(i);
    }
  }
  return subset(samples, kept);
}

}  // namespace parsimap
