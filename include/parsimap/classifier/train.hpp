// Training of a model: kernels and penalties are chosen, one machine for every class against the rest is fitted, and
// the machines are gathered with what the model must know of the scene.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/model.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/samples/sample_set.hpp"

namespace parsimap {

// Where the samples of a training come from, as the model is to tell it.
struct TrainingSource {
  Index scene_bands = 0;                                          // number of bands of the scene
  std::vector<Index> bands = {};                                  // indices from 0 of those used, ascending
  BandTable band_table = {};                                      // of the bands used
  std::vector<DroppedBand> dropped_bands = {};                    // the others, ascending
  std::optional<ProfileDesign> profile = {};                      // of the samples' profiles, if they have any
  std::vector<std::pair<std::string, std::string>> options = {};  // name and value
  std::vector<InputFile> inputs = {};
  std::optional<Validation> validation = {};
};

// A machine for every class of `samples`, as ClassTrainer trains them. Identical for any number of threads. Samples
// with profiles have machines with a kernel of these, unless left-out samples are better told apart without: the model
// then has no profile. Errors as ClassTrainer.
Model train_one_vs_all(const SampleSet& samples, const TrainingSource& source, const TrainingOptions& options,
                       const Progress& progress);
// The same of samples that come from no scene: every column of their spectra is a band.
Model train_one_vs_all(const SampleSet& samples, const TrainingOptions& options, const Progress& progress);

// About how much memory training holds at its peak: spectra and their coordinates in the metrics of the classes in
// work, kernel matrices of the samples that hyperparameters are selected on, and systems of support vectors, taken as
// half of the samples. `features` is how many the profiles of the samples have.
std::int64_t training_bytes(Index samples, Index bands, const TrainingOptions& options, Index features = 0);

}  // namespace parsimap
