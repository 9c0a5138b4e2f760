#include "parsimap/selection/metric_selection.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "parsimap/core/text.hpp"
#include "parsimap/samples/sampling.hpp"

#include "left_out_evaluation.hpp"
#include "search_points.hpp"

namespace parsimap {
namespace {

const Names<ClassWeights>& weight_names() {
  static const Names<ClassWeights> names = {{ClassWeights::none, "none"}, {ClassWeights::balanced, "balanced"}};
  return names;
}

}  // namespace

ClassWeights parse_class_weights(const std::string& text) {
  return parse_name("class weights", text, weight_names(), "are unknown; they must be");
}

std::string to_string(ClassWeights weights) { return name_among(weights, weight_names()); }

Vector sample_weights(ClassWeights weights, const std::vector<int>& labels, const Vector& own) {
  const auto n = static_cast<Index>(labels.size());
  if (own.size() > 0) {
    return own.cwiseProduct(sample_weights(weights, labels));
  }
  if (weights == ClassWeights::none || labels.empty()) {
    return Vector::Ones(n);
  }
  Vector counts = Vector::Zero(*std::max_element(labels.begin(), labels.end()) + 1);
  for (const int label : labels) {
    counts(label) += 1;
  }
  // n / (K n_c) for the samples of class c, with K the number of classes that have samples: the mean of the weights is
  // 1.
  const auto classes = static_cast<double>((counts.array() > 0).count());
  return static_cast<double>(n) / (classes * counts(labels).array());
}

double standard_error(const Vector& difference, double mean, const Vector& weights,
                      const std::vector<std::int64_t>& units) {
  // error = sqrt(U/(U - 1) sum_units (sum_(i in unit) s_i (delta_i - delta))^2) / sum_i s_i (docs/method.md, "Selection
  // by left-out regions"). Deviations are added up within a unit before they are squared, because the pixels of one
  // region are not independent. `difference` has the factors s_i already.
  std::map<std::int64_t, double> deviations;
  for (Index i = 0; i < difference.size(); ++i) {
    deviations[units[static_cast<std::size_t>(i)]] += difference(i) - mean * weights(i);
  }
  double sum = 0;
  for (const auto& [unit, deviation] : deviations) {
    sum += deviation * deviation;
  }
  const auto count = static_cast<double>(deviations.size());
  return count > 1 ? std::sqrt(sum * count / (count - 1)) / weights.sum() : 0.0;
}

namespace {

// The scan looks at every shape, width and C, on at most this many samples.
constexpr Index kScanSamples = 400;
constexpr Index kLeastScanned = 10;   // of a class
constexpr Index kLeastSelected = 50;  // of a class, on the more samples where the best are compared

// Shapes beside the first that are compared on more samples, and how often width and C are refined there.
constexpr std::size_t kFinalists = 3;
constexpr std::size_t kRefinements = 2;

// Steps to a better neighbour in the choice of profiles, at most. From the grid to any point between its own it takes
// four.
constexpr std::size_t kProfileSteps = 5;

// The first shape is left for one whose gain is so many times its standard error: of eight other shapes without any
// gain one is better by so much in about 5 % of all cases (Bonferroni).
constexpr double kClearGain = 2.5;

// Shapes whose risk is higher by so many standard errors of the difference are compared no further.
constexpr double kWithinReach = 2;

// Units that must be left out for another scaling, and for decision values to be combined: with fewer, standard errors
// are hardly known themselves.
constexpr std::size_t kFewestUnits = 20;

// The rows of about `most` samples, as many of one class as of another.
Indices draw(const LabelledSpectra& samples, Index most, Index least, std::uint64_t seed) {
  return draw_evenly(samples.labels, samples.classes, most, least, seed);
}

// The shapes of the family, and the same once more of standardised spectra where these are tried and can be judged.
std::vector<MetricShape> tried_shapes(const LabelledSpectra& samples, const MetricSelectionOptions& options) {
  std::vector<MetricShape> shapes = metric_shapes(options.family);
  const std::set<std::int64_t> units(samples.groups.begin(), samples.groups.end());
  if (samples.standardising.size() > 0 && units.size() >= kFewestUnits) {
    for (MetricShape shape : metric_shapes(options.family)) {
      shape.standardised = true;
      shapes.push_back(shape);
    }
  }
  return shapes;
}

// A shape that is compared, by its place, and what left-out samples say of it.
struct Compared {
  std::size_t place;
  LeftOutEvaluation::Outcome outcome;
};

// The first shape, and those of lowest risk of the others, which are compared on more samples.
std::vector<std::size_t> finalists(const std::vector<LeftOutEvaluation::Outcome>& scanned) {
  std::vector<std::size_t> places(scanned.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin() + 1, places.end(),
                   [&](std::size_t a, std::size_t b) { return scanned[a].risk.mean < scanned[b].risk.mean; });
  places.resize(std::min(places.size(), kFinalists + 1));
  return places;
}

// Leaves the first shape and those whose risk is not clearly above the lowest one.
void drop_worse(const LeftOutEvaluation& evaluation, const std::vector<MetricShape>& shapes,
                std::vector<Compared>& compared) {
  const auto risk = [](const Compared& one) { return one.outcome.risk.mean; };
  const Compared best = *std::ranges::min_element(compared, {}, risk);
  std::erase_if(compared, [&](const Compared& other) {
    const ShapeScore score = evaluation.score(shapes[other.place], best.outcome, other.outcome);
    return other.place != 0 && -score.gain > kWithinReach * score.gain_error;
  });
}

// Notes the scores over the first shape. It stands unless the gain of another is clear; of several such shapes the one
// of lowest risk is taken.
std::size_t choose_shape(const LeftOutEvaluation& evaluation, const std::vector<MetricShape>& shapes,
                         const std::vector<Compared>& compared, std::vector<ShapeScore>& scan) {
  std::size_t chosen = 0;
  for (std::size_t k = 0; k < compared.size(); ++k) {
    const auto& [place, outcome] = compared[k];
    scan[place] = evaluation.score(shapes[place], compared.front().outcome, outcome);
    const bool clear = scan[place].gain > kClearGain * scan[place].gain_error;
    if (clear && outcome.risk.mean < compared[chosen].outcome.risk.mean) {
      chosen = k;
    }
  }
  return chosen;
}

// The number of blends that class models are estimated for.
std::size_t blend_count(const std::vector<MetricShape>& shapes) {
  std::set<double> blends;
  for (const MetricShape& shape : shapes) {
    blends.insert(shape.standardised ? -1 - shape.blend : shape.blend);
  }
  return blends.size();
}

// Descends from a point: tries one step in every direction and goes to the best, until that is the point itself or the
// rounds are used up. `steps` gives a point and its neighbours. No point is tried twice.
template <typename Steps>
LeftOutEvaluation::Outcome refine(LeftOutEvaluation& evaluation, const MetricShape& shape, const TrainingPoint& start,
                                  std::size_t rounds, const Steps& steps) {
  std::vector<TrainingPoint> tried = steps(start);
  LeftOutEvaluation::Outcome best = evaluation.best_of(shape, tried);
  for (std::size_t i = 1; i < rounds && !(best.point == start); ++i) {
    std::vector<TrainingPoint> fresh = steps(best.point);
    std::erase_if(fresh, [&](const TrainingPoint& point) {
      return std::ranges::any_of(tried, [&](const TrainingPoint& known) { return nearly_equal(point, known); });
    });
    if (fresh.empty()) {
      break;
    }
    LeftOutEvaluation::Outcome next = evaluation.best_of(shape, fresh);
    tried.insert(tried.end(), fresh.begin(), fresh.end());
    if (!(next.risk.mean < best.risk.mean)) {
      break;
    }
    best = std::move(next);
  }
  return best;
}

// The second stage of the choice: a kernel of morphological profiles beside that of the spectra, where it lowers the
// risk of left-out samples (docs/method.md, "A kernel of profiles").
struct ProfileSelection {
  LeftOutEvaluation::Outcome outcome;  // of the lowest risk with a share above 0
  ProfileScore score;                  // beside the spectra alone
};

// `spectra` is the outcome of the shape chosen without profiles, on `evaluation`, whose samples have profiles that
// differ. The scan of shares and weights is on the fewer samples of `scanner`; its best point is refined on
// `evaluation`.
ProfileSelection select_profile(LeftOutEvaluation& scanner, LeftOutEvaluation& evaluation, const MetricShape& shape,
                                const LeftOutEvaluation::Outcome& spectra) {
  const double distance = evaluation.profile_distance();
  const TrainingPoint start = scanner.best_of(shape, profile_points(spectra.point, distance)).point;
  LeftOutEvaluation::Outcome best = refine(evaluation, shape, start, kProfileSteps, [&](const TrainingPoint& point) {
    return profile_neighbourhood(point, distance);
  });
  const ShapeScore beside = evaluation.score(shape, spectra, best);
  const ProfileScore score{best.point,         best.point.profile_weight * distance,
                           beside.risk,        beside.gain,
                           beside.gain_error,  1 - best.errors,
                           1 - spectra.errors, beside.samples};
  return {std::move(best), score};
}

// Whether class weights may matter: classes differ in size, and are not balanced already.
bool may_be_balanced(const LabelledSpectra& samples, const MetricSelectionOptions& options) {
  constexpr double kUneven = 2;
  Vector counts = Vector::Zero(static_cast<Index>(samples.classes));
  for (const int label : samples.labels) {
    counts(label) += 1;
  }
  return options.class_weights == ClassWeights::none && counts.maxCoeff() >= kUneven * counts.minCoeff();
}

// Judges the outcome of a choice, of all or of kJudgedSamples samples.
Judgement judge_choice(const LabelledSpectra& samples, const LeftOutEvaluation& evaluation, const MetricShape& shape,
                       const LeftOutEvaluation::Outcome& outcome, const MetricSelectionOptions& options,
                       TrainingCount& classifiers) {
  // How decision values combine is learnt from samples that are left out by themselves: without whole units, too few of
  // a class would remain to learn from. A few units cannot show whether it helps.
  if (evaluation.units() < Index{kFewestUnits}) {
    return evaluation.judgement(outcome);
  }
  if (evaluation.units() == evaluation.samples()) {
    return evaluation.combined_judgement(outcome, outcome.scores);
  }
  std::vector<std::int64_t> places = samples.places;
  if (places.empty()) {
    places.resize(samples.labels.size());
    std::iota(places.begin(), places.end(), std::int64_t{0});
  }
  LeftOutEvaluation single({samples.spectra, samples.labels, places, samples.classes, samples.features, samples.weights,
                            places, samples.standardising},
                           draw(samples, kJudgedSamples, kLeastSelected, options.seed), options, classifiers);
  return evaluation.combined_judgement(outcome, single.best_of(shape, {outcome.point}).scores);
}

// About how many operations that takes, for so many samples of either.
double profile_operations(Index scanned, Index compared, Index bands, std::size_t classes) {
  const TrainingPoint point{1, 100, 0.5, 1};
  return classifier_operations(scanned, bands, classes, profile_points(point, 1).size()) +
         static_cast<double>(kProfileSteps) *
             classifier_operations(compared, bands, classes, profile_neighbourhood(point, 1).size());
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

namespace {

// The steps of the selection and their operations: every point of the scan, and all rounds of the refinements, which
// may stop short of them. Of the shapes that are compared, each may have a blend of its own.
std::vector<PlannedPhase> selection_steps(const LabelledSpectra& samples, const MetricSelectionOptions& options) {
  const std::vector<MetricShape> shapes = tried_shapes(samples, options);
  const Index bands = samples.bands();
  const auto scanned = static_cast<Index>(draw(samples, kScanSamples, kLeastScanned, options.seed).size());
  const auto compared = static_cast<Index>(draw(samples, kSelectionSamples, kLeastSelected, options.seed).size());
  const std::size_t finals = std::min(shapes.size(), kFinalists + 1);
  const std::size_t blends = blend_count(shapes);
  const double scan =
      static_cast<double>(blends) * model_operations(scanned, bands, samples.classes) +
      static_cast<double>(shapes.size()) * classifier_operations(scanned, bands, samples.classes, scan_points().size());
  // Rounds mostly stop short of the last one.
  constexpr double kRoundsDone = 0.75;
  const double comparison =
      static_cast<double>(std::min(finals, blends)) * model_operations(compared, bands, samples.classes) +
      kRoundsDone * static_cast<double>(finals * kRefinements) *
          classifier_operations(compared, bands, samples.classes, neighbourhood({1, 100}).size());
  const double profile = samples.features > 0 ? profile_operations(scanned, compared, bands, samples.classes) : 0;
  const auto judged = static_cast<Index>(draw(samples, kJudgedSamples, kLeastSelected, options.seed).size());
  // Once more with more samples, and once with samples that are left out by themselves instead of whole groups.
  const std::set<std::int64_t> groups(samples.groups.begin(), samples.groups.end());
  const int judgements = (judged > compared ? 1 : 0) + (groups.size() < samples.groups.size() ? 1 : 0);
  const double judgement = judgements * (model_operations(judged, bands, samples.classes) +
                                         classifier_operations(judged, bands, samples.classes, 1));
  const double balanced =
      may_be_balanced(samples, options) ? 2 * classifier_operations(compared, bands, samples.classes, 1) : 0;
  return {{"scan", scan},
          {"comparison", comparison},
          {"profile", profile},
          {"judgement", judgement},
          {"balanced", balanced}};
}

}  // namespace

double selection_operations(const LabelledSpectra& samples, const MetricSelectionOptions& options) {
  double sum = 0;
  for (const PlannedPhase& step : selection_steps(samples, options)) {
    sum += step.expected;
  }
  return sum;
}

MetricSelection select_metric(const LabelledSpectra& samples, const MetricSelectionOptions& options) {
  const std::vector<MetricShape> shapes = tried_shapes(samples, options);
  TrainingCount classifiers(options.progress, selection_steps(samples, options));

  // Step 1, the scan: every shape at every point of a coarse grid, on few samples.
  LeftOutEvaluation scanner(samples, draw(samples, kScanSamples, kLeastScanned, options.seed), options, classifiers);
  MetricSelection selection;
  std::vector<LeftOutEvaluation::Outcome> scanned;
  for (const MetricShape& shape : shapes) {
    scanned.push_back(scanner.best_of(shape, scan_points()));
    selection.scan.push_back(scanner.score(shape, scanned.front(), scanned.back()));
  }

  // Step 2, the comparison: the first shape and the best others, refined on more samples.
  classifiers.begin(1);
  LeftOutEvaluation evaluation(samples, draw(samples, kSelectionSamples, kLeastSelected, options.seed), options,
                               classifiers);
  std::vector<Compared> compared;
  for (const std::size_t place : finalists(scanned)) {
    compared.push_back({place, refine(evaluation, shapes[place], scanned[place].point, kRefinements, neighbourhood)});
  }
  std::size_t place = compared[choose_shape(evaluation, shapes, compared, selection.scan)].place;

  // Step 3, the choice: where there are more samples, they decide between shapes that are nearly as good.
  std::optional<LeftOutEvaluation> larger;
  std::optional<LeftOutEvaluation::Outcome> of_more;  // of the choice, where it was compared there
  if (evaluation.samples() < static_cast<Index>(samples.labels.size())) {
    larger.emplace(samples, draw(samples, kJudgedSamples, kLeastSelected, options.seed), options, classifiers);
    std::vector<Compared> left = compared;
    drop_worse(evaluation, shapes, left);
    if (left.size() > 1) {
      for (Compared& one : left) {
        one.outcome = larger->best_of(shapes[one.place], {one.outcome.point});
      }
      const std::size_t best = choose_shape(*larger, shapes, left, selection.scan);
      place = left[best].place;
      of_more = std::move(left[best].outcome);
    }
  }
  selection.shape = shapes[place];
  const LeftOutEvaluation::Outcome spectra = std::ranges::find(compared, place, &Compared::place)->outcome;

  // Step 4: profiles beside the spectra, where they help or are wanted in any case.
  std::optional<LeftOutEvaluation::Outcome> profiled;
  if (evaluation.profile_distance() > 0) {
    classifiers.begin(2);
    ProfileSelection profile = select_profile(scanner, evaluation, selection.shape, spectra);
    selection.profile = profile.score;
    if (profile.score.kept() || options.profiles_always) {
      profiled = std::move(profile.outcome);
    }
  }

  // Step 5: the accuracy that is printed, and what turns decision values into labels and probabilities, of classifiers
  // that learn from more samples.
  classifiers.begin(3);
  const auto judged = [&](const LeftOutEvaluation::Outcome& outcome) -> JudgedPoint {
    LeftOutEvaluation& judge = larger ? *larger : evaluation;
    LeftOutEvaluation::Outcome found = outcome;
    if (larger) {
      found = of_more && of_more->point == outcome.point ? *of_more : larger->best_of(selection.shape, {outcome.point});
    }
    return {outcome.point, outcome.risk.mean,
            judge_choice(samples, judge, selection.shape, found, options, classifiers)};
  };
  static_cast<JudgedPoint&>(selection) = judged(profiled ? *profiled : spectra);
  if (profiled && options.both) {
    selection.spectra = judged(spectra);
  }
  if (may_be_balanced(samples, options)) {
    classifiers.begin(4);
    selection.judgement.scores.balanced = evaluation.balanced_weights(selection.shape, selection.point);
    if (selection.spectra) {
      selection.spectra->judgement.scores.balanced =
          evaluation.balanced_weights(selection.shape, selection.spectra->point);
    }
  }
  selection.classifiers = classifiers.trained();
  return selection;
}

double judgement_operations(const LabelledSpectra& samples, const MetricSelectionOptions& options) {
  const Indices rows = draw(samples, kSelectionSamples, kLeastSelected, options.seed);
  return classifier_operations(static_cast<Index>(rows.size()), samples.bands(), samples.classes, 1);
}

Judgement judge_left_out(const LabelledSpectra& samples, const std::vector<ClassDesign>& designs,
                         const MetricSelectionOptions& options) {
  TrainingCount classifiers(options.progress, {{"judgement", judgement_operations(samples, options)}});
  const LeftOutEvaluation evaluation(samples, draw(samples, kSelectionSamples, kLeastSelected, options.seed), options,
                                     classifiers);
  return evaluation.judgement(evaluation.outcome(designs));
}

}  // namespace parsimap
