// The report of `train`.
#pragma once

#include <string>
#include <vector>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/scene/raster.hpp"

#include "page_facts.hpp"

namespace parsimap {

struct TrainReportSource {
  const SampleSet& samples;        // of the model
  SceneSource& scene;              // from which they are, or all scenes
  const RasterGrid& grid;          // of the first scene
  const TrainingOptions& options;  // of the training
  std::vector<NamedInput> inputs;  // files that were read
  std::string date;                // of the page
  bool pictures = true;            // whether the scene is one that can be seen, or spectra of a library
};

// The page of a training. Reads single rows of three bands of the scene, and all inputs for their checksums. Errors as
// read(); IoError when a picture cannot be made.
std::string train_report(const Model& model, const TrainingRecord& record, const TrainReportSource& source);

}  // namespace parsimap
