#include "spatial_choice.hpp"

#include <set>

#include "parsimap/selection/unit_error.hpp"

namespace parsimap {
namespace {

// A gain that is smaller is not worth a slower map, however sure it is.
constexpr double kLeastGain = 0.005;
// What a single unit gains is exactly one standard error, but for rounding.
constexpr double kRounding = 1e-9;

SpatialScore compared(const SpatialTrials& trials, std::size_t with, std::size_t over) {
  const Vector weights = Vector::Ones(trials.right.rows());
  const Vector right = trials.right.col(static_cast<Index>(with));
  const Vector difference = right - trials.right.col(static_cast<Index>(over));
  const double gain = difference.mean();
  return {trials.steps[with], trials.steps[over], right.mean(), gain,
          standard_error(difference, gain, weights, trials.units)};
}

bool is_one_more(const SpatialSteps& steps, const SpatialSteps& over) {
  const int more_profiles = (steps.profiles ? 1 : 0) - (over.profiles ? 1 : 0);
  const int more_neighbours = (steps.neighbours ? 1 : 0) - (over.neighbours ? 1 : 0);
  return more_profiles >= 0 && more_neighbours >= 0 && more_profiles + more_neighbours == 1;
}

}  // namespace

SpatialRecord choose_spatial_steps(const SpatialTrials& trials) {
  SpatialRecord record;
  record.samples = trials.right.rows();
  record.units = static_cast<Index>(std::set<std::int64_t>(trials.units.begin(), trials.units.end()).size());
  std::size_t kept = 0;
  record.scores.push_back(compared(trials, kept, kept));
  for (bool added = true; added;) {
    added = false;
    std::size_t best = kept;
    double most = 0;
    for (std::size_t k = 0; k < trials.steps.size(); ++k) {
      if (!is_one_more(trials.steps[k], trials.steps[kept])) {
        continue;
      }
      const SpatialScore score = compared(trials, k, kept);
      record.scores.push_back(score);
      if (score.gain > score.gain_error + kRounding && score.gain >= kLeastGain && score.gain > most) {
        best = k;
        most = score.gain;
        added = true;
      }
    }
    kept = best;
  }
  record.steps = trials.steps[kept];
  return record;
}

}  // namespace parsimap
