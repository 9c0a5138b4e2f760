#include "classifier/centre_training.hpp"

#include <doctest/doctest.h>

#include "support/toy_samples.hpp"

using namespace parsimap;

TEST_CASE("centre training: with all samples as centres, machines decide as exact ones do") {
  const SampleSet samples = toy::three_classes(60, 4);
  TrainingOptions options;
  const ClassTrainer trainer(samples, options);
  const std::vector<ClassChoice> choices = trainer.choices(trainer.select_metric({}));
  const CentreTraining training(samples, trainer.spectra(), options, samples.size());
  REQUIRE(training.centres().size() == 180);
  for (int c = 0; c < 3; ++c) {
    const ClassChoice& choice = choices[static_cast<std::size_t>(c)];
    const BinaryMachine exact = trainer.fit(c, choice, {});
    const BinaryMachine machine = training.fit(c, choice, {});
    CHECK(machine.support == training.centres());
    CHECK(machine.solver_stop == "optimal");
    CHECK(machine.kkt_violation < 1e-4);
    CHECK(machine.samples == exact.samples);
    CHECK(machine.regions == exact.regions);
    CHECK(machine.C == exact.C);
    const Vector wanted = decision_values(exact, trainer.spectra(), trainer.spectra());
    const Vector found = decision_values(machine, trainer.spectra(), trainer.spectra());
    CHECK((found - wanted).cwiseAbs().maxCoeff() < 0.02);
  }
}

TEST_CASE("centre training: a few centres of every class, the same machine on any number of threads") {
  const SampleSet samples = toy::three_classes(400, 5);
  TrainingOptions options;
  const ClassTrainer trainer(samples, options);
  const std::vector<ClassChoice> choices = trainer.choices(trainer.select_metric({}));
  const CentreTraining one(samples, trainer.spectra(), options, 30);
  std::vector<Index> counts(3, 0);
  for (const Index i : one.centres()) {
    ++counts[static_cast<std::size_t>(samples.labels[static_cast<std::size_t>(i)])];
  }
  CHECK(counts == std::vector<Index>{10, 10, 10});
  options.threads = 3;
  const CentreTraining three(samples, trainer.spectra(), options, 30);
  const BinaryMachine machine = one.fit(1, choices[1], {});
  const BinaryMachine same = three.fit(1, choices[1], {});
  CHECK(same.coefficients == machine.coefficients);
  CHECK(same.bias == machine.bias);
  CHECK(same.kkt_violation == machine.kkt_violation);
}

TEST_CASE("centre training: work and memory grow with samples and centres") {
  CHECK(CentreTraining::operations(20000, 50, 100) == doctest::Approx(2 * CentreTraining::operations(10000, 50, 100)));
  CHECK(CentreTraining::operations(10000, 50, 200) > 2 * CentreTraining::operations(10000, 50, 100));
  CHECK(CentreTraining::bytes(1000000, 200, 1000, 2) > 200 * 4 * std::int64_t{1000000});
  CHECK(CentreTraining::bytes(1000000, 200, 1000, 2) < std::int64_t{2} << 30U);
}
