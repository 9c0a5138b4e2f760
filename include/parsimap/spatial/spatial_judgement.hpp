// Whether steps that look at what lies around a pixel are worth it, evaluated on left-out samples.
//
// Samples are left out by their groups: units whose distance from the remaining samples is that of the map
// (validation/unit_design.hpp), since pixels beside their training pixels would favour whatever spreads labels to the
// neighbours. Classifiers with the metrics and penalties that were chosen are trained without each fold, class models
// anew, and label the left-out pixels as a map would, with the pixels in windows around them as neighbours.
//
// A step is kept only where it lowers the risk by more than one standard error, over the units, and by a least amount:
// first the better of profiles, neighbours and both, then the other one on top of it. Where all samples are right, the
// accuracy alone could not tell steps apart.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/spatial/regularisation.hpp"
#include "parsimap/validation/left_out_evaluation.hpp"

namespace parsimap {

struct SpatialJudgementOptions {
  DimensionRule dimension = {};  // that the models were trained with
  std::uint64_t seed = 0;
  int threads = 1;
  Progress progress = {};
};

// The rules for neighbours that are tried with every model.
std::vector<Regularisation> spatial_rules();

struct SpatialJudgement {
  SpatialRecord record;
  // How the tested samples were classified by the steps chosen, where these have neighbours; without the regions of
  // classes.
  std::optional<LeftOutScores> left_out = {};
};

// Tries the designs of models of the samples, which need no support spectra, with each of the rules, on up to a
// thousand samples. At most one design has profiles; then the samples have them, and `scene` has their features behind
// its own bands. `bands` are the scene's bands of the models. Where fewer than ten units can be left out, nothing is
// evaluated: the simplest steps stay, and the record has the reason. The result is the same for any number of threads.
// IoError from the scene.
SpatialJudgement judge_spatial_steps(SceneSource& scene, const Indices& bands, const SampleSet& samples,
                                     const std::vector<Model>& designs, const std::vector<Regularisation>& rules,
                                     const SpatialJudgementOptions& options);

// What was tried on n left-out samples, of which choose_spatial_steps() makes the choice.
struct SpatialTrials {
  std::vector<SpatialSteps> steps;  // of the columns; the first has the fewest steps, and each of the others more
  Matrix right;                     // n x steps: 1 where the sample was right, else 0
  Matrix risks;                     // n x steps: logarithmic losses, plus 1 where the sample was wrong
  std::vector<SampleUnit> units;    // n: samples of a unit are not independent of each other
};

// Begins with the first steps, and adds one step at a time: the one that lowers the risk most, as long as that is more
// than one standard error over the units, and 0.005. The record has every trial that was compared on the way.
SpatialRecord choose_spatial_steps(const SpatialTrials& trials);

}  // namespace parsimap
