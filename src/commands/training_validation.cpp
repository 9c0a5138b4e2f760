#include "training_validation.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "parsimap/classifier/validation.hpp"

namespace parsimap {
namespace {

bool single_pixels(const FoldDesign& design) { return design.grouping.unit == Grouping::Unit::pixels; }

std::vector<std::int64_t> groups_of(const FoldDesign& design, const SampleSet& samples) {
  std::vector<std::int64_t> groups = samples.groups;
  if (single_pixels(design)) {
    std::iota(groups.begin(), groups.end(), std::int64_t{0});
  }
  return groups;
}

// Neighbours in a polygon are alike: a pixel of it is easily told when the others were trained on.
void warn_of_leaks(const SampleSet& samples, Listener& listener) {
  std::map<std::int64_t, Index> sizes;
  for (const std::int64_t region : samples.regions) {
    ++sizes[region];
  }
  const auto shared = std::count_if(sizes.begin(), sizes.end(), [](const auto& entry) { return entry.second > 1; });
  if (shared > 0) {
    listener.warning("--groups pixels tests on pixels of regions that it also trains on (" + std::to_string(shared) +
                     " of " + std::to_string(sizes.size()) +
                     " regions have several pixels): the accuracy is optimistic; --groups regions is not");
  }
}

void tell_of_few_groups(const FoldPlan& plan, const ClassTable& classes, bool single_pixels, Listener& listener) {
  const std::string unit = single_pixels ? "pixel" : "group";
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const Index groups = plan.class_groups[c];
    if (groups == 1) {
      listener.warning("class '" + classes[c].name + "' lies in one " + unit +
                       ", which cannot be both trained and tested on; its accuracy is not estimated" +
                       (single_pixels ? "" : ", but would be, optimistically, with --groups pixels"));
    } else if (groups < plan.design.folds) {
      listener.message("class '" + classes[c].name + "' lies in " + std::to_string(groups) + " " + unit +
                       "s, fewer than the " + std::to_string(plan.design.folds) +
                       " folds; it is tested in so many of them at most");
    }
  }
}

void tell_of_untrained(const FoldPlan& plan, const ClassTable& classes, Listener& listener) {
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const auto untrained = std::count_if(plan.folds.begin(), plan.folds.end(), [&](const Fold& fold) {
      return std::find(fold.untrained.begin(), fold.untrained.end(), static_cast<int>(c)) != fold.untrained.end();
    });
    if (untrained > 0 && plan.class_groups[c] > 1) {
      listener.message("class '" + classes[c].name + "' has no training pixel in " + std::to_string(untrained) +
                       " of " + std::to_string(plan.folds.size()) + " folds; it is neither trained nor tested there");
    }
  }
}

int folds_at_once(const FoldPlan& plan, const SampleSet& samples, const TrainingOptions& training, int threads,
                  std::int64_t allowed_bytes) {
  int folds = std::min(threads, static_cast<int>(plan.folds.size()));
  while (folds > 1 && validation_bytes(samples, plan, training, folds) > allowed_bytes) {
    --folds;
  }
  return folds;
}

}  // namespace

Validation validate_training(FoldDesign design, const SampleSet& samples, const PixelPositions& positions,
                             const TrainingOptions& training, int threads, std::int64_t allowed_bytes,
                             Listener& listener) {
  design.buffer_unit = positions.metres ? "m" : "pixels";
  const FoldPlan plan =
      plan_folds(samples.labels, samples.classes.size(), groups_of(design, samples), positions.points, design);
  if (single_pixels(design)) {
    warn_of_leaks(samples, listener);
  }
  tell_of_few_groups(plan, samples.classes, single_pixels(design), listener);
  tell_of_untrained(plan, samples.classes, listener);
  return validate(samples, plan, training, folds_at_once(plan, samples, training, threads, allowed_bytes),
                  listener.progress("validating"));
}

}  // namespace parsimap
