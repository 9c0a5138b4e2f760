// Training of one machine for every class against the rest.
#pragma once

#include <cstdint>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/model.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/samples/sample_set.hpp"

namespace parsimap {

// A machine for every class of `samples`, as ClassTrainer trains them. Not filled: scene_bands, bands, band_table, and
// the provenance but for its training figures. Identical for any number of threads.
Model train_one_vs_all(const SampleSet& samples, const TrainingOptions& options, const Progress& progress);

// About how much memory training holds at its peak: spectra and their coordinates in the metrics of the classes in
// work, kernel matrices of the samples that hyperparameters are selected on, and systems of support vectors, taken as
// half of the samples.
std::int64_t training_bytes(Index samples, Index bands, const TrainingOptions& options);

}  // namespace parsimap
