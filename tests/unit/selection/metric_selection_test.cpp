#include "parsimap/selection/metric_selection.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/kernel/metric_shape.hpp"
#include "parsimap/samples/class_weights.hpp"
#include "parsimap/validation/left_out.hpp"
#include "parsimap/validation/left_out_evaluation.hpp"
#include "parsimap/validation/left_out_risk.hpp"

#include "support/toy_problems.hpp"
#include "support/toy_samples.hpp"

namespace parsimap::test {

namespace {

struct LabelledMatrix {
  Matrix spectra;
  std::vector<int> labels;
  std::vector<SamplePlace> places;

  [[nodiscard]] LabelledSpectra view() const { return {spectra, labels, places, 3}; }
};

// Three classes, each of which varies strongly along two directions of its own; regions of `size` samples that share
// where they lie along these.
LabelledMatrix own_directions(Index per_class, Index size, std::uint64_t seed) {
  const Index bands = 20;
  Random random(seed);
  LabelledMatrix data{Matrix(3 * per_class, bands), {}, {}};
  for (Index i = 0; i < 3 * per_class; ++i) {
    const int c = static_cast<int>(i / per_class);
    const Matrix directions = toy::orthonormal(bands, 2, 70 + static_cast<std::uint64_t>(c));
    const std::int64_t region = i / size;
    Random of_region(seed + 1, static_cast<std::uint64_t>(region));
    const Matrix place = 8 * of_region.normal_matrix(1, 2) + random.normal_matrix(1, 2);
    data.spectra.row(i) = place * directions.transpose() + 0.4 * random.normal_matrix(1, bands);
    data.spectra(i, 2 * c) += 1.5;
    data.labels.push_back(c);
    data.places.push_back({i, region, {region}});
  }
  return data;
}

// What left-out samples are at a point, be it chosen by them or not.
LeftOutEvaluation::Outcome outcome_at(const LabelledSpectra& samples, const MetricShape& shape,
                                      const TrainingPoint& point) {
  const Progress none;
  TrainingCount count(none, {{"training", 1}});
  const EvaluationOptions options;
  LeftOutEvaluation evaluation(samples, consecutive(samples.spectra.rows()), options, count);
  return evaluation.best_of(shape, {point});
}

}  // namespace

TEST_CASE("metric selection: classes that vary along directions of their own get a metric that follows them") {
  const LabelledMatrix data = own_directions(60, 6, 2);
  const MetricSelection selection = select_metric(data.view(), {});
  CHECK(selection.shape.damping > 0);
  CHECK(selection.shape.blend > 0);
  REQUIRE(selection.scan.size() == metric_shapes(KernelFamily::hdda).size());
  const auto gaussian = std::find_if(selection.scan.begin(), selection.scan.end(), [](const ShapeScore& score) {
    return score.shape == MetricShape{0, 0};
  });
  CHECK(gaussian->gain < -gaussian->gain_error);
  MetricSelectionOptions options;
  options.family = KernelFamily::gaussian;
  const MetricSelection plain = select_metric(data.view(), options);
  CHECK(plain.shape == MetricShape{0, 0});
  CHECK(plain.judgement.scores.accuracy < selection.judgement.scores.accuracy - 0.05);
}

TEST_CASE("metric selection: standardised shapes are those of standardised spectra, and need a clear gain, too") {
  LabelledMatrix data = own_directions(60, 6, 2);
  const MetricSelection of_standardised = select_metric(data.view(), {});
  // Bands of very different sizes hide what the factors bring back.
  Vector factors = Vector::Ones(data.spectra.cols());
  factors(1) = 1.0 / 64;
  factors(5) = 128;
  data.spectra = data.spectra * factors.cwiseInverse().asDiagonal();
  LabelledSpectra hidden = data.view();
  hidden.standardising = factors;
  const MetricSelection both = select_metric(hidden, {});
  const std::size_t count = metric_shapes(KernelFamily::hdda).size();
  REQUIRE(both.scan.size() == 2 * count);
  CHECK(both.shape.standardised);
  CHECK(both.judgement.scores.accuracy > of_standardised.judgement.scores.accuracy - 0.02);
  for (std::size_t i = 0; i < count; ++i) {
    CHECK(both.scan[i].shape == metric_shapes(KernelFamily::hdda)[i]);
    MetricShape twin = both.scan[i].shape;
    twin.standardised = true;
    CHECK(both.scan[count + i].shape == twin);
  }
  // A shape that got no further than the scan has the same risk as in a selection on the standardised spectra.
  for (std::size_t i = 0; i < count; ++i) {
    const ShapeScore& twin = both.scan[count + i];
    if (twin.samples == of_standardised.scan[i].samples && twin.point == of_standardised.scan[i].point) {
      CHECK(twin.risk == doctest::Approx(of_standardised.scan[i].risk).epsilon(1e-9));
    }
  }
  hidden.standardising = Vector::Ones(data.spectra.cols());
  CHECK_FALSE(select_metric(hidden, {}).shape.standardised);
}

TEST_CASE("metric selection: classes that differ inside a subspace alone, among many bands of noise") {
  // Two strong bands hold a checkerboard of two classes; 150 others are noise.
  Random random(12);
  LabelledMatrix data{random.normal_matrix(300, 152), {}, {}};
  for (Index i = 0; i < 300; ++i) {
    const bool left = random.uniform() < 0.5;
    const bool low = random.uniform() < 0.5;
    data.spectra(i, 0) += left ? -4 : 4;
    data.spectra(i, 1) += low ? -4 : 4;
    data.labels.push_back(left == low ? 0 : 1);
    data.places.push_back({i, i, {i}});
  }
  const MetricSelection selection = select_metric({data.spectra, data.labels, data.places, 2}, {});
  CHECK_FALSE(selection.shape.rest);
  CHECK(selection.judgement.scores.accuracy > 0.95);
}

TEST_CASE("metric selection: the accuracy of left-out regions is that of new regions, not that of known ones") {
  const LabelledMatrix data = own_directions(60, 6, 2);
  LabelledMatrix pixels = data;
  pixels.places = with_units(data.places, single_units(data.places));
  MetricSelectionOptions options;
  options.family = KernelFamily::gaussian;
  const Judgement by_region = select_metric(data.view(), options).judgement;
  const Judgement by_pixel = select_metric(pixels.view(), options).judgement;
  CHECK(by_region.scores.by_region == std::vector<bool>(3, true));
  CHECK(by_region.scores.units == 30);
  CHECK(by_pixel.scores.units == 180);
  CHECK(by_region.scores.accuracy < by_pixel.scores.accuracy - 0.05);
}

TEST_CASE(
    "metric selection: the accuracy of noise is that of chance, since left-out samples have no part in the choice") {
  constexpr int kDraws = 24;
  double printed = 0;
  double chosen = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    Random random(static_cast<std::uint64_t>(100 + draw));
    LabelledMatrix data{random.normal_matrix(45, 8), {}, {}};
    for (Index i = 0; i < 45; ++i) {
      data.labels.push_back(static_cast<int>(i % 3));
      data.places.push_back({i, i, {i}});
    }
    const MetricSelection selection = select_metric(data.view(), {});
    printed += selection.judgement.scores.accuracy / kDraws;
    chosen += (1 - outcome_at(data.view(), selection.shape, selection.point).errors) / kDraws;
  }
  // A share of 45 right by chance has the standard deviation 0.07, and the mean of the draws 0.0144.
  CHECK(std::abs(printed - 1.0 / 3) < 3 * 0.0144);
  CHECK(chosen > printed + 0.03);
}

TEST_CASE("metric selection: decision values are combined where enough units are left out") {
  // Narrow classes inside a broad one, whose classifier is less sure of its samples than theirs are.
  LabelledMatrix data = own_directions(100, 1, 2);
  data.spectra = Random(3).normal_matrix(300, 6);
  data.spectra.topRows(100) *= 3;
  data.spectra.middleRows(100, 100).col(0).array() += 1;
  const MetricSelectionOptions options;
  const Judgement many = select_metric(data.view(), options).judgement;
  CHECK(many.scores.units == 300);
  CHECK(many.combination.rows() == 3);
  CHECK(many.combination.cols() == 3);
  for (SamplePlace& place : data.places) {
    place.unit.number /= 34;
  }
  const Judgement few = select_metric(data.view(), options).judgement;
  CHECK(few.scores.units == 9);
  CHECK(few.combination.size() == 0);
}

TEST_CASE(
    "metric selection: the choice is in the scan, inside the bounds, and no other compared has a clearly lower risk") {
  const LabelledMatrix data = own_directions(40, 4, 6);
  const MetricSelection selection = select_metric(data.view(), {});
  const auto chosen = std::find_if(selection.scan.begin(), selection.scan.end(),
                                   [&](const ShapeScore& score) { return score.shape == selection.shape; });
  REQUIRE(chosen != selection.scan.end());
  CHECK(chosen->risk == selection.risk);
  CHECK(chosen->point == selection.point);
  CHECK(selection.point.width >= 0.1);
  CHECK(selection.point.C >= 10);
  CHECK(selection.point.C <= 1e4);
  CHECK(selection.scan.front().gain == 0);
  CHECK(chosen->gain >= 0);
  for (const ShapeScore& score : selection.scan) {
    CHECK((score.samples < chosen->samples || score.risk > chosen->risk - kLeastGain));
  }
  CHECK(selection.classifiers > 0);
}

TEST_CASE("metric selection: nothing more is compared where nothing is left to gain") {
  LabelledMatrix data{Random(4).normal_matrix(300, 8), {}, {}};
  for (Index i = 0; i < 300; ++i) {
    data.labels.push_back(static_cast<int>(i % 3));
    data.places.push_back({i, i, {i}});
    data.spectra(i, i % 3) += 40;
  }
  const MetricSelection selection = select_metric(data.view(), {});
  CHECK(selection.scan.size() == 1);
  CHECK(selection.shape == metric_shapes(KernelFamily::hdda).front());
  CHECK(selection.classifiers < 16 * 15 + 3 * 15);  // the grid of one shape, and two judgements
  CHECK(selection.judgement.scores.accuracy == 1);
  // One wrong label is enough to compare all.
  data.labels.front() = 1;
  CHECK(select_metric(data.view(), {}).scan.size() == metric_shapes(KernelFamily::hdda).size());
}

#ifndef PARSIMAP_SANITIZED  // too slow there
namespace {

// Spectra of so many classes in six bands, `per_class` of each, which overlap a little.
LabelledMatrix many_classes(Index classes, Index per_class) {
  LabelledMatrix data{Random(8).normal_matrix(classes * per_class, 6), {}, {}};
  const Matrix means = 4 * Random(9).normal_matrix(classes, 6);
  for (Index i = 0; i < data.spectra.rows(); ++i) {
    data.spectra.row(i) += means.row(i / per_class);
    data.labels.push_back(static_cast<int>(i / per_class));
    data.places.push_back({i, i, {i}});
  }
  return data;
}

MetricSelection selection_of(const LabelledMatrix& data, std::size_t classes, int threads) {
  MetricSelectionOptions options;
  options.threads = threads;
  return select_metric({data.spectra, data.labels, data.places, classes}, options);
}

}  // namespace

TEST_CASE("metric selection: of many classes thirty choose the settings, and all are judged") {
  const auto classes = static_cast<Index>(kComparedClasses) + 10;
  const LabelledMatrix data = many_classes(classes, 6);
  const MetricSelection one = selection_of(data, kComparedClasses + 10, 1);
  const MetricSelection two = selection_of(data, kComparedClasses + 10, 2);
  CHECK(one.shape == two.shape);
  CHECK(one.point == two.point);
  CHECK(one.risk == two.risk);
  CHECK(one.judgement.scores.confusion == two.judgement.scores.confusion);
  CHECK(one.judgement.softmax_slope == two.judgement.softmax_slope);
  for (const ShapeScore& score : one.scan) {
    CHECK(score.samples == 6 * static_cast<Index>(kComparedClasses));
  }
  CHECK(one.judgement.scores.samples == 6 * classes);
  CHECK(one.judgement.scores.confusion->rowwise().sum() == CountMatrix::Constant(classes, 1, 6).col(0));
  CHECK(one.judgement.own_probabilities.size() == kComparedClasses + 10);
  CHECK(one.judgement.scores.accuracy > 0.7);
  const MetricSelection quick =
      quick_metric({data.spectra, data.labels, data.places, kComparedClasses + 10}, MetricSelectionOptions{});
  CHECK(quick.scan.front().samples == 6 * static_cast<Index>(kComparedClasses));
  CHECK(quick.judgement.scores.samples == 6 * classes);
}

TEST_CASE("metric selection: the classifiers of many classes are those of thirty, and some for each class and fold") {
  // The number that is trained counts the work, as the samples of each grow with their number alone.
  const auto trained = [](Index classes) {
    const LabelledMatrix data = many_classes(classes, 6);
    const LabelledSpectra samples{data.spectra, data.labels, data.places, static_cast<std::size_t>(classes)};
    MetricSelectionOptions options;
    options.family = KernelFamily::gaussian;
    return select_metric(samples, options).classifiers;
  };
  const auto compared = static_cast<Index>(kComparedClasses);
  // The scan and two rounds of steps at most; and the judgements, of at most every C.
  constexpr Index kPoints = 16 + 2 * 5;
  constexpr Index kPenalties = 7;
  CHECK(trained(compared + 1) <= kFolds * (compared * kPoints + kPenalties * (compared + 1)));
  CHECK(trained(2 * compared) <= kFolds * (compared * kPoints + kPenalties * 2 * compared));
}

TEST_CASE("metric selection: the work that is expected grows with the square of the number of classes") {
  const auto expected = [](Index classes) {
    const LabelledMatrix data = many_classes(classes, 9);
    return selection_operations({data.spectra, data.labels, data.places, static_cast<std::size_t>(classes)}, {});
  };
  CHECK(expected(320) < 4.1 * expected(160));
  CHECK(expected(160) < 4.1 * expected(80));
}

TEST_CASE("metric selection: the race stops where effort ends") {
  const LabelledMatrix data = own_directions(400, 8, 3);
  MetricSelectionOptions options;
  options.effort = 0;
  const MetricSelection none = select_metric(data.view(), options);
  for (const ShapeScore& score : none.scan) {
    CHECK(score.samples <= kSelectionSamples + 2);
  }
}
#endif

TEST_CASE("metric selection: the same for any number of threads") {
  const LabelledMatrix data = own_directions(30, 3, 4);
  MetricSelectionOptions options;
  const MetricSelection one = select_metric(data.view(), options);
  options.threads = 3;
  const MetricSelection three = select_metric(data.view(), options);
  CHECK(one.risk == three.risk);
  CHECK(one.shape == three.shape);
  CHECK(one.point == three.point);
  CHECK(one.judgement.softmax_slope == three.judgement.softmax_slope);
}

TEST_CASE("metric selection: progress rises, and what it throws stops the search") {
  LabelledMatrix data = own_directions(20, 2, 4);
  std::swap(data.labels.front(), data.labels.back());  // so that something is left to gain
  std::vector<double> seen;
  MetricSelectionOptions options;
  options.progress = [&](double fraction) { seen.push_back(fraction); };
  // The weights of the steps follow the speed that is measured. So that the test does not depend on the load of the
  // computer, one of several runs has to begin near 0 and to have small steps.
  const auto is_even = [&] {
    const auto is_large = [](double before, double after) { return after - before >= 0.25; };
    return seen.front() < 0.05 && seen.back() > 0.5 && std::ranges::adjacent_find(seen, is_large) == seen.end();
  };
  bool even = false;
  for (int run = 0; run < 10 && !even; ++run) {
    seen.clear();
    select_metric(data.view(), options);
    CHECK(std::is_sorted(seen.begin(), seen.end()));
    CHECK(seen.front() >= 0);
    CHECK(seen.back() <= 1);
    even = is_even();
  }
  CHECK(even);
  options.progress = [](double) { throw std::runtime_error("stop"); };
  CHECK_THROWS_AS(select_metric(data.view(), options), std::runtime_error);
}

TEST_CASE("left-out judgement: designs that are the selected metric get the accuracy of the selection") {
  const LabelledMatrix data = own_directions(30, 3, 8);
  MetricSelectionOptions options;
  options.family = KernelFamily::gaussian;
  const MetricSelection selection = select_metric(data.view(), options);
  // The Gaussian metric does not depend on the fold but for its scale, which regions of all folds share nearly.
  const double trace = (data.spectra.rowwise() - data.spectra.colwise().mean()).squaredNorm() / 90;
  const ClassMetric metric{Matrix(20, 0), Vector(), selection.point.width / trace};
  const Judgement judged = judge_left_out(data.view(), {{metric, metric, metric}, {100, 100, 100}}, options);
  CHECK(judged.scores.accuracy > 1.0 / 3);
  CHECK(judged.scores.units == selection.judgement.scores.units);
  CHECK(judged.softmax_slope > 0);
}

TEST_CASE("metric selection: the risk of balanced classes, and the overall accuracy beside it") {
  const LabelledMatrix all = own_directions(60, 6, 2);
  LabelledMatrix data;
  Indices rows;
  for (Index i = 0; i < 180; ++i) {
    if (i < 120 || i % 6 == 0) {  // 60, 60 and 10
      rows.push_back(i);
      data.labels.push_back(all.labels[static_cast<std::size_t>(i)]);
      data.places.push_back({i, 0, {all.places[static_cast<std::size_t>(i)].unit.number / 4}});
    }
  }
  // The small class is known by noise alone.
  data.spectra = all.spectra(rows, Eigen::all);
  data.spectra.bottomRows(10) = data.spectra.topRows(10).array() + 0.1;
  MetricSelectionOptions options;
  const MetricSelection plain = select_metric(data.view(), options);
  options.class_weights = ClassWeights::automatic;
  const MetricSelection chosen = select_metric(data.view(), options);
  options.class_weights = ClassWeights::balanced;
  const MetricSelection balanced = select_metric(data.view(), options);
  // Its errors are many of its few samples.
  CHECK(balanced.risk > plain.risk + 0.1);
  CHECK(chosen.shape == plain.shape);
  const std::optional<BalancedWeights>& effect = chosen.judgement.scores.balanced;
  REQUIRE(effect);
  CHECK(effect->samples == 130);
  // All samples are evaluated: accuracies without weights are those of the choice.
  const LeftOutEvaluation::Outcome outcome = outcome_at(data.view(), plain.shape, plain.point);
  const CountMatrix counts = left_out_confusion(outcome.scores, data.labels);
  const Vector shares = counts.diagonal().cast<double>().cwiseQuotient(Vector(counts.rowwise().sum().cast<double>()));
  CHECK(effect->overall_without == doctest::Approx(1 - outcome.errors));
  CHECK(effect->average_without == doctest::Approx(shares.mean()));
  CHECK(effect->average_accuracy != effect->average_without);
  CHECK(effect->average_error > 0);
  CHECK(chosen.class_weights == (effect->better() ? ClassWeights::balanced : ClassWeights::none));
  CHECK(plain.class_weights == ClassWeights::none);
  CHECK_FALSE(plain.judgement.scores.balanced);
  CHECK_FALSE(balanced.judgement.scores.balanced);
  options.class_weights = ClassWeights::automatic;
  CHECK_FALSE(select_metric(all.view(), options).judgement.scores.balanced);
  for (const MetricSelection& selection : {plain, balanced}) {
    const double right = 130 * selection.judgement.scores.accuracy;
    CHECK(selection.judgement.scores.samples == 130);
    CHECK(right < 130);
    CHECK(std::abs(right - std::round(right)) < 1e-9);
  }
}

namespace {

// Scaled spectra of samples, followed by their profiles.
Matrix columns_of(const SampleSet& samples) {
  Matrix columns(samples.size(), samples.spectra.cols() + samples.profiles.cols());
  columns << (samples.spectra.array() - 3000) / 300, samples.profiles;
  return columns;
}

MetricSelection selection_of(const SampleSet& samples, int threads = 1) {
  MetricSelectionOptions options;
  options.family = KernelFamily::gaussian;
  options.threads = threads;
  const Matrix columns = columns_of(samples);
  return select_metric({columns, samples.labels, samples.places, samples.classes.size(), samples.profiles.cols()},
                       options);
}

double expected_operations(const SampleSet& samples) {
  const Matrix columns = columns_of(samples);
  return selection_operations(
      {columns, samples.labels, samples.places, samples.classes.size(), samples.profiles.cols()}, {});
}

}  // namespace

TEST_CASE("profiles: the share is large where they alone tell classes apart, and spectra are kept where both do") {
  const SampleSet four = toy::four_classes(60, 4, 4, 1);
  const MetricSelection by_profile = selection_of(toy::two_of_four(four, 0, 1));
  REQUIRE(by_profile.profile);
  CHECK(by_profile.profile->kept());
  CHECK(by_profile.profile->accuracy > by_profile.profile->spectra_accuracy + 0.3);
  CHECK(by_profile.profile->gain > 5 * by_profile.profile->gain_error);
  CHECK(by_profile.point.share > 0.6);
  CHECK(by_profile.point == by_profile.profile->point);
  const MetricSelection by_both = selection_of(four);
  REQUIRE(by_both.profile);
  CHECK(by_both.profile->kept());
  CHECK(by_both.profile->accuracy > 0.9);
  CHECK(by_both.profile->spectra_accuracy < 0.6);
  CHECK(by_both.point.share > 0.2);
  CHECK(by_both.point.share < 0.95);
  const Matrix columns = columns_of(four);
  const LeftOutEvaluation::Outcome outcome =
      outcome_at({columns, four.labels, four.places, 4, four.profiles.cols()}, by_both.shape, by_both.point);
  CHECK(by_both.profile->accuracy == 1 - outcome.errors);
}

TEST_CASE("profiles: where spectra alone tell classes apart, profiles are left or have a small share") {
  const MetricSelection selection = selection_of(toy::two_of_four(toy::four_classes(60, 4, 4, 2), 0, 2));
  REQUIRE(selection.profile);
  CHECK(selection.point.share < 0.5);
  CHECK(selection.point.share == (selection.profile->kept() ? selection.profile->point.share : 0));
  CHECK(selection.judgement.scores.accuracy > 0.95);
}

TEST_CASE("profiles: the same choice for any number of threads") {
  const SampleSet four = toy::four_classes(25, 3, 3, 5);
  const MetricSelection one = selection_of(four);
  const MetricSelection three = selection_of(four, 3);
  CHECK(one.point == three.point);
  CHECK(one.profile == three.profile);
  CHECK(one.risk == three.risk);
}

TEST_CASE("profiles: the unit of features does not matter, and those that do not differ tell nothing") {
  SampleSet four = toy::four_classes(25, 3, 3, 5);
  const MetricSelection one = selection_of(four);
  four.profiles *= 1000;
  const MetricSelection other = selection_of(four);
  REQUIRE(one.profile);
  REQUIRE(other.profile);
  CHECK(one.profile->width == doctest::Approx(other.profile->width).epsilon(1e-6));
  CHECK(one.point.share == doctest::Approx(other.point.share).epsilon(1e-6));
  CHECK(one.point.profile_weight == doctest::Approx(1e6 * other.point.profile_weight).epsilon(1e-6));
  four.profiles.setConstant(7);
  CHECK(!selection_of(four).profile);
}

TEST_CASE("profiles: the scan of shapes is that of the spectra alone, and their choice costs classifiers more") {
  SampleSet four = toy::four_classes(25, 3, 3, 5);
  const MetricSelection with = selection_of(four);
  const double expected_with = expected_operations(four);
  four.profiles.resize(four.size(), 0);
  const MetricSelection without = selection_of(four);
  CHECK(!without.profile);
  REQUIRE(with.scan.size() == without.scan.size());
  CHECK(with.scan[0].risk == without.scan[0].risk);
  CHECK(with.scan[0].point == without.scan[0].point);
  CHECK(with.classifiers > without.classifiers);
  CHECK(expected_with > expected_operations(four));
}

TEST_CASE("criterion: names go both ways, unknown ones are refused") {
  for (const CriterionKind kind : {CriterionKind::leave_one_out, CriterionKind::radius_margin}) {
    CHECK(parse_criterion(to_string(kind)) == kind);
  }
  CHECK_THROWS_WITH_AS(parse_criterion("grid"),
                       "criterion 'grid' is unknown; it must be leave-one-out or radius-margin", ConfigError);
}

TEST_CASE("a quick choice has the first shape and settings that classify left-out samples, in few classifiers") {
  const LabelledMatrix data = own_directions(40, 4, 3);
  const MetricSelectionOptions options;
  const MetricSelection quick = quick_metric(data.view(), options);
  const MetricSelection full = select_metric(data.view(), options);
  CHECK(quick.shape == metric_shapes(options.family).front());
  CHECK(quick.scan.size() == 1);
  CHECK(quick.class_weights == ClassWeights::none);
  CHECK(10 * quick.classifiers < full.classifiers);
  CHECK(quick.judgement.scores.accuracy > full.judgement.scores.accuracy - 0.1);
}

}  // namespace parsimap::test
