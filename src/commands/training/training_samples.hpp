// The samples of a training: which of the labelled pixels are drawn, their spectra, and the validation on them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "parsimap/classifier/train.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/commands/train.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/text/text_tables.hpp"

namespace parsimap {

class TrainingScenes;

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
// DataError: fewer than two classes are left; and as SampleDraw and extract_samples().
TrainingSamples read_training_samples(const TrainOptions& options, LabelledPixels labelled, SceneSource& scene,
                                      const Indices& bands, Listener& listener);

// Moves the pixels of whole units of every class, drawn at random, from `labelled`, whose regions are known, to the
// result. A class of a single unit keeps it. `positions` are those of the labelled pixels. `record` gets what was moved
// and how far it lies from the rest.
LabelledPixels take_test_pixels(const TestOptions& options, std::uint64_t seed, const PixelPositions& positions,
                                LabelledPixels& labelled, TestRecord& record, Listener& listener);

// What stays together as the labels have it: SampleSet::groups and SampleSet::places before units take their place.
struct LabelGroups {
  std::vector<std::int64_t> groups;
  std::vector<std::int64_t> places;
};

// Makes units that lie as far apart as pixels of the map from labels (match_units()) the groups of the samples that
// have a place in the scene, and says what they are. None, and the groups stay, where labels have groups of their own
// (--group-field), or no place on a plane is known.
std::optional<UnitDesign> match_training_units(const TrainOptions& options, const TrainingScenes& scenes,
                                               const Indices& bands, SampleSet& samples, Listener& listener);

// The validation of a training.

// Shares the samples out by the groups of their labels, or one by one where design.grouping says so, says what cannot
// be estimated well, and validates, with as many folds at a time as `threads` and `allowed_bytes` let;
// training.threads, the threads of a training of all samples, are used when that is one. `positions` may be empty
// without a buffer. DataError as plan_folds().
Validation validate_training(FoldDesign design, const SampleSet& samples, const LabelGroups& labels,
                             const PixelPositions& positions, const TrainingOptions& training, int threads,
                             std::int64_t allowed_bytes, Listener& listener);

}  // namespace parsimap
