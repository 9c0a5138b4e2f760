
#include "parsimap/validation/left_out_evaluation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/train.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/kernel/metric_shape.hpp"
#include "parsimap/validation/combination.hpp"
#include "parsimap/validation/left_out.hpp"

#include "support/places.hpp"
#include "support/toy_regions.hpp"
#include "support/toy_samples.hpp"

namespace parsimap::test {
namespace {

// Three classes of twelve samples, in regions of two.
struct LabelledRegions {
  SampleSet samples = toy::three_classes(12, 3);
  std::vector<SamplePlace> places;
  Indices rows = consecutive(36);
  EvaluationOptions options;

  LabelledRegions() {
    for (std::int64_t i = 0; i < 36; ++i) {
      places.push_back({i, i / 2, {i / 2}});
    }
  }
  [[nodiscard]] LabelledSpectra all() const { return {samples.spectra, samples.labels, places, 3}; }
};

LabelledSpectra view(const SampleSet& samples) {
  return {samples.spectra, samples.labels, samples.places, samples.classes.size()};
}

Indices folds_of(const Judgement& judgement) { return mapped<Index>(judgement.scores.records, &LeftOutRecord::fold); }

}  // namespace

TEST_CASE("classifiers are counted, and reported as parts of those expected") {
  std::vector<double> fractions;
  const Progress progress = [&](double fraction) { fractions.push_back(fraction); };
  TrainingCount count(progress, {{"training", 10}});
  for (int i = 0; i < 4; ++i) {
    count.add(3);
  }
  count.add(2, 0);
  CHECK(count.trained() == 4);
  // They are shares of the time.
  CHECK(fractions.size() == 5);
  CHECK(std::is_sorted(fractions.begin(), fractions.end()));
  CHECK(fractions.front() >= 0);
  CHECK(fractions.back() <= 1);
}

TEST_CASE("the best point is the one of lowest risk, and a shape gains nothing over itself") {
  const LabelledRegions data;
  const Progress none;
  TrainingCount count(none, {{"training", 1}});
  LeftOutEvaluation judge(data.all(), data.rows, data.options, count);
  const MetricShape shape{0.5, 0.5};
  const TrainingPoint a{0.5, 10};
  const TrainingPoint b{2.5, 100};
  const LeftOutEvaluation::Outcome of_a = judge.best_of(shape, {a});
  const LeftOutEvaluation::Outcome of_b = judge.best_of(shape, {b});
  const LeftOutEvaluation::Outcome best = judge.best_of(shape, {a, b});
  CHECK(best.risk.mean == std::min(of_a.risk.mean, of_b.risk.mean));
  CHECK(count.trained() == 4 * 3 * kFolds);
  const ShapeScore itself = judge.score(shape, best, best);
  CHECK(itself.gain == 0);
  CHECK(itself.gain_error == 0);
  CHECK(itself.samples == 36);
  const ShapeScore other = judge.score(shape, of_a, of_b);
  CHECK(other.gain == doctest::Approx(of_a.risk.mean - of_b.risk.mean));
  const LeftOutScores scores = judge.judgement(best.scores).scores;
  CHECK(scores.units == 18);
  // Classes are drawn alike here, so that the accuracy is that of the counts.
  REQUIRE(scores.confusion);
  CHECK(scores.confusion->sum() == 36);
  CHECK(scores.accuracy == doctest::Approx(static_cast<double>(scores.confusion->trace()) / 36));
}

TEST_CASE("every fold has the decision values of the point that the other folds choose") {
  const LabelledRegions data;
  const Progress none;
  TrainingCount count(none, {{"training", 1}});
  LeftOutEvaluation judge(data.all(), data.rows, data.options, count);
  const MetricShape shape{0.5, 0.5};
  const MetricShape other{0, 0};
  const LeftOutEvaluation::Outcome first = judge.best_of(shape, {{0.5, 10}});
  const LeftOutEvaluation::Outcome second = judge.best_of(other, {{2.5, 100}});
  TriedPoints tried = judge.tried();
  REQUIRE(tried.rows == data.rows);
  REQUIRE(tried.points.size() == 2);
  CHECK(tried.points[1].shape == other);
  CHECK(tried.points[1].point == second.point);
  CHECK((tried.points[1].risks - second.risk.risks).cwiseAbs().maxCoeff() < 1e-12);
  // The first point risks more at the samples of one fold alone: without these it is the best, and with them it is not.
  const Indices folds = folds_of(judge.judgement(first.scores));
  REQUIRE(folds.size() == data.rows.size());
  tried.points[0].risks.setZero();
  tried.points[1].risks.setOnes();
  for (std::size_t i = 0; i < folds.size(); ++i) {
    tried.points[0].risks(static_cast<Index>(i)) = folds[i] == 3 ? 1000 : 0;
  }
  const Matrix scores = judge.chosen_by_others(data.all(), tried, other, second);
  for (std::size_t i = 0; i < folds.size(); ++i) {
    const auto row = static_cast<Index>(i);
    CHECK(scores.row(row) == (folds[i] == 3 ? first : second).scores.row(row));
  }
  // Nothing is trained where all folds choose alike.
  tried.points.pop_back();
  const Index trained = count.trained();
  CHECK(judge.chosen_by_others(data.all(), tried, shape, first) == first.scores);
  CHECK(count.trained() == trained);
}

TEST_CASE("a choice that is repeated is made without those that are left out, of which nothing remains in it") {
  LabelledRegions data;
  const Progress none;
  TrainingCount count(none, {{"training", 1}});
  LeftOutEvaluation judge(data.all(), data.rows, data.options, count);
  std::ignore = judge.best_of({0.5, 0.5}, {{0.5, 10}, {0.6, 12}, {1, 15}, {20, 1}});
  const LeftOutEvaluation::Outcome last = judge.best_of({0, 0}, {{0.5, 10}, {0.7, 10}});
  TriedPoints tried = judge.tried();
  tried.again = true;
  bool repeated = false;
  const Indices folds = folds_of(judge.judgement(last.scores));
  for (Index fold = 0; fold < kFolds; ++fold) {
    const auto is_held = [&](Index i) { return folds[static_cast<std::size_t>(i)] == fold; };
    const Indices held = filtered(data.rows, is_held);
    const Index before = count.trained();
    const TriedPoint chosen = choice_without(held, data.all(), tried, data.options, count);
    repeated = repeated || count.trained() > before;
    // Point by point on the others alone.
    const Indices others = filtered(data.rows, [&](Index i) { return !is_held(i); });
    double least = std::numeric_limits<double>::infinity();
    std::size_t best = 0;
    const std::vector<SampleUnit> units = values_at(units_of(data.places), others);
    for (std::size_t k = 0; k < tried.points.size(); ++k) {
      // But for points that are clearly worse by what is known.
      const Vector worse = (tried.points[k].risks - tried.best_without(held).risks)(others);
      if (worse.mean() > 2 * standard_error(worse, Vector::Ones(worse.size()), units)) {
        continue;
      }
      LeftOutEvaluation alone(data.all(), others, data.options, count);
      const double risk = alone.best_of(tried.points[k].shape, {tried.points[k].point}).risk.mean;
      best = risk < least ? k : best;
      least = std::min(least, risk);
    }
    CHECK(chosen.shape == tried.points[best].shape);
    CHECK(chosen.point == tried.points[best].point);
    // Whatever is known of the samples that are left out, but for how many there are of each class.
    LabelledRegions other;
    for (const Index row : held) {
      other.samples.spectra.row(row).setZero();
    }
    TriedPoints unknown = tried;
    for (TriedPoint& point : unknown.points) {
      point.risks(held).setRandom();
    }
    const TriedPoint same = choice_without(held, other.all(), unknown, data.options, count);
    CHECK(same.shape == chosen.shape);
    CHECK(same.point == chosen.point);
  }
  CHECK(repeated);
}

TEST_CASE("the design of a fold is what would have been chosen without its units") {
  const SampleSet samples = toy::labelled_regions(6, 2);
  const ClassifierDesign design = design_of(train_one_vs_all(samples, {}, {}));
  const std::vector<SampleUnit> units = units_of(samples.places);
  // Every second sample is in the folds, and the choice was made on all.
  const Indices rows = filtered(consecutive(samples.size()), [](Index i) { return i % 2 == 0; });
  const SampleSet half = subset(samples, rows);
  const std::vector<FoldRows> folds = left_out_folds(view(half), {}, {.repeats = 1});
  REQUIRE(folds.size() == static_cast<std::size_t>(kFolds));
  const LabelledSpectra all = view(samples);
  CHECK(chosen_without(folds, rows, all, {}, design, {}).size() == 1);
  // The first point risks nothing but in the units of the second fold, also at the samples that are in no fold.
  TriedPoints tried{consecutive(samples.size()), {{{0.25, 1}, {2, 30}, Vector::Zero(samples.size())}}};
  tried.points.push_back({{0, 0}, {5, 700}, Vector::Ones(samples.size())});
  const std::vector<SampleUnit> left = values_at(units, values_at(rows, folds[1].test));
  for (std::size_t i = 0; i < units.size(); ++i) {
    tried.points[0].risks(static_cast<Index>(i)) = std::ranges::count(left, units[i]) > 0 ? 1000 : 0;
  }
  const std::vector<ClassifierDesign> designs = chosen_without(folds, rows, all, tried, design, {});
  REQUIRE(designs.size() == folds.size());
  for (std::size_t fold = 0; fold < folds.size(); ++fold) {
    const TriedPoint& best = tried.points[fold == 1 ? 0 : 1];
    CHECK(designs[fold].shape == best.shape);
    CHECK(designs[fold].width == best.point.width);
    CHECK(designs[fold].C == std::vector<double>(4, best.point.C));
  }
  // Each fold is classified by classifiers of its own design.
  const Matrix values = left_out_decisions(view(half), folds, designs, {.repeats = 1});
  const Matrix one = left_out_decisions(view(half), folds, {designs[1]}, {.repeats = 1});
  const Matrix other = left_out_decisions(view(half), folds, {designs[0]}, {.repeats = 1});
  for (std::size_t fold = 0; fold < folds.size(); ++fold) {
    const Indices& held = folds[fold].test;
    CHECK(values(held, Eigen::all) == (fold == 1 ? one : other)(held, Eigen::all));
  }
}

TEST_CASE("classifiers of another design are trained with its metrics and penalties, without profiles") {
  LabelledRegions data;
  const Matrix spectra = data.samples.spectra / 100;
  const LabelledSpectra all{spectra, data.samples.labels, data.places, 3, 4};
  const Progress none;
  TrainingCount count(none, {{"training", 1}});
  LeftOutEvaluation judge(all, data.rows, data.options, count);
  const Matrix features = spectra.rightCols(4);
  double sum = 0;
  for (Index i = 0; i < 36; ++i) {
    sum += (features.rowwise() - features.row(i)).squaredNorm();
  }
  CHECK(judge.profile_distance() == doctest::Approx(sum / (36 * 35)));
  // The Gaussian metric of width 1 is that of the samples left out, whatever their fold.
  const ClassMetric gaussian{Matrix(6, 0), Vector(), 0.01};
  const Matrix scores = judge.scores(ClassifierDesign{{gaussian, gaussian, gaussian}, {100, 100, 100}});
  const Matrix bands = spectra.leftCols(6);
  const Indices folds = folds_of(judge.judgement(scores));
  for (Index fold = 0; fold < kFolds; ++fold) {
    const FoldRows rows = rows_of_fold(folds, fold);
    const RefittedClassifiers classifiers({{gaussian, gaussian, gaussian}, {100, 100, 100}},
                                          bands(rows.train, Eigen::all), values_at(data.samples.labels, rows.train),
                                          {});
    CHECK((classifiers.decisions(bands(rows.test, Eigen::all)) - scores(rows.test, Eigen::all)).cwiseAbs().maxCoeff() <
          1e-6);
  }
}

TEST_CASE("the standard error of a gain is that of the sums over regions") {
  const LabelledRegions data;
  const Progress none;
  TrainingCount count(none, {{"training", 1}});
  LeftOutEvaluation judge(data.all(), data.rows, data.options, count);
  LeftOutEvaluation::Outcome first = judge.best_of({0.5, 0.5}, {{0.5, 10}});
  LeftOutEvaluation::Outcome second = first;
  // Differences of 1 and 0 by turns of regions: 18 regions of two samples, deviations of +-1 from the mean 1/2.
  for (Index i = 0; i < 36; ++i) {
    first.risk.risks(i) = i / 2 % 2 == 0 ? 1 : 0;
    second.risk.risks(i) = 0;
  }
  const ShapeScore score = judge.score({0.5, 0.5}, first, second);
  CHECK(score.gain == doctest::Approx(0.5));
  CHECK(score.gain_error == doctest::Approx(std::sqrt(18.0 / 17 * 18) / 36));
}

TEST_CASE("decision values are combined where labels do not become worse by it") {
  // 24, 9 and 3 samples, which balanced weights make count the same.
  LabelledRegions data;
  std::vector<int>& labels = data.samples.labels;
  Vector weights(36);
  for (std::size_t i = 0; i < 36; ++i) {
    labels[i] = i < 24 ? 0 : i < 33 ? 1 : 2;
    weights(static_cast<Index>(i)) = 12.0 / (i < 24 ? 24 : i < 33 ? 9 : 3);
  }
  data.options.class_weights = ClassWeights::balanced;
  const Progress none;
  TrainingCount count(none, {{"training", 1}});
  LeftOutEvaluation judge(data.all(), data.rows, data.options, count);
  LeftOutEvaluation::Outcome outcome = judge.best_of({0.5, 0.5}, {{0.5, 10}});
  const std::vector<SampleUnit> of_region =
      mapped<SampleUnit>(data.places, [](const SamplePlace& place) { return place.unit; });
  const auto right = [&](const Matrix& scores) { return left_out_correct(scores, labels); };
  Index kept = 0;
  Index refused = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    // The small class is hardly known from the large one, which is right by a little.
    Random random(seed);
    outcome.scores = 0.1 * random.normal_matrix(36, 3);
    for (Index i = 0; i < 36; ++i) {
      outcome.scores(i, labels[static_cast<std::size_t>(i)]) += i < 33 ? 0.3 : 0.2;
      outcome.scores(i, 0) += i < 33 ? 0 : 0.4;
    }
    outcome.risk = left_out_risk(outcome.scores, labels, weights);
    const Judgement judgement = judge.combined_judgement(outcome.scores, outcome, outcome.scores);
    // As it is judged: by a stiffer matrix than the one that is kept.
    const Matrix stiff = fit_combination(outcome.scores, labels, weights, outcome.risk.slope, 100);
    const Vector change = right(combined(stiff, outcome.scores)) - right(outcome.scores);
    const double fall = -change.mean() - standard_error(change, Vector::Ones(36), of_region);
    kept += judgement.combination.size() > 0 ? 1 : 0;
    refused += judgement.combination.size() == 0 && fall > 0 ? 1 : 0;
    CHECK((judgement.combination.size() == 0 || fall <= 0));
  }
  CHECK(kept > 0);
  CHECK(refused > 0);
}

}  // namespace parsimap::test
