// What training samples are like: spectra and scree tests of every class, for reports.
#pragma once

#include <string>
#include <vector>

#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/hdda/intrinsic_dimension.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/samples/scaling.hpp"

namespace parsimap {

// `wavelengths` has one for every band, or none; `rules` are those whose choice of the dimension is shown.
DataDescription describe_samples(const std::string& name, const SampleSet& samples,
                                 const std::vector<double>& wavelengths, const std::vector<DimensionRule>& rules,
                                 ScalingRule scaling);

}  // namespace parsimap
