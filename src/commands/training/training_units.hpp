// The units of a training, which are never divided: those that are kept for a test, those that lie as far apart as
// pixels of the map, and the validation by them.
#pragma once

#include <cstdint>
#include <vector>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/commands/training/train.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/validation/folds.hpp"
#include "parsimap/validation/unit_design.hpp"

namespace parsimap {

class TrainingScenes;

// The labelled pixels that are kept for testing.
struct TestPart {
  LabelledPixels labelled;
  std::vector<SampleUnit> units;  // of the pixels
  TestRecord record;              // what they are, and how far they lie from the rest
};

// Moves the pixels of whole units of every class, drawn at random, from `labelled`, whose regions are known, to the
// result. A class of a single unit keeps it, which is said. Of several scenes features are those that any of them
// shows. `positions` are those of the labelled pixels, `pixel` is how wide these are.
TestPart take_test_pixels(const TestOptions& options, std::uint64_t seed, const PixelPositions& positions,
                          LabelledPixels& labelled, Listener& listener, double pixel = 1, bool several = false);

// Makes units that lie as far apart as pixels of the map from labels (match_units()) those of the samples in the scene,
// and says what they are. None, and the units stay, where labels have groups of their own (--group-field), or no place
// on a plane is known.
std::optional<MatchedUnits> match_training_units(const TrainOptions& options, const TrainingScenes& scenes,
                                                 const Indices& bands, SampleSet& samples, Listener& listener);

// Shares the samples out by the units of `places`, or one by one where design.grouping says so, says what cannot
// be estimated well, and validates, with as many folds at a time as `threads` and `allowed_bytes` let;
// training.threads, the threads of a training of all samples, are used when that is one. `positions` may be empty
// without a buffer. DataError as plan_folds().
Validation validate_training(FoldDesign design, const SampleSet& samples, const std::vector<SamplePlace>& places,
                             const PixelPositions& positions, const TrainingOptions& training, int threads,
                             std::int64_t allowed_bytes, Listener& listener);

}  // namespace parsimap
