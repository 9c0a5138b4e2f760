// The samples of a training: which of the labelled pixels are drawn, and their spectra.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "parsimap/commands/job.hpp"
#include "parsimap/commands/training/train.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/text/text_tables.hpp"

#include "training_scenes.hpp"

namespace parsimap {

// The counts of a byclass table for these classes, which it gives by name or code; empty for other rules. `warn` is
// that of the reader of the table. DataError: a class that the table lacks, a class of the table that there is not, a
// number below kLeastSamples.
std::vector<Index> class_table_counts(const SamplingRule& rule, const ClassTable& classes, const Warn& warn = {});

// Draws in two steps, so that the spectra of a fully labelled large scene need not be read: candidates by their labels
// alone, samples among those that turned out to have spectra. The sizes of classes that strategies go by are those of
// the pixels with spectra: counted where all pixels of a class are candidates, estimated from the candidates otherwise.
class SampleDraw {
 public:
  // `classes` are those of the labels, of which some may be dropped before the draw. Errors as class_table_counts().
  SampleDraw(const SamplingRule& rule, const ClassTable& classes, std::uint64_t seed, const Warn& warn = {});

  // As many pixels as draw() takes of them when all have spectra.
  void choose_drawn(LabelledPixels& labelled) const;
  // Many enough that sizes() below `least` are true.
  void choose_candidates(LabelledPixels& labelled, Index least = 1);
  // The size of every class, from the samples of the candidates.
  [[nodiscard]] std::vector<Index> sizes(const SampleSet& samples) const;
  void draw(SampleSet& samples) const;

 private:
  [[nodiscard]] std::vector<Index> table_of(const ClassTable& classes) const;

  SamplingRule rule_;
  std::uint64_t seed_;
  std::map<int, Index> table_;     // of by_class, by code
  std::vector<Index> labelled_;    // pixels of every class
  std::vector<Index> candidates_;  // of these
};

// What a training is fed with: labels from files, and the samples drawn from them.

struct TrainingSamples {
  LabelledPixels labelled;  // the pixels whose spectra were read
  Extraction extraction;    // the samples are those drawn
};

// The labels with the parts of vector features as regions. Errors as read_label_input().
LabelledPixels read_training_labels(const TrainOptions& options, SceneSource& scene);

// Finds the regions where they are not known (the connected areas of a raster), reads the spectra in `bands`, and
// draws; says to the listener what was lost. Everything is as if classes dropped for their size had not been labelled.
// `library` are labels of spectra that are trained on, too: a class that has enough of them needs no pixel. DataError:
// fewer than two classes are left; and as SampleDraw and extract_samples().
TrainingSamples read_training_samples(const TrainOptions& options, LabelledPixels labelled, SceneSource& scene,
                                      const Indices& bands, Listener& listener,
                                      const LabelledPixels* library = nullptr);

// What is known of read_training_samples() and the training before spectra are read: classes with the labelled pixels
// that would be drawn, and the seconds that reading and training take.
struct PlannedTraining {
  std::vector<ClassPixels> classes;
  std::vector<PlannedPhase> stages;
};
PlannedTraining plan_training(const TrainOptions& options, LabelledPixels labelled, const SceneSource& scene,
                              Index bands, Listener& listener, const LabelledPixels* library);

// Leaves out samples that lie too far from all others (outlying_samples()); notes name them.
void leave_out_outliers(SampleSet& samples, const TrainingScenes& scenes, Listener& listener);

// Where the values of the samples lie; says where some are what would count as no data otherwise.
ValueRange training_range(const SampleSet& samples, const InputScene& scene, const Indices& bands, Listener& listener);

}  // namespace parsimap
