// What the training samples of a data set are like, and whether methods can be trained on them.
#pragma once

#include <vector>

#include "parsimap/experiment/dataset.hpp"
#include "parsimap/experiment/experiment_spec.hpp"
#include "parsimap/report/experiment_record.hpp"

namespace parsimap {

// All classes of a draw; `name` is the data set's.
DataDescription describe(const std::string& name, const Dataset& dataset, const std::vector<Method>& methods,
                         ScalingRule scaling);

// DataError unless the draw has at least two classes, two training samples of each, samples in every test set, and a
// rank of the covariance of the classes to be trained (indices `classes`) that is larger than every fixed dimension.
void check_draw(const Dataset& dataset, const std::vector<int>& classes, const std::vector<Method>& methods,
                ScalingRule scaling);

}  // namespace parsimap
