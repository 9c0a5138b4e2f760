// Learning a model from the labelled pixels of scenes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/app/input_files.hpp"
#include "parsimap/app/library_input.hpp"
#include "parsimap/app/listener.hpp"
#include "parsimap/app/spatial_options.hpp"
#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/model.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/samples/folds.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/scene/band_choice.hpp"

namespace parsimap {

// A scene that is trained on beside the first, with labels of its own.
struct TrainingScene {
  SceneInput scene;
  LabelInput labels;
};

struct TrainOptions {
  SceneInput scene;  // without a path where the libraries are all there is
  LabelInput labels;
  std::vector<TrainingScene> further_scenes = {};
  LibraryInput library = {};  // spectra that are trained on, too
  bool resample = false;      // compute bands of the first scene that a further one lacks, instead of leaving them out
  BandChoice bands = {};      // of the first scene
  std::vector<ColourRule> colours = {};   // of the classes
  SamplingRule sampling = {};             // which of the labelled pixels are trained on
  std::optional<Index> min_samples = {};  // classes of fewer usable pixels are dropped; unset: one without any is an
                                          // error
  TrainingOptions training = {};          // its threads are those of all the work
  SpatialOptions spatial = {};            // profiles and neighbours: of one scene alone, unless it is neighbours
  std::optional<FoldDesign> validation = {};
  std::int64_t reading_bytes = std::int64_t{384} << 20U;  // memory for spectra while the scene is read
  std::optional<std::int64_t> training_bytes = {};        // unset: what the machine has
  std::string model;                                      // file to write; empty: none
  std::optional<std::string> samples_out = {};            // the pixels trained on with their spectra
  std::optional<std::string> report = {};                 // page of HTML
  bool overwrite = false;
  std::vector<OptionFile> option_files = {};                     // no output may replace them
  std::vector<std::pair<std::string, std::string>> record = {};  // names and values of options that the model keeps
};

struct TrainResult {
  Model model;
  TrainingRecord record;
};

// Reads the labelled pixels, trains, and writes the model with whatever else is asked for: all files, or none. What is
// lost on the way, such as pixels that two classes claim, is said to the listener.
// ConfigError: options that contradict each other or do not suit the files, outputs that cannot be written or would
// replace an input. DataError: inputs that cannot be read or do not fit together, fewer than two classes with pixels.
// IoError: an output fails while it is written.
TrainResult train_scene(const TrainOptions& options, Listener& listener);

}  // namespace parsimap
