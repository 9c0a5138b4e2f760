// The report of `train`.
#pragma once

#include <string>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/samples/band.hpp"
#include "parsimap/samples/sample_set.hpp"

namespace parsimap {

// The page of a training: `samples` are those of `model`, `scene_bands` all bands of the scene.
std::string train_report(const Model& model, const TrainingRecord& record, const SampleSet& samples,
                         const BandTable& scene_bands, const TrainingOptions& options);

}  // namespace parsimap
