#include "parsimap/samples/sample_set.hpp"

#include <set>

namespace parsimap {

std::vector<Index> class_counts(const SampleSet& samples) {
  std::vector<Index> counts(samples.classes.size(), 0);
  for (const int label : samples.labels) {
    ++counts[static_cast<std::size_t>(label)];
  }
  return counts;
}

Indices class_rows(const SampleSet& samples, int c) {
  Indices rows;
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    if (samples.labels[i] == c) {
      rows.push_back(static_cast<Index>(i));
    }
  }
  return rows;
}

Index region_count(const SampleSet& samples, int c) {
  std::set<std::int64_t> regions;
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    if (samples.labels[i] == c) {
      regions.insert(samples.regions[i]);
    }
  }
  return static_cast<Index>(regions.size());
}

SampleSet subset(const SampleSet& samples, const Indices& rows) {
  SampleSet result;
  result.classes = samples.classes;
  result.spectra = samples.spectra(rows, Eigen::all);
  if (samples.profiles.cols() > 0) {
    result.profiles = samples.profiles(rows, Eigen::all);
  }
  for (const Index row : rows) {
    const auto i = static_cast<std::size_t>(row);
    result.labels.push_back(samples.labels[i]);
    result.pixels.push_back(samples.pixels[i]);
    result.regions.push_back(samples.regions[i]);
    result.groups.push_back(samples.groups[i]);
  }
  return result;
}

}  // namespace parsimap
