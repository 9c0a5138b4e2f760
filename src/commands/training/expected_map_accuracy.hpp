// The accuracy that is expected of a map of a trained model, from the samples that were left out of its training.
#pragma once

#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/commands/training/train.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/validation/unit_design.hpp"

#include "training_scenes.hpp"

namespace parsimap {

// Fills in what the model records of it (Provenance::expected, and the shares of the map), from its left-out samples,
// from samples that are left out by other designs at the settings that were chosen, and from pixels drawn from the
// scene.
void expect_accuracy(const TrainOptions& options, const TrainingScenes& scenes, const SampleSet& samples,
                     const std::vector<NamedUnits>& others, Model& model);

}  // namespace parsimap
