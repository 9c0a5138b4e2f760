#include "experiment/metric_kernel_training.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/matrix_forms.hpp"
#include "parsimap/svm/l2_svm.hpp"

#include "unit/experiment/toy_experiment.hpp"

using namespace parsimap;

namespace {

using Form = MetricKernel::Form;

// Of two scaled spectra, by the definition: the inner product of a metric.
double inner(const ClassMetric& metric, const Vector& x, const Vector& z) {
  double value = metric.rest_weight * x.dot(z);
  for (Index l = 0; l < metric.weights.size(); ++l) {
    value +=
        (metric.weights(l) - metric.rest_weight) * metric.directions.col(l).dot(x) * metric.directions.col(l).dot(z);
  }
  return value;
}

double naive_kernel(const MetricKernel& kernel, const std::vector<TrainedClass>& machines, std::size_t c,
                    const Vector& x, const Vector& z) {
  if (kernel.form == Form::polynomial) {
    const ClassMetric& metric = machines[c].machine.metric;
    return std::pow((inner(metric, x, z) + 1) / std::sqrt((inner(metric, x, x) + 1) * (inner(metric, z, z) + 1)),
                    kernel.degree);
  }
  double sum = 0;
  for (const TrainedClass& other : machines) {
    sum += std::exp(-0.5 * inner(other.machine.metric, x - z, x - z)) / static_cast<double>(machines.size());
  }
  return sum;
}

const std::vector<MetricKernel> kKernels = {{Form::polynomial, 2}, {Form::polynomial, 3}, {Form::sum}};

MetricKernelOptions options_of(const MetricKernel& kernel, const std::string& rule = "fixed:2") {
  return {kernel, parse_dimension_rule(rule), ScalingRule::global, 5};
}

}  // namespace

TEST_CASE("metric kernel training: decisions of optimal machines, against double loops") {
  const Dataset dataset = toy::three_class_dataset();
  const Scaling scaling = fit_scaling(dataset.train.spectra, ScalingRule::global);
  const Matrix train = scaling.apply(dataset.train.spectra);
  const Matrix& raw = dataset.tests[0].samples.spectra;
  const Matrix test = scaling.apply(raw);
  const std::vector<int> classes = {0, 1, 2};
  for (const MetricKernel& kernel : kKernels) {
    const MetricKernelTraining training(dataset.train, options_of(kernel), {});
    const std::vector<TrainedClass> machines = training.train(classes);
    const Matrix decisions = training.decisions(machines, classes, raw);
    REQUIRE(machines.size() == 3);
    for (std::size_t c = 0; c < 3; ++c) {
      const BinaryClassifier& machine = machines[c].machine;
      CHECK(machine.kkt_violation < 1e-6);
      CHECK(machine.C == training.selection().point.C);
      CHECK(machine.selection.value == training.selection().risk);
      CHECK_FALSE(machines[c].trivial);
      Matrix gram(60, 60);
      Vector labels(60);
      for (Index i = 0; i < 60; ++i) {
        labels(i) = dataset.train.labels[static_cast<std::size_t>(i)] == static_cast<int>(c) ? 1 : -1;
        for (Index j = 0; j < 60; ++j) {
          gram(i, j) = naive_kernel(kernel, machines, c, train.row(i), train.row(j));
        }
      }
      const MarginSolution margin = solve_margin(DenseQuadraticForm(gram), labels, machine.C);
      for (Index i = 0; i < test.rows(); ++i) {
        double f = margin.bias;
        for (Index j = 0; j < 60; ++j) {
          f += margin.coefficients(j) * naive_kernel(kernel, machines, c, test.row(i), train.row(j));
        }
        CHECK(decisions(i, static_cast<Index>(c)) == doctest::Approx(f).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("metric kernel training: some of the classes, in the order asked for, have the machines of all") {
  const Dataset dataset = toy::three_class_dataset();
  const Matrix& test = dataset.tests[1].samples.spectra;
  for (const MetricKernel& kernel : kKernels) {
    const MetricKernelTraining training(dataset.train, options_of(kernel), {});
    const Matrix all = training.decisions(training.train({0, 1, 2}), {0, 1, 2}, test);
    const Matrix some = training.decisions(training.train({2, 0}), {2, 0}, test);
    CHECK(some.col(0) == all.col(2));
    CHECK(some.col(1) == all.col(0));
  }
}

TEST_CASE(
    "metric kernel training: units of the bands change nothing, and the dimension may be that of maximum likelihood") {
  const Dataset dataset = toy::three_class_dataset();
  SampleSet moved = dataset.train;
  moved.spectra = 1e-3 * moved.spectra.array() + 7;
  for (const MetricKernel& kernel : kKernels) {
    const MetricKernelTraining training(dataset.train, options_of(kernel, "ml"), {});
    const MetricKernelTraining other(moved, options_of(kernel, "ml"), {});
    const Matrix& test = dataset.tests[1].samples.spectra;
    const Matrix moved_test = 1e-3 * test.array() + 7;
    const std::vector<int> classes = {0, 1, 2};
    const std::vector<TrainedClass> machines = training.train(classes);
    const Matrix a = training.decisions(machines, classes, test);
    const Matrix b = other.decisions(other.train(classes), classes, moved_test);
    CHECK((a - b).cwiseAbs().maxCoeff() < 1e-5);
    CHECK(machines[0].machine.metric.weights.size() >= 1);
  }
}

TEST_CASE("metric kernel training: progress goes up to the choice") {
  const Dataset dataset = toy::three_class_dataset();
  double told = 0;
  const MetricKernelTraining training(dataset.train, options_of(kKernels.front()), [&](double fraction) {
    CHECK(fraction >= told);
    told = fraction;
  });
  CHECK(told > 0);
  CHECK(told <= 1);
}
