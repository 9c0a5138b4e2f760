#include "parsimap/classifier/validation.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/classifier/predictor.hpp"
#include "parsimap/classifier/train.hpp"

#include "support/toy_model.hpp"
#include "support/toy_samples.hpp"

namespace parsimap::test {
namespace {

// Three classes in groups of six samples each.
SampleSet grouped_samples() {
  SampleSet samples = toy::three_classes(30, 4);
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    samples.places[i].unit.number = static_cast<std::int64_t>(100 * samples.labels[i] + static_cast<int>(i / 18));
  }
  return samples;
}

FoldPlan plan_of(const SampleSet& samples, Index folds, Index repeats = 1) {
  return plan_folds(samples.labels, samples.classes.size(), units_of(samples.places), {},
                    {.folds = folds, .repeats = repeats, .buffer = 0, .seed = 2});
}

// A fold done by hand: train on a copy of its samples, label its test samples.
CountMatrix confusion_by_hand(const SampleSet& samples, const Fold& fold) {
  const Model model = train_one_vs_all(subset(samples, fold.train), toy::one_shape(), {});
  const SampleSet test = subset(samples, fold.test);
  Spectra values;
  Predictor(model).decision_values(test.spectra.cast<float>(), 1, values);
  CountMatrix confusion = CountMatrix::Zero(3, 3);
  for (Index i = 0; i < values.rows(); ++i) {
    Index best = 0;
    for (Index c = 1; c < 3; ++c) {
      best = values(i, c) > values(i, best) ? c : best;
    }
    ++confusion(test.labels[static_cast<std::size_t>(i)], best);
  }
  return confusion;
}

bool same_results(const Validation& a, const Validation& b) {
  return std::equal(a.results.begin(), a.results.end(), b.results.begin(), b.results.end(),
                    [](const ValidationFold& x, const ValidationFold& y) {
                      return x.repeat == y.repeat && x.number == y.number && x.confusion == y.confusion &&
                             x.training_pixels == y.training_pixels;
                    });
}

}  // namespace

TEST_CASE("the pooled matrix is the sum over folds and repeats") {
  Validation validation;
  validation.results.resize(3);
  validation.results[0].confusion = CountMatrix::Identity(2, 2);
  validation.results[1].confusion = CountMatrix::Constant(2, 2, 3);
  validation.results[2].confusion = CountMatrix::Zero(2, 2);
  CountMatrix expected(2, 2);
  expected << 4, 3, 3, 4;
  CHECK(validation.pooled() == expected);
}

TEST_CASE("every fold is a training of its own, tested on what it has not seen") {
  const SampleSet samples = grouped_samples();
  const FoldPlan plan = plan_of(samples, 3, 2);
  double last = 0;
  const Validation validation = validate(samples, plan, toy::one_shape(), 1, [&](double fraction) {
    CHECK(fraction >= last);
    last = fraction;
  });
  CHECK(last == doctest::Approx(1.0));
  CHECK(validation.folds == 3);
  CHECK(validation.repeats == 2);
  CHECK(validation.groups == 15);
  REQUIRE(validation.results.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(validation.results[i].confusion == confusion_by_hand(samples, plan.folds[i]));
    CHECK(validation.results[i].training_pixels == static_cast<Index>(plan.folds[i].train.size()));
  }
  CHECK(validation.pooled().sum() == 2 * samples.size());
  CHECK(validation.pooled().diagonal().sum() > validation.pooled().sum() / 2);
}

TEST_CASE("folds of samples with profiles are trained and tested with them") {
  SampleSet samples = toy::four_classes(40, 5, 5, 3);
  const FoldPlan plan = plan_of(samples, 2);
  const CountMatrix with = validate(samples, plan, toy::one_shape(), 1, {}).pooled();
  CHECK(with.diagonal().sum() > with.sum() * 9 / 10);
  samples.profiles.resize(samples.size(), 0);
  const CountMatrix without = validate(samples, plan, toy::one_shape(), 1, {}).pooled();
  CHECK(without.diagonal().sum() < without.sum() * 6 / 10);
}

TEST_CASE("validation does not depend on how many folds are in work, nor on threads") {
  const SampleSet samples = grouped_samples();
  const FoldPlan plan = plan_of(samples, 5);
  const Validation one = validate(samples, plan, toy::one_shape(), 1, {});
  TrainingOptions threads = toy::one_shape();
  threads.threads = 3;
  CHECK(same_results(one, validate(samples, plan, threads, 1, {})));
  CHECK(same_results(one, validate(samples, plan, threads, 4, {})));
}

TEST_CASE("a class without training samples in a fold is neither predicted nor counted") {
  SampleSet samples = grouped_samples();
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    SampleUnit& unit = samples.places[i].unit;
    unit.number = samples.labels[i] == 1 ? 7 : unit.number;  // class b has one group
  }
  const FoldPlan plan = plan_of(samples, 4);
  const Validation validation = validate(samples, plan, toy::one_shape(), 2, {});
  REQUIRE(validation.results.size() == 4);
  CHECK(validation.pooled().row(1).sum() == 0);
  Index untested = 0;
  for (const ValidationFold& fold : validation.results) {
    untested += fold.untested_pixels;
    CHECK((fold.untested_pixels == 0 || fold.confusion.col(1).sum() == 0));
  }
  CHECK(untested == 30);
}

TEST_CASE("a listener that throws stops the validation") {
  const SampleSet samples = grouped_samples();
  CHECK_THROWS_AS(
      validate(samples, plan_of(samples, 3), toy::one_shape(), 2, [](double) { throw std::runtime_error("stop"); }),
      std::runtime_error);
}

TEST_CASE("memory grows with the folds in work") {
  const SampleSet samples = grouped_samples();
  const FoldPlan plan = plan_of(samples, 3);
  const std::int64_t all = training_bytes(samples.size(), 10, {});
  CHECK(folds_at_once(samples, plan, {}, 8, 2 * all) >= 2);
  CHECK(folds_at_once(samples, plan, {}, 1, 2 * all) == 1);
  CHECK(folds_at_once(samples, plan, {}, 8, 1) == 1);
  CHECK(folds_at_once(samples, plan, {}, 8, 100 * all) == std::min<int>(8, static_cast<int>(plan.folds.size())));
}

}  // namespace parsimap::test
