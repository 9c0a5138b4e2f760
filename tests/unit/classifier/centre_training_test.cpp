#include "classifier/centre_training.hpp"

#include <doctest/doctest.h>

#include "parsimap/classifier/class_trainer.hpp"
#include "parsimap/core/random.hpp"

#include "support/toy_problems.hpp"
#include "support/toy_samples.hpp"

namespace parsimap::test {
namespace {

// A metric that counts one direction, along which spectra vary a lot, little.
struct Problem {
  Problem() : spectra(Random(1).normal_matrix(500, 8)) {
    spectra.col(0) *= 100;
    rounded = spectra.cast<float>();
    spectra = rounded.cast<double>();
    centres = spectra.topRows(20);
    metric.directions = Matrix::Identity(8, 1);
    metric.weights = Vector::Constant(1, 1e-4);
    metric.rest_weight = 0.2;
  }

  Matrix spectra;
  Spectra rounded;
  Matrix centres;
  ClassMetric metric;
};

template <typename Scalar>
double error_of(const Problem& problem) {
  double counted = 0;
  const CentreForm<Scalar> form(problem.metric, problem.rounded, problem.centres,
                                [&](double operations) { counted += operations; });
  CHECK(form.size() == 500);
  CHECK(form.centres() == 20);
  Matrix values(500, 20);
  form.rows(toy::all_rows(500), values);
  CHECK(counted > 0);
  const MahalanobisKernel kernel(problem.metric);
  CHECK((form.centre_matrix() - kernel.block(problem.centres, problem.centres)).norm() < 1e-12);
  return (values - kernel.block(problem.spectra, problem.centres)).cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("centre form: kernel values of samples and centres, in single and in double precision") {
  const Problem problem;
  CHECK(error_of<float>(problem) < 5e-6);
  CHECK(error_of<double>(problem) < 1e-12);
}

TEST_CASE("centre form: without rest only the directions count") {
  Problem problem;
  problem.metric.rest_weight = 0;
  CHECK(error_of<float>(problem) < 5e-6);
}

TEST_CASE("centre form: a kernel of profiles is added to that of the spectra") {
  Problem problem;
  // The last three columns are features of profiles.
  problem.metric.directions = Matrix::Identity(5, 1);
  problem.metric.profile = {3, 0.6, 0.3};
  CHECK(error_of<float>(problem) < 5e-6);
  CHECK(error_of<double>(problem) < 1e-12);
}

TEST_CASE("centre form: a sample's values do not depend on those it is computed with") {
  const Problem problem;
  const CentreForm<float> form(problem.metric, problem.rounded, problem.centres, {});
  Matrix all(500, 20);
  form.rows(toy::all_rows(500), all);
  Matrix some(3, 20);
  form.rows({499, 7, 150}, some);
  CHECK(some.row(0) == all.row(499));
  CHECK(some.row(1) == all.row(7));
  CHECK(some.row(2) == all.row(150));
}

TEST_CASE("centre training: with all samples as centres, classifiers decide as exact ones do") {
  const SampleSet samples = toy::three_classes(60, 4);
  TrainingOptions options;
  const ClassTrainer trainer(samples, options);
  const std::vector<ClassChoice> choices = trainer.choices(trainer.select_metric({}));
  const CentreTraining training(samples, trainer.spectra(), options, samples.size());
  REQUIRE(training.centres().size() == 180);
  for (int c = 0; c < 3; ++c) {
    const ClassChoice& choice = choices[static_cast<std::size_t>(c)];
    const BinaryClassifier exact = trainer.fit(c, choice, {});
    const BinaryClassifier classifier = training.fit(c, choice, {});
    CHECK(classifier.support == training.centres());
    CHECK(classifier.solver_stop == "optimal");
    CHECK(classifier.kkt_violation < 1e-4);
    CHECK(classifier.samples == exact.samples);
    CHECK(classifier.regions == exact.regions);
    CHECK(classifier.C == exact.C);
    const Vector wanted = decision_values(exact, trainer.spectra(), trainer.spectra());
    const Vector found = decision_values(classifier, trainer.spectra(), trainer.spectra());
    CHECK((found - wanted).cwiseAbs().maxCoeff() < 0.02);
  }
}

TEST_CASE("centre training: a few centres of every class, the same classifier on any number of threads") {
  const SampleSet samples = toy::three_classes(400, 5);
  TrainingOptions options;
  const SampleSet small = toy::three_classes(40, 5);
  const ClassTrainer few(small, options);
  const std::vector<ClassChoice> choices = few.choices(few.select_metric({}));
  const ClassTrainer trainer(samples, options);
  const CentreTraining one(samples, trainer.spectra(), options, 30);
  std::vector<Index> counts(3, 0);
  for (const Index i : one.centres()) {
    ++counts[static_cast<std::size_t>(samples.labels[static_cast<std::size_t>(i)])];
  }
  CHECK(counts == std::vector<Index>{10, 10, 10});
  options.threads = 3;
  const CentreTraining three(samples, trainer.spectra(), options, 30);
  const BinaryClassifier classifier = one.fit(1, choices[1], {});
  const BinaryClassifier same = three.fit(1, choices[1], {});
  CHECK(same.coefficients == classifier.coefficients);
  CHECK(same.bias == classifier.bias);
  CHECK(same.kkt_violation == classifier.kkt_violation);
}

TEST_CASE("centre training: work and memory grow with samples and centres") {
  CHECK(CentreTraining::operations(20000, 50, 100) == doctest::Approx(2 * CentreTraining::operations(10000, 50, 100)));
  CHECK(CentreTraining::operations(10000, 50, 200) > 2 * CentreTraining::operations(10000, 50, 100));
  CHECK(CentreTraining::bytes(1000000, 200, 1000, 2) > 200 * 4 * std::int64_t{1000000});
  CHECK(CentreTraining::bytes(1000000, 200, 1000, 2) < std::int64_t{2} << 30U);
}

}  // namespace parsimap::test
