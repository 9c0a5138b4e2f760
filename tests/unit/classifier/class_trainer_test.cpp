#include "parsimap/classifier/class_trainer.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/classifier/train.hpp"
#include "parsimap/core/error.hpp"

#include "support/toy_model.hpp"
#include "support/toy_samples.hpp"

using namespace parsimap;

TEST_CASE("class trainer: a classifier separates its class, and its own decision values say so") {
  const SampleSet samples = toy::three_classes(40, 1);
  for (const CriterionKind criterion : {CriterionKind::leave_one_out, CriterionKind::radius_margin}) {
    TrainingOptions options;
    options.criterion = criterion;
    options.dimension = {DimensionMethod::fixed, 4};
    const ClassTrainer trainer(samples, options);
    const ClassChoice choice = criterion == CriterionKind::radius_margin
                                   ? trainer.descend(1, {})
                                   : trainer.choices(trainer.select_metric({}))[1];
    const BinaryClassifier classifier = trainer.fit(1, choice, {});
    CHECK(classifier.samples == 40);
    CHECK(classifier.metric.weights.size() == 4);
    CHECK(classifier.kkt_violation < 1e-6);
    CHECK(classifier.selection.criterion == to_string(criterion));

    // KKT from outside: y - f = g / C on the support, y f >= 1 elsewhere.
    const Vector f = decision_values(classifier, trainer.spectra(), trainer.spectra());
    Vector g = Vector::Zero(samples.size());
    g(classifier.support) = classifier.coefficients;
    for (Index i = 0; i < samples.size(); ++i) {
      const double y = samples.labels[static_cast<std::size_t>(i)] == 1 ? 1 : -1;
      if (g(i) == 0) {
        CHECK(y * f(i) >= 1 - 1e-6);
      } else {
        CHECK(y - f(i) == doctest::Approx(g(i) / classifier.C).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("class trainer: skewed bands are compressed where the scaling is chosen, and otherwise as they are") {
  SampleSet samples = toy::three_classes(40, 1);
  TrainingOptions options;
  CHECK(ClassTrainer(samples, options).scaling().units.size() == 0);
  const Matrix normal = samples.spectra;
  samples.spectra = (normal / std::sqrt((normal.rowwise() - normal.colwise().mean()).cwiseAbs2().mean())).array().exp();
  ClassTrainer trainer(samples, options);
  const Vector units = trainer.scaling().units;
  REQUIRE(units.size() == normal.cols());
  CHECK(trainer.spectra() == fit_scaling(samples.spectra, ScalingRule::global, {}, units).apply(samples.spectra));
  MetricSelection within;
  within.shape.standardised = true;
  trainer.use(within);
  CHECK(trainer.scaling().units == units);
  options.scaling = ScalingRule::global;
  CHECK(ClassTrainer(samples, options).scaling().units.size() == 0);
}

TEST_CASE("class trainer: balanced class weights are those of the final classifier") {
  SampleSet samples = toy::three_classes(40, 1);
  Indices rows;
  for (Index i = 0; i < samples.size(); ++i) {
    if (i % 3 != 1 || i < 24) {
      rows.push_back(i);
    }
  }
  samples = subset(samples, rows);  // 40, 8 and 40
  TrainingOptions options;
  options.class_weights = ClassWeights::balanced;
  const ClassTrainer trainer(samples, options);
  const BinaryClassifier classifier = trainer.fit(1, trainer.choices(trainer.select_metric({}))[1], {});
  CHECK(classifier.kkt_violation < 1e-6);
  const Vector f = decision_values(classifier, trainer.spectra(), trainer.spectra());
  for (std::size_t k = 0; k < classifier.support.size(); ++k) {
    const Index i = classifier.support[k];
    const bool own = samples.labels[static_cast<std::size_t>(i)] == 1;
    const double penalty = classifier.C * 88 / (3.0 * (own ? 8 : 40));
    CHECK((own ? 1 : -1) - f(i) ==
          doctest::Approx(classifier.coefficients(static_cast<Index>(k)) / penalty).epsilon(1e-6));
  }
}

TEST_CASE("class trainer: the radius-margin bound has one C") {
  TrainingOptions options;
  options.criterion = CriterionKind::radius_margin;
  options.class_weights = ClassWeights::balanced;
  CHECK_THROWS_WITH_AS(ClassTrainer(toy::three_classes(10, 1), options),
                       "class weights 'balanced' do not go with the criterion radius-margin, whose bound has one C; "
                       "they must be none",
                       ConfigError);
}

TEST_CASE("class trainer: the two criteria have the two kernel families") {
  const SampleSet samples = toy::three_classes(40, 1);
  TrainingOptions options;
  const ClassTrainer shared(samples, options);
  // The strong direction that all classes share counts less than the rest.
  CHECK(shared.choices(shared.select_metric({}))[0].metric.weights(0) <
        shared.choices(shared.select_metric({}))[0].metric.rest_weight);
  options.criterion = CriterionKind::radius_margin;
  const ClassMetric printed = ClassTrainer(samples, options).descend(0, {}).metric;
  CHECK((printed.weights.array() >= printed.rest_weight).all());
}

TEST_CASE("class trainer: a classifier too large to factorise is the same") {
  const SampleSet samples = toy::three_classes(120, 4);
  TrainingOptions options;
  const ClassTrainer trainer(samples, options);
  const ClassChoice choice = trainer.choices(trainer.select_metric({}))[0];
  const BinaryClassifier direct = trainer.fit(0, choice, {});
  options.largest_factor = 10;
  const BinaryClassifier iterative = ClassTrainer(samples, options).fit(0, choice, {});
  CHECK(iterative.solver_stop == "optimal");
  CHECK(iterative.support == direct.support);
  CHECK((iterative.coefficients - direct.coefficients).norm() < 1e-6 * direct.coefficients.norm());
}

TEST_CASE("class trainer: classifiers of a descent are judged with directions estimated without the fold") {
  const SampleSet samples = toy::three_classes(40, 2);
  TrainingOptions options;
  options.criterion = CriterionKind::radius_margin;
  options.dimension = {DimensionMethod::fixed, 2};
  const ClassTrainer trainer(samples, options);
  const std::vector<ClassChoice> choices = {trainer.descend(0, {}), trainer.descend(1, {}), trainer.descend(2, {})};
  const Judgement judged = trainer.judge(choices, {});
  CHECK(judged.scores.samples == 120);
  CHECK(judged.scores.by_region == std::vector<bool>(3, false));
  CHECK(judged.scores.accuracy > 0.5);
  CHECK(judged.scores.accuracy <= 1);
}

TEST_CASE("class trainer: the caller can stop the work") {
  const SampleSet samples = toy::three_classes(30, 4);
  TrainingOptions options;
  const auto stop = [](double) { throw std::runtime_error("stop"); };
  CHECK_THROWS_AS((void)ClassTrainer(samples, options).select_metric(stop), std::runtime_error);
  options.criterion = CriterionKind::radius_margin;
  CHECK_THROWS_AS((void)ClassTrainer(samples, options).descend(0, stop), std::runtime_error);
}

TEST_CASE("decision values: the double loop, for one spectrum as for many") {
  Model model = toy::random_model(3, 8, 60, 7);
  model.scaling = {Vector::Zero(8), Vector::Ones(8)};
  const Matrix spectra = Random(3).normal_matrix(1100, 8);
  const Matrix expected = toy::naive_decisions(model, spectra);
  for (Index c = 0; c < 3; ++c) {
    const BinaryClassifier& classifier = model.classifiers[static_cast<std::size_t>(c)];
    CHECK((decision_values(classifier, model.support_spectra, spectra) - expected.col(c)).cwiseAbs().maxCoeff() <
          1e-11);
    CHECK(decision_values(classifier, model.support_spectra, spectra.topRows(1))(0) ==
          doctest::Approx(expected(0, c)).epsilon(1e-11));
  }
}
