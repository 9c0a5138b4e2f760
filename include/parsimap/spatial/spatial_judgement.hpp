// Whether steps that look at what lies around a pixel are worth it, evaluated on left-out samples that lie apart.
//
// Samples are left out in compact parts of the scene, with a buffer around them (samples/sampling.hpp): pixels
// beside their training pixels would favour whatever spreads labels to the neighbours. Classifiers with the metrics and
// penalties that were chosen are trained without each fold, class models anew, and label the left-out pixels as a map
// would: neighbours have their say by windows that are read around these pixels, with the rule that the scene itself
// speaks for (spatial/regularisation.hpp).
//
// A step is kept only where it gains more than one standard error, over the parts of the classes, and half a point:
// first the better of profiles and neighbours, then the other one on top of it.
#pragma once

#include <cstdint>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/selection/metric_selection.hpp"
#include "parsimap/spatial/regularisation.hpp"

namespace parsimap {

// A model of the training samples, and how it may regularise a map: by rules that are ever stronger. Of these the one
// counts under which the left-out samples are most likely; without any, neighbours are not tried.
struct SpatialCandidate {
  const Model* model = nullptr;
  std::vector<Regularisation> rules = {};
};

struct SpatialJudgementOptions {
  ClassWeights class_weights = ClassWeights::none;  // that the models were trained with
  DimensionRule dimension = {};                     // likewise
  double reach = 0;           // pixels that a feature of the profiles sees around it; the buffer, where there is room
  double least_distance = 0;  // pixels; the buffer is this at least
  std::uint64_t seed = 0;
  int threads = 1;
  Progress progress = {};
};

// Tries the candidates on the samples that both were trained on, up to a thousand of them. At most one candidate has
// profiles; then the samples have them, and `scene` has their features behind its own bands. `bands` are the
// scene's bands of the models. Where the samples are too few, or lie too near to each other, nothing is evaluated: the
// simplest steps stay, and the record has the reason. The result is the same for any number of threads. IoError from
// the scene.
SpatialRecord judge_spatial_steps(SceneSource& scene, const Indices& bands, const SampleSet& samples,
                                  const std::vector<SpatialCandidate>& candidates,
                                  const SpatialJudgementOptions& options);

// What was tried on n left-out samples, of which choose_spatial_steps() makes the choice.
struct SpatialTrials {
  std::vector<SpatialSteps> steps;  // of the columns; the first has the fewest steps, and each of the others more
  Matrix right;                     // n x steps: 1 where the sample was right, else 0
  std::vector<std::int64_t> units;  // n: samples of a unit are not independent of each other
};

// Begins with the first steps, and adds one step at a time: the one that gains most, as long as it gains more than one
// standard error over the units, and half a point. The record has every trial that was compared on the way.
SpatialRecord choose_spatial_steps(const SpatialTrials& trials);

}  // namespace parsimap
