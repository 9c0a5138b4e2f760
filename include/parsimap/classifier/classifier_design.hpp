// What of a model stays when its classifiers are trained anew on other samples.
#pragma once

#include "parsimap/classifier/model.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/validation/refitted_classifiers.hpp"

namespace parsimap {

// With a rule classes have as many directions as it finds in their samples, as in training; without one as many as in
// the model.
ClassifierDesign design_of(const Model& model, std::optional<DimensionRule> dimension = {});

}  // namespace parsimap
