#include "parsimap/classifier/class_trainer.hpp"

#include <doctest/doctest.h>

#include "support/toy_model.hpp"
#include "support/toy_samples.hpp"

using namespace parsimap;

TEST_CASE("class trainer: a machine separates its class, and its own decision values say so") {
  const SampleSet samples = toy::three_classes(40, 1);
  TrainingOptions options;
  options.dimension = {DimensionMethod::fixed, 4};
  const ClassTrainer trainer(samples, options);
  const TrainedClass trained = trainer.train(1, {});
  CHECK(trained.machine.samples == 40);
  CHECK(trained.machine.weights.size() == 4);
  CHECK(trained.machine.kkt_violation < 1e-6);
  CHECK(trained.machine.selection.trace.size() > 1);

  // KKT from outside: y - f = g / C on the support, y f >= 1 elsewhere.
  const Vector f = decision_values(trained.machine, trainer.spectra(), trainer.spectra());
  Vector g = Vector::Zero(samples.size());
  g(trained.machine.support) = trained.machine.coefficients;
  for (Index i = 0; i < samples.size(); ++i) {
    const double y = samples.labels[static_cast<std::size_t>(i)] == 1 ? 1 : -1;
    if (g(i) == 0) {
      CHECK(y * f(i) >= 1 - 1e-6);
    } else {
      CHECK(y - f(i) == doctest::Approx(g(i) / trained.machine.C).epsilon(1e-6));
    }
  }
}

TEST_CASE("class trainer: the final fit alone repeats what training ended with") {
  const SampleSet samples = toy::three_classes(30, 4);
  const ClassTrainer trainer(samples, {});
  const TrainedClass trained = trainer.train(0, {});
  Selection selection;
  selection.parameters = {{trained.machine.weights, trained.machine.isotropic_weight}, trained.machine.C};
  const TrainedClass fitted = trainer.fit(0, selection);
  CHECK(fitted.machine.support == trained.machine.support);
  CHECK(fitted.machine.coefficients == trained.machine.coefficients);
  CHECK(fitted.left_out == trained.left_out);
}

TEST_CASE("class trainer: a machine too large to factorise is the same, its leave-one-out values nearly") {
  const SampleSet samples = toy::three_classes(120, 4);
  TrainingOptions options;
  const TrainedClass direct = ClassTrainer(samples, options).train(0, {});
  options.largest_factor = 10;
  const TrainedClass iterative = ClassTrainer(samples, options).train(0, {});
  CHECK(iterative.machine.solver_stop == "optimal");
  CHECK(iterative.machine.support == direct.machine.support);
  CHECK((iterative.machine.coefficients - direct.machine.coefficients).norm() <
        1e-6 * direct.machine.coefficients.norm());
  CHECK((iterative.left_out - direct.left_out).cwiseAbs().maxCoeff() < 0.01 * direct.left_out.cwiseAbs().maxCoeff());
}

TEST_CASE("class trainer: the caller can stop at an evaluation") {
  const SampleSet samples = toy::three_classes(30, 4);
  const ClassTrainer trainer(samples, {});
  CHECK_THROWS_AS((void)trainer.train(0, [] { throw std::runtime_error("stop"); }), std::runtime_error);
}

TEST_CASE("decision values: the double loop, for one spectrum as for many") {
  Model model = toy::random_model(3, 8, 60, 7);
  model.scaling = {Vector::Zero(8), Vector::Ones(8)};
  const Matrix spectra = Random(3).normal_matrix(1100, 8);
  const Matrix expected = toy::naive_decisions(model, spectra);
  for (Index c = 0; c < 3; ++c) {
    const BinaryMachine& machine = model.machines[static_cast<std::size_t>(c)];
    CHECK((decision_values(machine, model.support_spectra, spectra) - expected.col(c)).cwiseAbs().maxCoeff() < 1e-11);
    CHECK(decision_values(machine, model.support_spectra, spectra.topRows(1))(0) ==
          doctest::Approx(expected(0, c)).epsilon(1e-11));
  }
}
