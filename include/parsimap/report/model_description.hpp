// What a model tells of its training samples, which it does not hold.
#pragma once

#include "parsimap/classifier/model.hpp"
#include "parsimap/experiment/experiment_record.hpp"

namespace parsimap {

// The number of the samples of every class and their mean spectrum, in the units of the data: the mean that novelty is
// measured from, whose scaling is undone. Deviations, eigenvalues and scree tests are not known and empty. Wavelengths
// are those of the bands used, or empty where one of them is not known. Named "Training".
DataDescription describe_model(const Model& model);

}  // namespace parsimap
