// Samples that are left out of training because of a bad value.
//
// One bad value spoils the statistics of its class and of all classes together, and so every kernel.
#pragma once

#include <vector>

#include "parsimap/samples/robust_centre.hpp"
#include "parsimap/samples/sample_set.hpp"

namespace parsimap {

// The outliers of the samples (find_outliers()), but for those of classes that have nothing else, which keep them.
std::vector<Outlier> outlying_samples(const SampleSet& samples);

// The samples that are none of `outliers`, in their order.
SampleSet without_outliers(const SampleSet& samples, const std::vector<Outlier>& outliers);

}  // namespace parsimap
