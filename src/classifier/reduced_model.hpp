// A model on few support spectra (selection/reduced_support.hpp).
#pragma once

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/model.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/samples/sample_set.hpp"

namespace parsimap {

// Replaces the machines of a complete model of these samples, which `trainer` has scaled, where fewer support spectra
// do as well; its slope, too. Otherwise the model stays as it is.
void reduce_model(Model& model, const ClassTrainer& trainer, const SampleSet& samples, const TrainingOptions& options,
                  const Progress& progress);

}  // namespace parsimap
