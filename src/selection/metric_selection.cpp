#include "parsimap/selection/metric_selection.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "parsimap/core/text.hpp"
#include "parsimap/samples/class_weights.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/validation/unit_design.hpp"

#include "compared_classes.hpp"
#include "search_points.hpp"

namespace parsimap {
namespace {

// The scan looks at every shape and width on at most this many samples.
constexpr Index kScanSamples = 400;
constexpr Index kLeastScanned = 10;   // of a class
constexpr Index kLeastSelected = 50;  // of a class, on the more samples where the best are compared

// Shapes beside the first that are compared on more samples, and how often width and C are refined there.
constexpr std::size_t kFinalists = 3;
constexpr std::size_t kRefinements = 2;

// Steps to a better neighbour, at most: to any point between those of the grid of profiles it takes four.
constexpr std::size_t kMostSteps = 5;

// Shapes whose risk is higher by so many standard errors of the difference are compared no further.
constexpr double kWithinReach = 2;

// Operations of one unit of MetricSelectionOptions::effort, about ten seconds of a usual processor.
constexpr double kEffortOperations = 1e11;

// A choice that takes no more of them, some seconds, is repeated without every fold.
constexpr double kRepeatedOperations = 5e10;

// The rows of about `most` samples, as many of one class as of another.
Indices draw(const LabelledSpectra& samples, Index most, Index least, std::uint64_t seed) {
  return draw_evenly(samples.labels, samples.classes, most, least, seed);
}

// The first shape, and those of lowest risk of the others, which are compared on more samples.
std::vector<std::size_t> finalists(const std::vector<LeftOutEvaluation::Outcome>& scanned) {
  std::vector<std::size_t> places(scanned.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin() + 1, places.end(),
                   [&](std::size_t a, std::size_t b) { return scanned[a].risk.mean < scanned[b].risk.mean; });
  places.resize(std::min(places.size(), kFinalists + 1));
  return places;
}

// The best of some points, and on from there: tries one step in every direction and goes to the best, as long as the
// risk falls and for so many rounds at most. `steps` gives the neighbours of a point. No point is tried twice.
template <typename Steps>
LeftOutEvaluation::Outcome refine(LeftOutEvaluation& evaluation, const MetricShape& shape,
                                  std::vector<TrainingPoint> tried, std::size_t rounds, const Steps& steps) {
  LeftOutEvaluation::Outcome best = evaluation.best_of(shape, tried);
  for (std::size_t i = 0; i < rounds; ++i) {
    std::vector<TrainingPoint> fresh = steps(best.point);
    std::erase_if(fresh, [&](const TrainingPoint& point) {
      return std::ranges::any_of(tried, [&](const TrainingPoint& known) { return nearly_equal(point, known); });
    });
    if (fresh.empty()) {
      break;
    }
    LeftOutEvaluation::Outcome next = evaluation.best_of(shape, fresh);
    add_all(tried, fresh);
    if (!(next.risk.mean < best.risk.mean)) {
      break;
    }
    best = std::move(next);
  }
  return best;
}

// Whether class weights are to be chosen and may matter, since classes differ in size.
bool may_be_balanced(const LabelledSpectra& samples, const MetricSelectionOptions& options) {
  constexpr double kUneven = 2;
  const auto [least, most] = std::ranges::minmax(class_counts(samples.labels, samples.classes));
  return options.class_weights == ClassWeights::automatic &&
         static_cast<double>(most) >= kUneven * static_cast<double>(least);
}

// The steps of selection_steps() after the scan.
constexpr std::size_t kComparing = 1;
constexpr std::size_t kProfiles = 2;
constexpr std::size_t kWeighing = 3;
constexpr std::size_t kJudging = 4;

// Whether the choice is repeated without every fold, on four fifths of the samples each: if this does not take too many
// operations.
bool is_repeated(const std::vector<PlannedPhase>& steps) {
  return static_cast<double>(kFolds) * 0.64 * (steps[0].expected + steps[kComparing].expected) <= kRepeatedOperations;
}

// About how many operations the step of profiles takes, for so many samples of the scan and of the comparison.
double profile_operations(Index scanned, Index compared, Index bands, std::size_t classes) {
  const TrainingPoint point{1, 100, 0.5, 1};
  return classifier_operations(scanned, bands, classes, profile_points(point, 1).size()) +
         static_cast<double>(kMostSteps) *
             classifier_operations(compared, bands, classes, profile_neighbourhood(point, 1).size());
}

// About how many operations it takes to train the classifiers of all folds at one point, with their class models.
double judged_operations(Index samples, Index bands, std::size_t classes) {
  return model_operations(samples, bands, classes) + classifier_operations(samples, bands, classes, 1);
}

// The steps of the selection and their operations, of which `samples` are those that are compared: every point of the
// scan, and all rounds of the refinements, which may stop short of them. Of the shapes that are compared, each may have
// a blend of its own.
std::vector<PlannedPhase> selection_steps(const LabelledSpectra& all, const LabelledSpectra& samples,
                                          const MetricSelectionOptions& options) {
  const std::vector<MetricShape> shapes = tried_shapes(samples, options.family);
  const Index bands = samples.bands();
  const auto scanned = static_cast<Index>(draw(samples, kScanSamples, kLeastScanned, options.seed).size());
  const auto compared = static_cast<Index>(draw(samples, kSelectionSamples, kLeastSelected, options.seed).size());
  const std::size_t finals = std::min(shapes.size(), kFinalists + 1);
  const std::size_t blends = blend_count(shapes);
  const double scan = static_cast<double>(blends) * model_operations(scanned, bands, samples.classes) +
                      static_cast<double>(shapes.size() + finals) *
                          classifier_operations(scanned, bands, samples.classes, scan_points({1}).size());
  // Rounds mostly stop short of the last one.
  constexpr double kRoundsDone = 0.75;
  const double comparison =
      static_cast<double>(std::min(finals, blends)) * model_operations(compared, bands, samples.classes) +
      kRoundsDone * static_cast<double>(finals * kRefinements) *
          classifier_operations(compared, bands, samples.classes, neighbourhood({1, 100}).size());
  const double profile = samples.features > 0 ? profile_operations(scanned, compared, bands, samples.classes) : 0;
  const auto judged = static_cast<Index>(draw(all, kJudgedSamples, kLeastSelected, options.seed).size());
  // Once without what was chosen on each fold, once more with more samples, and once with samples that are left out by
  // themselves instead of whole groups.
  const bool single = unit_count(units_of(all.places)) == std::ssize(all.labels);
  // Some lower C are tried on all of many classes.
  const int penalties = all.classes > samples.classes ? 2 : 0;
  const int judgements = 1 + (judged > compared ? 1 : 0) + (single ? 0 : 1) + penalties;
  const double judgement = judgements * judged_operations(judged, bands, all.classes);
  const double weights =
      may_be_balanced(samples, options) ? 2 * classifier_operations(compared, bands, samples.classes, 1) : 0;
  return {
      {"scan", scan}, {"comparison", comparison}, {"profile", profile}, {"weights", weights}, {"judgement", judgement}};
}

}  // namespace

double selection_operations(const LabelledSpectra& samples, const MetricSelectionOptions& options) {
  const ComparedClasses compared(samples, options.seed);
  return total(selection_steps(samples, compared.samples(), options), &PlannedPhase::expected);
}

namespace {

// The choice, step by step.
class MetricSearch {
 public:
  MetricSearch(const LabelledSpectra& all, const MetricSelectionOptions& options)
      : all_(all),
        classes_(all, options.seed),
        options_(options),
        shapes_(tried_shapes(samples_, options.family)),
        classifiers_(options_.progress, selection_steps(all, samples_, options)),
        scanner_(samples_, draw(samples_, kScanSamples, kLeastScanned, options.seed), options_, classifiers_),
        evaluation_(samples_, draw(samples_, kSelectionSamples, kLeastSelected, options.seed), options_, classifiers_) {
  }

  MetricSelection run() {
    compare_shapes();
    race();
    choose_profile();
    choose_weights();
    classifiers_.begin(kJudging);
    static_cast<JudgedPoint&>(found_) = judged(profiled_ ? *profiled_ : spectra_);
    if (profiled_ && options_.both) {
      found_.spectra = judged(spectra_);
    }
    found_.class_weights = options_.class_weights;
    found_.classifiers = classifiers_.trained();
    return std::move(found_);
  }

 private:
  // A shape that is compared, by its place, and what left-out samples say of it.
  struct Compared {
    std::size_t place;
    LeftOutEvaluation::Outcome outcome;
  };

  // Every shape up to this many on few samples at every width, since risks may have two minima over widths; the first
  // one at every C, the others at the one that is best there.
  void scan(std::size_t count) {
    while (scanned_.size() < count) {
      const MetricShape& shape = shapes_[scanned_.size()];
      const auto penalties =
          scanned_.empty() ? std::vector{10.0, 100.0, 1000.0, 10000.0} : std::vector{scanned_.front().point.C};
      scanned_.push_back(scanner_.best_of(shape, scan_points(penalties)));
      found_.scan.push_back(scanner_.score(shape, scanned_.front(), scanned_.back()));
    }
  }

  // The first shape and the best others, refined on more samples; or the first one alone where nothing is left to gain.
  void compare_shapes() {
    scan(1);
    if (nothing_to_gain(scanned_.front().risk)) {
      compared_ = {{0, evaluation_.best_of(shapes_.front(), {scanned_.front().point})}};
    }
    if (compared_.empty() || !nothing_left()) {
      scan(shapes_.size());
      classifiers_.begin(kComparing);
      compared_.clear();
      for (const std::size_t place : finalists(scanned_)) {
        const MetricShape& shape = shapes_[place];
        const TrainingPoint best = scanned_[place].point;
        const TrainingPoint start =
            place == 0 ? best : refine(scanner_, shape, scan_points({best.C}), kMostSteps, scan_steps).point;
        compared_.push_back({place, refine(evaluation_, shape, neighbourhood(start), kRefinements - 1, neighbourhood)});
      }
    }
    choose_shape(evaluation_, compared_);
  }

  // Shapes that are nearly as good as the best are compared on twice as many samples, and the rest of them on twice as
  // many again, as long as there are samples and effort.
  void race() {
    double left = options_.effort * kEffortOperations;
    std::vector<Compared> contenders = compared_;
    const LeftOutEvaluation* judged_by = &evaluation_;
    const auto all = std::ssize(samples_.labels);
    for (Index most = kJudgedSamples; most <= kRaceSamples && judged_by->samples() < all; most *= 2) {
      drop_worse(*judged_by, contenders);
      const double cost = static_cast<double>(contenders.size()) *
                          classifier_operations(std::min(most, all), samples_.bands(), samples_.classes, 1);
      if (contenders.size() < 2 || cost > left) {
        break;
      }
      left -= cost;
      larger_.emplace(samples_, draw(samples_, most, kLeastSelected, options_.seed), options_, classifiers_);
      judged_by = &*larger_;
      most_ = most;
      for (Compared& one : contenders) {
        one.outcome = larger_->best_of(shapes_[one.place], {one.outcome.point});
      }
      choose_shape(*larger_, contenders);
      raced_ = std::ranges::find(contenders, chosen_, &Compared::place)->outcome;
    }
    found_.shape = shapes_[chosen_];
    spectra_ = std::ranges::find(compared_, chosen_, &Compared::place)->outcome;
    if (classes_.fewer()) {
      forget_race();
    }
  }

  // What follows on more samples is on all classes and with their weights.
  void forget_race() {
    larger_.reset();
    raced_.reset();
  }

  // Leaves the first shape and those whose risk is not clearly above the lowest one.
  void drop_worse(const LeftOutEvaluation& evaluation, std::vector<Compared>& compared) const {
    const auto risk = [](const Compared& one) { return one.outcome.risk.mean; };
    const Compared best = *std::ranges::min_element(compared, {}, risk);
    std::erase_if(compared, [&](const Compared& other) {
      const ShapeScore score = evaluation.score(shapes_[other.place], best.outcome, other.outcome);
      return other.place != 0 && -score.gain > kWithinReach * score.gain_error;
    });
  }

  // Notes the scores over the first shape, and takes the shape of the lowest risk; of several that are as low, the one
  // that comes first. That the first of all is good on most data is no reason to ask others for more: what they gain is
  // as often too small as too large by chance.
  void choose_shape(const LeftOutEvaluation& evaluation, const std::vector<Compared>& compared) {
    double most = 0;
    for (const auto& [place, outcome] : compared) {
      ShapeScore& score = found_.scan[place];
      score = evaluation.score(shapes_[place], compared.front().outcome, outcome);
      most = std::max(most, score.gain);
    }
    chosen_ = shapes_.size();
    for (const Compared& one : compared) {
      if (found_.scan[one.place].gain > most - kLeastGain) {
        chosen_ = std::min(chosen_, one.place);
      }
    }
  }

  // By the first shape, which no comparison has chosen: the lowest of many risks says too little.
  [[nodiscard]] bool nothing_left() const { return nothing_to_gain(compared_.front().outcome.risk); }

  // The second stage: a kernel of morphological profiles beside that of the spectra, where it lowers the risk of
  // left-out samples, or is wanted in any case (docs/method.md, "A kernel of profiles"). Shares and weights are scanned
  // on the fewer samples.
  void choose_profile() {
    const double distance = evaluation_.profile_distance();
    if (!(distance > 0) || (nothing_left() && !options_.profiles_always)) {
      return;
    }
    classifiers_.begin(kProfiles);
    const TrainingPoint start = scanner_.best_of(found_.shape, profile_points(spectra_.point, distance)).point;
    const auto steps = [&](const TrainingPoint& point) { return profile_neighbourhood(point, distance); };
    LeftOutEvaluation::Outcome best = refine(evaluation_, found_.shape, steps(start), kMostSteps - 1, steps);
    const ShapeScore beside = evaluation_.score(found_.shape, spectra_, best);
    found_.profile = {best.point,          best.point.profile_weight * distance,
                      beside.risk,         beside.gain,
                      beside.gain_error,   1 - best.errors,
                      1 - spectra_.errors, beside.samples};
    if (found_.profile->kept() || options_.profiles_always) {
      profiled_ = std::move(best);
    }
  }

  void choose_weights() {
    const LeftOutEvaluation::Outcome& outcome = profiled_ ? *profiled_ : spectra_;
    if (may_be_balanced(samples_, options_) && !nothing_left()) {
      classifiers_.begin(kWeighing);
      balanced_ = evaluation_.balanced_weights(found_.shape, outcome.point);
      // Classes are less uneven in few samples than in all: what seems better there is compared on more of them.
      if (balanced_->better() && evaluation_.samples() < std::ssize(all_.labels)) {
        balanced_ = on_more_samples().balanced_weights(found_.shape, outcome.point);
      }
    }
    if (options_.class_weights == ClassWeights::automatic) {
      reweighed_ = balanced_ && balanced_->better();
      options_.class_weights = reweighed_ ? ClassWeights::balanced : ClassWeights::none;
      if (reweighed_) {
        forget_race();
      }
    }
  }

  LeftOutEvaluation& on_more_samples() {
    if (!larger_) {
      larger_.emplace(all_, draw(all_, most_, kLeastSelected, options_.seed), options_, classifiers_);
    }
    return *larger_;
  }

  // Lowers C step by step as long as the risk of all classes falls, and there is something to gain. Some classes of
  // many are easier to separate than all, and get a larger C than is best for these.
  LeftOutEvaluation::Outcome with_lower_penalty(LeftOutEvaluation& judge, const TrainingPoint& start) const {
    LeftOutEvaluation::Outcome best = judge.best_of(found_.shape, {start});
    while (!nothing_to_gain(best.risk)) {
      const std::vector<TrainingPoint> points = neighbourhood(best.point);
      const auto lower =
          std::ranges::find_if(points, [&](const TrainingPoint& point) { return point.C < best.point.C; });
      if (lower == points.end()) {
        break;
      }
      LeftOutEvaluation::Outcome next = judge.best_of(found_.shape, {*lower});
      if (!(next.risk.mean < best.risk.mean)) {
        break;
      }
      best = std::move(next);
    }
    return best;
  }

  // What a choice was made of: in its scaling, with profiles or without, and of its shape where this was compared on
  // more samples. Nothing, where it was made for a part of the classes.
  [[nodiscard]] TriedPoints tried_for(const TrainingPoint& chosen) const {
    TriedPoints tried = evaluation_.tried();
    // Of a few units nothing would remain to choose by.
    tried.again = !nothing_left() && evaluation_.units() >= kFewestUnits &&
                  is_repeated(selection_steps(all_, samples_, options_));
    if (scanner_.samples() == evaluation_.samples()) {
      add_all(tried.points, scanner_.tried().points);
    }
    std::erase_if(tried.points, [&](const TriedPoint& one) {
      return classes_.fewer() || one.shape.standardised != found_.shape.standardised ||
             (one.point.share > 0) != (chosen.share > 0) || (raced_ && !(one.shape == found_.shape));
    });
    return tried;
  }

  // The decision values of the samples of `judge` by which they are combined: where each is left out by itself, since
  // without whole units too few of a class would remain to learn from.
  Matrix single_scores(const LeftOutEvaluation& judge, const LeftOutEvaluation::Outcome& outcome) {
    if (judge.units() == judge.samples()) {
      return outcome.scores;
    }
    const std::vector<SamplePlace> places = with_units(all_.places, single_units(all_.places));
    LeftOutEvaluation single(
        {all_.spectra, all_.labels, places, all_.classes, all_.features, all_.weights, all_.standardising},
        draw(all_, most_, kLeastSelected, options_.seed), options_, classifiers_);
    return single.best_of(found_.shape, {outcome.point}).scores;
  }

  // The accuracy that is printed, and what turns decision values into labels and probabilities, of classifiers that
  // learn from more samples.
  JudgedPoint judged(const LeftOutEvaluation::Outcome& outcome) {
    const bool same = evaluation_.samples() == std::ssize(all_.labels) && !reweighed_;
    LeftOutEvaluation& judge = same ? evaluation_ : on_more_samples();
    LeftOutEvaluation::Outcome found = outcome;
    if (classes_.fewer()) {
      found = with_lower_penalty(judge, outcome.point);
    } else if (!same) {
      found = raced_ && raced_->point == outcome.point ? *raced_ : judge.best_of(found_.shape, {outcome.point});
    }
    TriedPoints tried = tried_for(outcome.point);
    const Matrix scores =
        tried.points.empty() ? found.scores : judge.chosen_by_others(all_, tried, found_.shape, found);
    // A few units cannot show whether it helps to combine decision values.
    JudgedPoint result{found.point, classes_.fewer() ? found.risk.mean : outcome.risk.mean,
                       judge.units() < kFewestUnits
                           ? judge.judgement(scores)
                           : judge.combined_judgement(scores, found, single_scores(judge, found))};
    result.judgement.scores.tried = std::move(tried);
    result.judgement.scores.balanced = balanced_;
    return result;
  }

  const LabelledSpectra& all_;
  ComparedClasses classes_;
  const LabelledSpectra& samples_ = classes_.samples();
  MetricSelectionOptions options_;  // with the class weights that are chosen
  std::vector<MetricShape> shapes_;
  TrainingCount classifiers_;
  LeftOutEvaluation scanner_;
  LeftOutEvaluation evaluation_;
  std::optional<LeftOutEvaluation> larger_ = {};  // on most_ samples
  Index most_ = kJudgedSamples;
  MetricSelection found_ = {};
  std::vector<LeftOutEvaluation::Outcome> scanned_ = {};
  std::vector<Compared> compared_ = {};
  std::size_t chosen_ = 0;                                   // place of the shape
  LeftOutEvaluation::Outcome spectra_ = {};                  // of the shape by spectra alone
  std::optional<LeftOutEvaluation::Outcome> profiled_ = {};  // with profiles, where they help
  std::optional<LeftOutEvaluation::Outcome> raced_ = {};  // of the shape on more samples, where it was compared there
  std::optional<BalancedWeights> balanced_ = {};
  bool reweighed_ = false;  // balanced weights were chosen after the shape
};

}  // namespace

MetricSelection select_metric(const LabelledSpectra& samples, const MetricSelectionOptions& options) {
  return MetricSearch(samples, options).run();
}

MetricSelection quick_metric(const LabelledSpectra& samples, const MetricSelectionOptions& options) {
  const std::vector<TrainingPoint> points = {{0.5, 100}, {2.5, 100}};
  const ComparedClasses classes(samples, options.seed);
  const LabelledSpectra& compared = classes.samples();
  const Indices rows = draw(compared, kScanSamples, kLeastScanned, options.seed);
  const Indices judged = draw(samples, kScanSamples, kLeastScanned, options.seed);
  MetricSelectionOptions plain = options;
  plain.class_weights = options.class_weights == ClassWeights::automatic ? ClassWeights::none : options.class_weights;
  TrainingCount classifiers(
      plain.progress,
      {{"scan", classifier_operations(std::ssize(rows), samples.bands(), compared.classes, points.size())},
       {"judgement", classes.fewer() ? judged_operations(std::ssize(judged), samples.bands(), samples.classes) : 0}});
  LeftOutEvaluation evaluation(compared, rows, plain, classifiers);
  MetricSelection found;
  found.shape = metric_shapes(plain.family).front();
  found.class_weights = plain.class_weights;
  const LeftOutEvaluation::Outcome outcome = evaluation.best_of(found.shape, points);
  static_cast<JudgedPoint&>(found) = {outcome.point, outcome.risk.mean, evaluation.judgement(outcome.scores)};
  if (classes.fewer()) {
    classifiers.begin(1);
    LeftOutEvaluation all(samples, judged, plain, classifiers);
    found.judgement = all.judgement(all.best_of(found.shape, {outcome.point}).scores);
  }
  found.scan = {evaluation.score(found.shape, outcome, outcome)};
  found.classifiers = classifiers.trained();
  return found;
}

double judgement_operations(const LabelledSpectra& samples, const MetricSelectionOptions& options) {
  const Indices rows = draw(samples, kSelectionSamples, kLeastSelected, options.seed);
  return classifier_operations(static_cast<Index>(rows.size()), samples.bands(), samples.classes, 1);
}

Judgement judge_left_out(const LabelledSpectra& samples, const ClassifierDesign& design,
                         const MetricSelectionOptions& options) {
  TrainingCount classifiers(options.progress, {{"judgement", judgement_operations(samples, options)}});
  const LeftOutEvaluation evaluation(samples, draw(samples, kSelectionSamples, kLeastSelected, options.seed), options,
                                     classifiers);
  return evaluation.judgement(evaluation.scores(design));
}

static const Names<CriterionKind> kCriteria = {{CriterionKind::leave_one_out, "leave-one-out"},
                                               {CriterionKind::radius_margin, "radius-margin"}};

CriterionKind parse_criterion(const std::string& text) { return parse_name("criterion", text, kCriteria); }

std::string to_string(CriterionKind kind) { return name_among(kind, kCriteria); }

}  // namespace parsimap
