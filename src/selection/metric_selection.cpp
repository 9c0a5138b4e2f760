#include "parsimap/selection/metric_selection.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/hdda/blended_model.hpp"
#include "parsimap/samples/folds.hpp"
#include "parsimap/samples/split.hpp"

#include "left_out_risk.hpp"

namespace parsimap {
namespace {

// The scan looks at every shape, width and C, on at most this many samples.
constexpr Index kScanSamples = 400;
constexpr Index kLeastScanned = 10;   // of a class
constexpr Index kLeastSelected = 50;  // of a class, on the more samples where the best are compared
constexpr double kWidths[] = {0.1, 0.5, 2.5, 12};
constexpr double kPenalties[] = {10, 100, 1000, 10000};

// Shapes beside the first that are compared on more samples, and by which factors width and C are refined there.
constexpr std::size_t kFinalists = 2;
constexpr double kWidthStep = 2.2;
constexpr double kPenaltyStep = 3.2;
constexpr int kRefinements = 2;

// Below these bounds machines are nearly linear or nearly constant: their scores differ by the sizes of the classes
// more than by the spectra, and few regions cannot tell them from better ones. A larger C changes no accuracy but makes
// coefficients so large that single precision cannot add them up.
constexpr double kLowestWidth = 0.1;
constexpr double kLowestPenalty = 10;
constexpr double kHighestPenalty = 1e4;

// The first shape is left for one whose gain is so many times its standard error: of eight other shapes without any
// gain one is better by so much in about 5 % of all cases (Bonferroni).
constexpr double kClearGain = 2.5;

// Counts machines, and tells how many of those expected are trained.
class Count {
 public:
  Count(const Progress& progress, Index expected) : progress_(progress), expected_(expected) {}

  void add() {
    const std::lock_guard lock(mutex_);
    if (progress_) {
      progress_(std::min(1.0, static_cast<double>(trained_) / static_cast<double>(expected_)));
    }
    ++trained_;
  }
  [[nodiscard]] Index trained() const { return trained_; }

 private:
  const Progress& progress_;
  Index expected_;
  std::mutex mutex_;
  Index trained_ = 0;
};

// Some of the samples, and what is needed to leave them out in turn.
class Judge {
 public:
  // The rows `rows` (ascending) of the samples.
  Judge(const LabelledSpectra& all, const Indices& rows, const MetricSelectionOptions& options, Count& machines)
      : options_(options), machines_(machines), classes_(all.classes), spectra_(all.spectra(rows, Eigen::all)) {
    std::vector<std::int64_t> groups;
    for (const Index row : rows) {
      labels_.push_back(all.labels[static_cast<std::size_t>(row)]);
      groups.push_back(all.groups[static_cast<std::size_t>(row)]);
    }
    units_ = left_out_units(labels_, classes_, groups);
    count_samples(all.labels);
    scorer_ = std::make_unique<LeftOutScorer>(
        spectra_, labels_, classes_, assign_folds(labels_, classes_, units_.units, kLeftOutFolds, options.seed, 0),
        options.class_weights);
  }
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  [[nodiscard]] Index samples() const { return spectra_.rows(); }

  // Scores and risk of one candidate.
  struct Outcome {
    MachinePoint point;
    LeftOutRisk risk;
    double errors = 0;  // classes counted as in all samples
  };

  // The best of `points` with metrics of a shape.
  [[nodiscard]] Outcome best_of(const MetricShape& shape, const std::vector<MachinePoint>& points) {
    const std::vector<SubspaceModel>& models = fold_models(shape.blend);
    const auto metric = [&](Index fold, int c) { return shaped_metric(models[model_index(fold, c)], shape); };
    std::vector<Matrix> scores = scorer_->scores(
        metric, [&](int) { return points; }, options_.threads, [&] { machines_.add(); });
    std::vector<LeftOutRisk> risks(points.size());
    parallel_for(static_cast<Index>(points.size()), options_.threads, [&](Index k) {
      const auto at = static_cast<std::size_t>(k);
      risks[at] = left_out_risk(scores[at], labels_, weights_);
    });
    std::size_t best = 0;
    for (std::size_t k = 1; k < points.size(); ++k) {
      best = risks[k].mean < risks[best].mean ? k : best;
    }
    return {points[best], std::move(risks[best]), left_out_errors(scores[best], labels_, shares_)};
  }

  // The scores of machines of other designs.
  [[nodiscard]] Outcome outcome(const std::vector<ClassDesign>& designs) const {
    const auto metric = [&](Index fold, int c) {
      Indices own;
      for (const Index row : scorer_->training_rows(fold)) {
        if (labels_[static_cast<std::size_t>(row)] == c) {
          own.push_back(row);
        }
      }
      return designs[static_cast<std::size_t>(c)].metric(spectra_(own, Eigen::all));
    };
    const auto point = [&](int c) { return std::vector<MachinePoint>{{1, designs[static_cast<std::size_t>(c)].C}}; };
    const Matrix scores = scorer_->scores(metric, point, options_.threads, [&] { machines_.add(); }).front();
    return {{}, left_out_risk(scores, labels_, weights_), left_out_errors(scores, labels_, shares_)};
  }

  // The outcome of a shape, and how much lower its risk is than that of `first`, with the standard error over what is
  // left out together.
  [[nodiscard]] ShapeScore score(const MetricShape& shape, const Outcome& first, const Outcome& outcome) const {
    const Vector difference = weights_.cwiseProduct(first.risk.risks - outcome.risk.risks);
    const double total = weights_.sum();
    const double mean = difference.sum() / total;
    std::map<std::int64_t, double> deviations;
    for (Index i = 0; i < difference.size(); ++i) {
      deviations[units_.units[static_cast<std::size_t>(i)]] += difference(i) - mean * weights_(i);
    }
    double sum = 0;
    for (const auto& [unit, deviation] : deviations) {
      sum += deviation * deviation;
    }
    const auto count = static_cast<double>(deviations.size());
    const double error = count > 1 ? std::sqrt(sum * count / (count - 1)) / total : 0.0;
    return {shape, outcome.point, outcome.risk.mean, mean, error, samples()};
  }

  [[nodiscard]] Judgement judgement(const Outcome& outcome) const {
    std::vector<std::int64_t> units = units_.units;
    std::sort(units.begin(), units.end());
    const Index count = std::unique(units.begin(), units.end()) - units.begin();
    return {{1 - outcome.errors, samples(), count, units_.by_region}, outcome.risk.slope};
  }

 private:
  // Samples count as much as the samples of all that they stand for, in the risk of balanced classes as if all classes
  // had as many.
  void count_samples(const std::vector<int>& all_labels) {
    Vector every = Vector::Zero(static_cast<Index>(classes_));
    Vector own = every;
    for (const int label : all_labels) {
      every(label) += 1;
    }
    for (const int label : labels_) {
      own(label) += 1;
    }
    shares_ = every(labels_).cwiseQuotient(own(labels_));
    if (options_.class_weights == ClassWeights::balanced) {
      every.setConstant(every.mean());
    }
    weights_ = every(labels_).cwiseQuotient(own(labels_));
  }

  [[nodiscard]] std::size_t model_index(Index fold, int c) const {
    return static_cast<std::size_t>(fold) * classes_ + static_cast<std::size_t>(c);
  }

  // The class models of every fold's complement, fold by fold; shapes of one blend share them.
  const std::vector<SubspaceModel>& fold_models(double blend) {
    const auto known = models_.find(blend);
    if (known != models_.end()) {
      return known->second;
    }
    std::vector<std::unique_ptr<const BlendedModels>> of_fold(static_cast<std::size_t>(kLeftOutFolds));
    for (Index fold = 0; fold < kLeftOutFolds; ++fold) {
      const Indices& rows = scorer_->training_rows(fold);
      std::vector<int> labels;
      for (const Index row : rows) {
        labels.push_back(labels_[static_cast<std::size_t>(row)]);
      }
      of_fold[static_cast<std::size_t>(fold)] =
          std::make_unique<const BlendedModels>(spectra_(rows, Eigen::all), labels, classes_);
    }
    std::vector<SubspaceModel> models(static_cast<std::size_t>(kLeftOutFolds) * classes_);
    parallel_for(static_cast<Index>(models.size()), options_.threads, [&](Index i) {
      const auto at = static_cast<std::size_t>(i);
      models[at] = of_fold[at / classes_]->model(static_cast<int>(at % classes_), blend, options_.dimension);
    });
    return models_.emplace(blend, std::move(models)).first->second;
  }

  const MetricSelectionOptions& options_;
  Count& machines_;
  std::size_t classes_;
  Matrix spectra_;
  std::vector<int> labels_;
  LeftOutUnits units_;
  Vector shares_;   // n, samples of all that each stands for
  Vector weights_;  // n, of the samples in the risk
  std::unique_ptr<LeftOutScorer> scorer_;
  std::map<double, std::vector<SubspaceModel>> models_;  // by blend
};

// About `most` samples, as many of one class as of another or all that it has, and `least` of each where it has them.
Indices draw_evenly(const LabelledSpectra& samples, Index most, Index least, std::uint64_t seed) {
  const auto n = static_cast<Index>(samples.labels.size());
  if (n <= most) {
    Indices all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), Index{0});
    return all;
  }
  const Index per_class = std::max(least, most / static_cast<Index>(samples.classes));
  return draw_per_class(samples.labels, samples.classes, per_class, seed);
}

std::vector<MachinePoint> scan_points() {
  std::vector<MachinePoint> points;
  for (const double width : kWidths) {
    for (const double C : kPenalties) {
      points.push_back({width, C});
    }
  }
  return points;
}

// The point itself and one step in every direction, inside the bounds.
std::vector<MachinePoint> neighbourhood(const MachinePoint& point) {
  std::vector<MachinePoint> points = {point};
  const std::vector<MachinePoint> steps = {{point.width, std::max(kLowestPenalty, point.C / kPenaltyStep)},
                                           {point.width, std::min(kHighestPenalty, point.C * kPenaltyStep)},
                                           {std::max(kLowestWidth, point.width / kWidthStep), point.C},
                                           {point.width * kWidthStep, point.C}};
  std::copy_if(steps.begin(), steps.end(), std::back_inserter(points),
               [&](const MachinePoint& step) { return !(step == point); });
  return points;
}

// The best of the shapes after the first.
std::vector<std::size_t> finalists(const std::vector<Judge::Outcome>& scanned) {
  std::vector<std::size_t> others(scanned.size() - 1);
  std::iota(others.begin(), others.end(), std::size_t{1});
  std::stable_sort(others.begin(), others.end(),
                   [&](std::size_t a, std::size_t b) { return scanned[a].risk.mean < scanned[b].risk.mean; });
  others.resize(std::min(others.size(), kFinalists));
  return others;
}

// About how many machines a selection trains; it may stop short of them.
Index expected_machines(std::size_t shapes, std::size_t classes) {
  const std::size_t scanned = shapes * scan_points().size();
  const std::size_t refined =
      std::min(shapes, kFinalists + 1) * static_cast<std::size_t>(kRefinements) * neighbourhood({1, 100}).size();
  return static_cast<Index>((scanned + refined) * classes) * kLeftOutFolds;
}

// Descends from the point of the scan by the steps of neighbourhood().
Judge::Outcome refine(Judge& judge, const MetricShape& shape, MachinePoint start) {
  Judge::Outcome best = judge.best_of(shape, neighbourhood(start));
  for (int i = 1; i < kRefinements && !(best.point == start); ++i) {
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

MetricSelection select_metric(const LabelledSpectra& samples, const MetricSelectionOptions& options) {
  const std::vector<MetricShape> shapes = metric_shapes(options.family);
  Count machines(options.progress, expected_machines(shapes.size(), samples.classes));
  Judge scanner(samples, draw_evenly(samples, kScanSamples, kLeastScanned, options.seed), options, machines);
  MetricSelection selection;
  std::vector<Judge::Outcome> scanned;
  for (const MetricShape& shape : shapes) {
    scanned.push_back(scanner.best_of(shape, scan_points()));
    selection.scan.push_back(scanner.score(shape, scanned.front(), scanned.back()));
  }

  Judge judge(samples, draw_evenly(samples, kSelectionSamples, kLeastSelected, options.seed), options, machines);
  const Judge::Outcome first = refine(judge, shapes.front(), scanned.front().point);
  Judge::Outcome chosen = first;
  selection.shape = shapes.front();
  selection.scan.front() = judge.score(shapes.front(), first, first);
  for (const std::size_t place : finalists(scanned)) {
    Judge::Outcome outcome = refine(judge, shapes[place], scanned[place].point);
    const ShapeScore score = judge.score(shapes[place], first, outcome);
    selection.scan[place] = score;
    if (score.gain > kClearGain * score.gain_error && score.risk < chosen.risk.mean) {
      selection.shape = shapes[place];
      chosen = std::move(outcome);
    }
  }
  selection.point = chosen.point;
  selection.risk = chosen.risk.mean;
  selection.judgement = judge.judgement(chosen);
  selection.machines = machines.trained();
  return selection;
}

Judgement judge_left_out(const LabelledSpectra& samples, const std::vector<ClassDesign>& designs,
                         const MetricSelectionOptions& options) {
  Count machines(options.progress, kLeftOutFolds * static_cast<Index>(samples.classes));
  const Judge judge(samples, draw_evenly(samples, kSelectionSamples, kLeastSelected, options.seed), options, machines);
  return judge.judgement(judge.outcome(designs));
}

}  // namespace parsimap
