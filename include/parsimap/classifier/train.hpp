// Training of a model: kernels and penalties are chosen, one classifier for every class against the rest is fitted, and
// they are gathered with what the model must know of the scene. The memory that it takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/model.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/validation/left_out.hpp"
#include "parsimap/validation/unit_design.hpp"

namespace parsimap {

// Where the samples of a training come from, as the model records it.
struct TrainingSource {
  Index scene_bands = 0;                                          // number of bands of the scene
  std::vector<Index> bands = {};                                  // indices from 0 of those used, ascending
  BandTable band_table = {};                                      // of the bands used
  std::vector<DroppedBand> dropped_bands = {};                    // the others, ascending
  std::optional<ProfileDesign> profile = {};                      // of the samples' profiles, if they have any
  std::vector<std::pair<std::string, std::string>> options = {};  // name and value
  std::vector<InputFile> inputs = {};
  std::optional<Validation> validation = {};
  std::vector<TrainedScene> trained = {};
  std::optional<UnitDesign> units = {};  // of the samples' groups
};

// The first part of a training: models that are complete but for what is fitted to all samples. These are the one
// chosen by left-out samples, and with `both`, if it has a kernel of profiles, before it the one of spectra alone. Only
// with such a kernel has a model a profile. The trainer then has the scaling that was chosen. Errors as ClassTrainer.
std::vector<Model> design_models(ClassTrainer& trainer, const TrainingSource& source, bool both,
                                 const Progress& progress);

// The model of a choice that was made before, such as on earlier labels; complete as those are.
Model design_model(ClassTrainer& trainer, const TrainingSource& source, const MetricSelection& selection);
// The choice that a model by left-out samples was made with, without its kernel of profiles; unset of another model.
std::optional<MetricSelection> selection_of(const Model& model);

// The second part: the model of such a design, with classifiers and their support spectra, and the novelty of classes
// unless that is left to novelty_of().
Model fit_model(Model design, const ClassTrainer& trainer, const Progress& progress, bool with_novelty = true);

// The novelty of the classes of `samples`, whose scaled spectra are `spectra` (n x d), in their order.
std::vector<ClassNovelty> novelty_of(const SampleSet& samples, const Matrix& spectra, const TrainingOptions& options,
                                     const Work& work = {});

// Both parts: a classifier for every class of `samples`. Identical for any number of threads. Samples with profiles
// have classifiers with a kernel of these, unless left-out samples are classified better without.
Model train_one_vs_all(const SampleSet& samples, const TrainingSource& source, const TrainingOptions& options,
                       const Progress& progress);
// The same of samples that come from no scene: every column of their spectra is a band.
Model train_one_vs_all(const SampleSet& samples, const TrainingOptions& options, const Progress& progress);

// About how many seconds the two parts take. Of the spectra of the samples only the number of columns counts.
struct TrainingSeconds {
  double design = 0;
  double fit = 0;
};
TrainingSeconds training_seconds(const LabelledSpectra& samples, const TrainingOptions& options);

// About how much memory training holds at its peak: spectra and their coordinates in the metrics of the classes in
// work, kernel matrices of the samples that hyperparameters are selected on, and systems of support vectors, taken as
// half of the samples. `features` is how many the profiles of the samples have.
std::int64_t training_bytes(Index samples, Index bands, const TrainingOptions& options, Index features = 0);

// The most classes in work at a time, options.threads at most, with which training on `samples` spectra of `bands`
// bands, and as many profiles of `features` features, fits into `allowed_bytes`. A ConfigError that says how much is
// needed when not even one does.
int classes_at_once(Index samples, Index bands, Index features, const TrainingOptions& options,
                    std::int64_t allowed_bytes);

}  // namespace parsimap
