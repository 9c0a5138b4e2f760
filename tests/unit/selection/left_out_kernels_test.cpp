#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "parsimap/core/quadratic_form.hpp"
#include "parsimap/kernel/metric_kernel.hpp"
#include "parsimap/selection/metric_selection.hpp"
#include "parsimap/svm/margin_problem.hpp"

#include "selection/left_out.hpp"
#include "support/toy_samples.hpp"
#include "unit/selection/folds_in_turn.hpp"

namespace parsimap::test {
namespace {

using Form = MetricKernel::Form;

// Another metric for every fold and class.
ClassMetric metric_of_fold(Index fold, int c) {
  ClassMetric metric{Matrix::Identity(10, 1), Vector::Constant(1, 1e-3), 0.2};
  metric.weights *= 1.0 + c;
  return scaled(metric, 1 + 0.1 * static_cast<double>(fold));
}

SampleSet small_classes(Index per_class) {
  SampleSet samples = toy::three_classes(per_class, 3);
  samples.spectra = (samples.spectra.array() - 3000) / 100;
  return samples;
}

const std::vector<MetricKernel> kKernels = {{Form::polynomial, 2}, {Form::polynomial, 3}, {Form::sum, 2}};

}  // namespace

TEST_CASE("left-out kernels: scores are those of machines retrained without the fold") {
  const SampleSet samples = small_classes(15);
  const std::vector<Index> folds = folds_in_turn(45);
  const LeftOutScorer scorer(samples.spectra, samples.labels, 3, folds);
  const std::vector<MachinePoint> points = {{1, 20}, {1, 500}, {4, 20}};
  for (const MetricKernel& kernel : kKernels) {
    const std::vector<Matrix> scores = scorer.scores(kernel, metric_of_fold, points, 2, {});
    REQUIRE(scores.size() == 3);
    for (Index fold = 0; fold < kLeftOutFolds; ++fold) {
      const Matrix training = samples.spectra(scorer.training_rows(fold), Eigen::all);
      for (int c = 0; c < 3; ++c) {
        Vector labels(training.rows());
        for (Index k = 0; k < training.rows(); ++k) {
          const Index row = scorer.training_rows(fold)[static_cast<std::size_t>(k)];
          labels(k) = samples.labels[static_cast<std::size_t>(row)] == c ? 1 : -1;
        }
        for (std::size_t k = 0; k < points.size(); ++k) {
          std::vector<ClassMetric> metrics;
          for (int other = 0; other < 3; ++other) {
            if (kernel.form == Form::sum || other == c) {
              metrics.push_back(scaled(metric_of_fold(fold, other), points[k].width));
            }
          }
          const Matrix among = kernel_matrix(kernel, metrics, training, training);
          const MarginSolution margin = solve_margin(DenseQuadraticForm(among), labels, points[k].C);
          for (Index i = 0; i < 45; ++i) {
            if (folds[static_cast<std::size_t>(i)] == fold) {
              const Matrix to_training = kernel_matrix(kernel, metrics, samples.spectra.row(i), training);
              const double f = (to_training * margin.coefficients)(0) + margin.bias;
              CHECK(std::abs(scores[k](i, c) - f) < 1e-8 * (1 + std::abs(f)));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("left-out kernels: machines of these kernels are optimal") {
  const SampleSet samples = small_classes(25);
  Vector labels(75);
  for (Index i = 0; i < 75; ++i) {
    labels(i) = samples.labels[static_cast<std::size_t>(i)] == 1 ? 1 : -1;
  }
  for (const MetricKernel& kernel : kKernels) {
    std::vector<ClassMetric> metrics = {metric_of_fold(0, 1)};
    if (kernel.form == Form::sum) {
      metrics.push_back(metric_of_fold(0, 2));
    }
    const Matrix values = kernel_matrix(kernel, metrics, samples.spectra, samples.spectra);
    for (const double C : {10.0, 1e4}) {
      const MarginSolution margin = solve_margin(DenseQuadraticForm(values), labels, C);
      CHECK(margin.stop == SolverStop::optimal);
      CHECK(margin.kkt_violation < 1e-6);
      const Vector decision = (values * margin.coefficients).array() + margin.bias;
      CHECK((margin.decision - decision).cwiseAbs().maxCoeff() < 1e-6);
      CHECK(std::abs(margin.coefficients.sum()) < 1e-6 * margin.coefficients.cwiseAbs().sum());
      for (Index i = 0; i < 75; ++i) {
        // Inside the margin a multiplier is C times the slack; elsewhere there is neither.
        const double slack = std::max(0.0, 1 - labels(i) * decision(i));
        CHECK(std::abs(labels(i) * margin.coefficients(i) - C * slack) < 1e-5 * C);
      }
    }
  }
}

TEST_CASE("left-out kernels: the same for any number of threads, and the caller can stop") {
  const SampleSet samples = small_classes(10);
  const LeftOutScorer scorer(samples.spectra, samples.labels, 3, folds_in_turn(30));
  for (const MetricKernel& kernel : kKernels) {
    int machines = 0;
    const Matrix one = scorer.scores(kernel, metric_of_fold, {{1, 20}}, 1, [&] { ++machines; }).front();
    CHECK(one == scorer.scores(kernel, metric_of_fold, {{1, 20}}, 3, {}).front());
    CHECK(machines == 3 * kLeftOutFolds);
    CHECK_THROWS_AS((void)scorer.scores(kernel, metric_of_fold, {{1, 20}}, 2, [] { throw std::runtime_error("stop"); }),
                    std::runtime_error);
  }
}

TEST_CASE("left-out kernels: a class whose only sample is left out is impossible there") {
  const SampleSet samples = subset(small_classes(10), {0, 1, 3, 4, 6, 7, 9, 10, 12, 13, 2});
  const LeftOutScorer scorer(samples.spectra, samples.labels, 3, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 0});
  for (const MetricKernel& kernel : kKernels) {
    const Matrix scores = scorer.scores(kernel, metric_of_fold, {{1, 20}}, 1, {}).front();
    CHECK(scores(10, 2) == -std::numeric_limits<double>::infinity());
    CHECK(scores(0, 2) == -std::numeric_limits<double>::infinity());
    CHECK(std::isfinite(scores(2, 2)));
    CHECK(std::isfinite(scores(10, 0)));
  }
}

TEST_CASE("left-out kernels: shape, width and penalty of the sum of one Gaussian are those of the Gaussian kernel") {
  // All classes have the same metric where they have the same covariance: their sum is each of them.
  const SampleSet samples = small_classes(15);
  std::vector<std::int64_t> groups(45);
  for (std::size_t i = 0; i < 45; ++i) {
    groups[i] = static_cast<std::int64_t>(i);
  }
  const LabelledSpectra labelled{samples.spectra, samples.labels, groups, 3};
  const Matrix same =
      LeftOutScorer(samples.spectra, samples.labels, 3, folds_in_turn(45))
          .scores({Form::sum, 2}, [](Index fold, int) { return metric_of_fold(fold, 0); }, {{1, 20}}, 1, {})
          .front();
  const Matrix gaussian = LeftOutScorer(samples.spectra, samples.labels, 3, folds_in_turn(45))
                              .scores([](Index fold, int) { return metric_of_fold(fold, 0); },
                                      [](int) {
                                        return std::vector<MachinePoint>{{1, 20}};
                                      },
                                      1, {})
                              .front();
  CHECK((same - gaussian).cwiseAbs().maxCoeff() < 1e-8);
  // The selection scans all shapes with whatever kernel.
  for (const MetricKernel& kernel : kKernels) {
    MetricSelectionOptions options;
    options.kernel = kernel;
    const MetricSelection selection = select_metric(labelled, options);
    CHECK(selection.scan.size() == metric_shapes(KernelFamily::hdda).size());
    CHECK(selection.judgement.scores.accuracy > 0.8);
    options.threads = 3;
    const MetricSelection shared = select_metric(labelled, options);
    CHECK(shared.risk == selection.risk);
    CHECK(shared.point == selection.point);
  }
}

}  // namespace parsimap::test
