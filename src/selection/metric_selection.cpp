#include "parsimap/selection/metric_selection.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include "parsimap/samples/sampling.hpp"

#include "left_out_judge.hpp"
#include "machine_points.hpp"
#include "profile_selection.hpp"

namespace parsimap {
namespace {

// The scan looks at every shape, width and C, on at most this many samples.
constexpr Index kScanSamples = 400;
constexpr Index kLeastScanned = 10;   // of a class
constexpr Index kLeastSelected = 50;  // of a class, on the more samples where the best are compared

// Shapes beside the first that are compared on more samples, and how often width and C are refined there.
constexpr std::size_t kFinalists = 2;
constexpr std::size_t kRefinements = 2;

// The first shape is left for one whose gain is so many times its standard error: of eight other shapes without any
// gain one is better by so much in about 5 % of all cases (Bonferroni).
constexpr double kClearGain = 2.5;

// The rows of about `most` samples, as many of one class as of another.
Indices draw(const LabelledSpectra& samples, Index most, Index least, std::uint64_t seed) {
  return draw_evenly(samples.labels, samples.classes, most, least, seed);
}

// The shapes of lowest risk after the first, by their places: what is compared with it on more samples.
std::vector<std::size_t> finalists(const std::vector<LeftOutJudge::Outcome>& scanned) {
  std::vector<std::size_t> others(scanned.size() - 1);
  std::iota(others.begin(), others.end(), std::size_t{1});
  std::stable_sort(others.begin(), others.end(),
                   [&](std::size_t a, std::size_t b) { return scanned[a].risk.mean < scanned[b].risk.mean; });
  others.resize(std::min(others.size(), kFinalists));
  return others;
}

// The number of blends that class models are estimated for.
std::size_t blend_count(const std::vector<MetricShape>& shapes) {
  std::set<double> blends;
  for (const MetricShape& shape : shapes) {
    blends.insert(shape.blend);
  }
  return blends.size();
}

// Descends from the point of the scan: tries one step in every direction and goes to the best, until that is the point
// itself or the rounds are used up. A round trains at most five machines for each class and fold.
LeftOutJudge::Outcome refine(LeftOutJudge& judge, const MetricShape& shape, MachinePoint start) {
  LeftOutJudge::Outcome best = judge.best_of(shape, neighbourhood(start));
  for (std::size_t i = 1; i < kRefinements && !(best.point == start); ++i) {
    start = best.point;
    best = judge.best_of(shape, neighbourhood(start));
  }
  return best;
}

}  // namespace

std::vector<MetricShape> metric_shapes(KernelFamily family) {
  switch (family) {
    case KernelFamily::gaussian:
      return {{0, 0}};
    case KernelFamily::pca:
      return {{0.5, 0.5, false}, {0, 0.5, false}, {0, 1, false}, {0.5, 1, false}, {1, 0.5, false}, {1, 1, false}};
    case KernelFamily::hdda:
      // The last two are for classes that differ inside their subspaces only, among many bands of noise.
      return {{0.5, 0.5}, {0, 0}, {0, 0.5}, {0, 1}, {0.5, 1}, {1, 0.5}, {1, 1}, {0.5, 0.5, false}, {0.5, 1, false}};
  }
  return {};
}

ClassMetric shaped_metric(const SubspaceModel& model, const MetricShape& shape) {
  // A class without any variance has no directions: its kernel can only be the Gaussian one.
  return !shape.rest && model.dimension() > 0 ? damped_directions(model, shape.damping, 1)
                                              : damped_metric(model, shape.damping, 1);
}

// Every point of the scan, and all rounds of the refinements, which may stop short of them. Of the shapes that are
// compared, each may have a blend of its own.
double selection_operations(const LabelledSpectra& samples, const MetricSelectionOptions& options) {
  const std::vector<MetricShape> shapes = metric_shapes(options.family);
  const Index bands = samples.bands();
  const auto scanned = static_cast<Index>(draw(samples, kScanSamples, kLeastScanned, options.seed).size());
  const auto compared = static_cast<Index>(draw(samples, kSelectionSamples, kLeastSelected, options.seed).size());
  const std::size_t finals = std::min(shapes.size(), kFinalists + 1);
  const std::size_t blends = blend_count(shapes);
  const double scan =
      static_cast<double>(blends) * model_operations(scanned, bands, samples.classes) +
      static_cast<double>(shapes.size()) * machine_operations(scanned, bands, samples.classes, scan_points().size());
  const double comparison =
      static_cast<double>(std::min(finals, blends)) * model_operations(compared, bands, samples.classes) +
      static_cast<double>(finals * kRefinements) *
          machine_operations(compared, bands, samples.classes, neighbourhood({1, 100}).size());
  const double profile = samples.features > 0 ? profile_operations(scanned, compared, bands, samples.classes) : 0;
  return scan + comparison + profile;
}

MetricSelection select_metric(const LabelledSpectra& samples, const MetricSelectionOptions& options) {
  const std::vector<MetricShape> shapes = metric_shapes(options.family);
  MachineCount machines(options.progress, selection_operations(samples, options));

  // Step 1, the scan: every shape at every point of a coarse grid, on few samples.
  LeftOutJudge scanner(samples, draw(samples, kScanSamples, kLeastScanned, options.seed), options, machines);
  MetricSelection selection;
  std::vector<LeftOutJudge::Outcome> scanned;
  for (const MetricShape& shape : shapes) {
    scanned.push_back(scanner.best_of(shape, scan_points()));
    selection.scan.push_back(scanner.score(shape, scanned.front(), scanned.back()));
  }

  // Step 2, the comparison: the first shape and the best others, refined on more samples. Step 3, the choice: the first
  // shape stands unless the gain of another is clear; of several such shapes the one of lowest risk is taken.
  LeftOutJudge judge(samples, draw(samples, kSelectionSamples, kLeastSelected, options.seed), options, machines);
  const LeftOutJudge::Outcome first = refine(judge, shapes.front(), scanned.front().point);
  LeftOutJudge::Outcome chosen = first;
  selection.shape = shapes.front();
  selection.scan.front() = judge.score(shapes.front(), first, first);
  for (const std::size_t place : finalists(scanned)) {
    LeftOutJudge::Outcome outcome = refine(judge, shapes[place], scanned[place].point);
    const ShapeScore score = judge.score(shapes[place], first, outcome);
    selection.scan[place] = score;
    if (score.gain > kClearGain * score.gain_error && score.risk < chosen.risk.mean) {
      selection.shape = shapes[place];
      chosen = std::move(outcome);
    }
  }

  // Step 4: profiles beside the spectra, where they help.
  if (judge.profile_distance() > 0) {
    ProfileSelection profile = select_profile(scanner, judge, selection.shape, chosen);
    selection.profile = profile.score;
    if (profile.score.kept()) {
      chosen = std::move(profile.outcome);
    }
  }

  selection.point = chosen.point;
  selection.risk = chosen.risk.mean;
  selection.judgement = judge.judgement(chosen);
  selection.machines = machines.trained();
  return selection;
}

double judgement_operations(const LabelledSpectra& samples, const MetricSelectionOptions& options) {
  const Indices rows = draw(samples, kSelectionSamples, kLeastSelected, options.seed);
  return machine_operations(static_cast<Index>(rows.size()), samples.bands(), samples.classes, 1);
}

Judgement judge_left_out(const LabelledSpectra& samples, const std::vector<ClassDesign>& designs,
                         const MetricSelectionOptions& options) {
  MachineCount machines(options.progress, judgement_operations(samples, options));
  const LeftOutJudge judge(samples, draw(samples, kSelectionSamples, kLeastSelected, options.seed), options, machines);
  return judge.judgement(judge.outcome(designs));
}

}  // namespace parsimap
