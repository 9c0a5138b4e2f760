
#include "parsimap/validation/left_out.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "parsimap/core/matrix_forms.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/kernel/metric_shape.hpp"
#include "parsimap/kernel/training_geometry.hpp"
#include "parsimap/samples/class_weights.hpp"
#include "parsimap/selection/metric_selection.hpp"
#include "parsimap/svm/l2_svm.hpp"
#include "parsimap/validation/left_out_risk.hpp"

#include "support/places.hpp"
#include "support/toy_samples.hpp"
#include "unit/validation/folds_in_turn.hpp"

namespace parsimap::test {
namespace {

ClassMetric metric_of_class(Index bands, int c) {
  ClassMetric metric{Matrix::Identity(bands, 1), Vector::Constant(1, 1e-6), 1e-4};
  metric.weights *= 1.0 + c;
  return metric;
}

// Of 3 x 25 samples.
Indices every_but_some_of_the_third_class() {
  Indices rows;
  for (Index i = 0; i < 75; ++i) {
    if (i % 3 < 2 || i < 20) {
      rows.push_back(i);
    }
  }
  return rows;
}

// Of all classes at one point.
Matrix scores_of(const LeftOutScorer& scorer) {
  const auto metric = [](Index, int c) { return metric_of_class(10, c); };
  return scorer.scores(metric, [](Index, int) { return std::vector<TrainingPoint>{{1, 20}}; }, 1, {}).front();
}

}  // namespace

TEST_CASE("left out: whole regions where a class has several of them, single samples elsewhere") {
  const std::vector<int> labels = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1};
  std::vector<SamplePlace> pixels = places({1, 1, 2, 3, 4, 5, 6, 6, 6, 6});
  const LeftOutUnits units = left_out_units(labels, 2, pixels);
  CHECK(units.by_region == std::vector<bool>{true, false});
  CHECK(units.units[0] == units.units[1]);
  CHECK(units.units[6] != units.units[7]);
  std::vector<SampleUnit> singles(units.units.begin() + 6, units.units.end());
  std::sort(singles.begin(), singles.end());
  CHECK(std::unique(singles.begin(), singles.end()) == singles.end());
  CHECK(singles.front().reason == SampleUnit::Reason::single);
  // Those of one place stay together.
  pixels[6].ground = pixels[9].ground = 6;
  const LeftOutUnits grounds = left_out_units(labels, 2, pixels);
  CHECK(grounds.units[6] == grounds.units[9]);
  CHECK(std::set(grounds.units.begin() + 6, grounds.units.end()).size() == 3);
}

TEST_CASE("left out: scores are those of classifiers retrained without the fold, with profiles or without") {
  const SampleSet samples = toy::three_classes(25, 3);
  const Matrix profiles = Random(4).normal_matrix(75, 4);
  Matrix columns(75, 14);
  columns << samples.spectra, profiles;
  const LeftOutScorer scorer(samples.spectra, samples.labels, 3, folds_in_turn(75), ClassWeights::none,
                             std::make_shared<const Matrix>(squared_distances(profiles)));
  const std::vector<TrainingPoint> points = {{1, 20},           {1, 500},           {4, 20},
                                             {4, 20, 0.4, 0.3}, {1, 20, 0.8, 0.05}, {1, 20, 0.8, 0.05}};
  const auto metric = [](Index, int c) { return metric_of_class(10, c); };
  const std::vector<Matrix> scores = scorer.scores(metric, [&](Index, int) { return points; }, 2, {});
  REQUIRE(scores.size() == points.size());
  for (Index fold = 0; fold < kFolds; ++fold) {
    const Indices& rows = scorer.training_rows(fold);
    const Matrix training = columns(rows, Eigen::all);
    for (int c = 0; c < 3; ++c) {
      Vector labels(rows.size());
      for (std::size_t k = 0; k < rows.size(); ++k) {
        labels(static_cast<Index>(k)) = samples.labels[static_cast<std::size_t>(rows[k])] == c ? 1 : -1;
      }
      for (std::size_t k = 0; k < points.size(); ++k) {
        const ProfileTerm profile{4, points[k].profile_weight, points[k].share};
        const MahalanobisKernel kernel(with_profile(scaled(metric_of_class(10, c), points[k].width), profile));
        const MarginSolution margin = solve_margin(KernelForm(kernel, training), labels, points[k].C);
        for (Index i = 0; i < 75; ++i) {
          if (folds_in_turn(75)[static_cast<std::size_t>(i)] == fold) {
            const double f = (kernel.block(columns.row(i), training) * margin.coefficients)(0) + margin.bias;
            CHECK(std::abs(scores[k](i, c) - f) < 1e-9 * (1 + std::abs(f)));
          }
        }
      }
    }
  }
}

TEST_CASE("left out: kernel matrices in parts give many classes the scores of whole ones, with profiles or without") {
  constexpr auto kClasses = static_cast<Index>(kComparedClasses) + 2;
  const Index n = 6 * kClasses;
  Matrix spectra = Random(5).normal_matrix(n, 10);
  std::vector<int> labels;
  for (Index i = 0; i < n; ++i) {
    labels.push_back(static_cast<int>(i % kClasses));
    spectra.row(i) += 3 * Random(6, static_cast<std::uint64_t>(labels.back())).normal_matrix(1, 10);
  }
  const auto profiles = std::make_shared<const Matrix>(Random(7).normal_matrix(n, 4));
  const auto distances = std::make_shared<const Matrix>(squared_distances(*profiles));
  const LeftOutScorer scorer(spectra, labels, static_cast<std::size_t>(kClasses), folds_in_turn(n),
                             ClassWeights::balanced, distances, {}, profiles);
  const auto metric = [](Index, int c) { return metric_of_class(10, c); };
  CHECK_FALSE(in_parts(kComparedClasses, 1));
  for (const TrainingPoint& point : {TrainingPoint{200, 20}, TrainingPoint{200, 20, 0.4, 0.3}}) {
    // Two points are computed with whole matrices.
    const auto at = [&](std::size_t points) {
      const auto all = [&](Index, int) { return std::vector<TrainingPoint>(points, point); };
      return scorer.scores(metric, all, 2, {}).front();
    };
    const Matrix whole = at(2);
    CHECK((at(1) - whole).cwiseAbs().maxCoeff() < 1e-8 * whole.cwiseAbs().maxCoeff());
  }
}

TEST_CASE("left out: balanced penalties are those of the training rows of the fold") {
  SampleSet samples = toy::three_classes(25, 3);
  samples = subset(samples, every_but_some_of_the_third_class());
  const std::vector<Index> folds = folds_in_turn(samples.size());
  const LeftOutScorer scorer(samples.spectra, samples.labels, 3, folds, ClassWeights::balanced);
  const Matrix scores = scores_of(scorer);
  const Indices& rows = scorer.training_rows(2);
  const Matrix training = samples.spectra(rows, Eigen::all);
  std::vector<int> of_rows;
  Vector labels(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    of_rows.push_back(samples.labels[static_cast<std::size_t>(rows[k])]);
    labels(static_cast<Index>(k)) = of_rows.back() == 1 ? 1 : -1;
  }
  Vector penalties(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto of_class = static_cast<double>(std::count(of_rows.begin(), of_rows.end(), of_rows[k]));
    penalties(static_cast<Index>(k)) = 20 * static_cast<double>(rows.size()) / (3 * of_class);
  }
  const MahalanobisKernel kernel(metric_of_class(10, 1));
  const MarginSolution margin = solve_margin(KernelForm(kernel, training), labels, penalties);
  for (Index i = 0; i < samples.size(); ++i) {
    if (folds[static_cast<std::size_t>(i)] == 2) {
      const double f = (kernel.block(samples.spectra.row(i), training) * margin.coefficients)(0) + margin.bias;
      CHECK(std::abs(scores(i, 1) - f) < 1e-9 * (1 + std::abs(f)));
    }
  }
}

TEST_CASE("left out: equal spectra count as often as they are there") {
  // Every sample two times: the decision values are those of each once, with twice the weight.
  const SampleSet once = toy::three_classes(15, 3);
  Indices rows;
  for (Index i = 0; i < 45; ++i) {
    rows.insert(rows.end(), 2, i);
  }
  const SampleSet twice = subset(once, rows);
  const std::vector<Index> folds = folds_in_turn(45);
  const auto metric = [](Index, int c) { return metric_of_class(10, c); };
  const auto points = [](Index, int) { return std::vector<TrainingPoint>{{1, 20}, {0.1, 1e4}}; };
  const LeftOutScorer each(once.spectra, once.labels, 3, folds, ClassWeights::none, {}, Vector::Constant(45, 2));
  const LeftOutScorer both(twice.spectra, twice.labels, 3, values_at(folds, rows));
  const std::vector<Matrix> expected = each.scores(metric, points, 1, {});
  const std::vector<Matrix> found = both.scores(metric, points, 1, {});
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK((found[k] - expected[k](rows, Eigen::all)).cwiseAbs().maxCoeff() < 1e-9);
  }
}

TEST_CASE("left out: the same for any number of threads, and the caller can stop") {
  const SampleSet samples = toy::three_classes(20, 3);
  const LeftOutScorer scorer(samples.spectra, samples.labels, 3, folds_in_turn(60));
  const auto metric = [](Index, int c) { return metric_of_class(10, c); };
  const auto points = [](Index, int) { return std::vector<TrainingPoint>{{1, 20}}; };
  CHECK(scorer.scores(metric, points, 1, {}).front() == scorer.scores(metric, points, 3, {}).front());
  CHECK_THROWS_AS((void)scorer.scores(metric, points, 2, [] { throw std::runtime_error("stop"); }), std::runtime_error);
}

TEST_CASE("left out: a class whose only sample is left out is impossible there, and has a classifier elsewhere") {
  SampleSet samples = toy::three_classes(10, 3);
  samples = subset(samples, {0, 1, 3, 4, 6, 7, 9, 10, 12, 13, 2});  // one sample of the third class
  const std::vector<Index> folds = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 0};
  const LeftOutScorer scorer(samples.spectra, samples.labels, 3, folds);
  const Matrix scores = scores_of(scorer);
  CHECK(scores(10, 2) == -std::numeric_limits<double>::infinity());
  CHECK(scores(0, 2) == -std::numeric_limits<double>::infinity());
  CHECK(std::isfinite(scores(2, 2)));
  CHECK(std::isfinite(scores(10, 0)));
}

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

// The same points for every class.
LeftOutScorer::ClassPoints at(std::vector<TrainingPoint> points) {
  return [points = std::move(points)](Index, int) { return points; };
}

const std::vector<MetricKernel> kKernels = {{Form::polynomial, 2}, {Form::polynomial, 3}, {Form::sum, 2}};

}  // namespace

TEST_CASE("left-out kernels: scores are those of classifiers retrained without the fold") {
  const SampleSet samples = small_classes(15);
  const std::vector<Index> folds = folds_in_turn(45);
  const LeftOutScorer scorer(samples.spectra, samples.labels, 3, folds);
  const std::vector<TrainingPoint> points = {{1, 20}, {1, 500}, {4, 20}};
  for (const MetricKernel& kernel : kKernels) {
    const std::vector<Matrix> scores = scorer.scores(metric_of_fold, at(points), 2, {}, kernel);
    REQUIRE(scores.size() == 3);
    for (Index fold = 0; fold < kFolds; ++fold) {
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

TEST_CASE("left-out kernels: classifiers of these kernels are optimal") {
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
    int classifiers = 0;
    const Matrix one = scorer
                           .scores(
                               metric_of_fold, at({{1, 20}}), 1, [&] { ++classifiers; }, kernel)
                           .front();
    CHECK(one == scorer.scores(metric_of_fold, at({{1, 20}}), 3, {}, kernel).front());
    CHECK(classifiers == 3 * kFolds);
    CHECK_THROWS_AS((void)scorer.scores(
                        metric_of_fold, at({{1, 20}}), 2, [] { throw std::runtime_error("stop"); }, kernel),
                    std::runtime_error);
  }
}

TEST_CASE("left-out kernels: a class whose only sample is left out is impossible there") {
  const SampleSet samples = subset(small_classes(10), {0, 1, 3, 4, 6, 7, 9, 10, 12, 13, 2});
  const LeftOutScorer scorer(samples.spectra, samples.labels, 3, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 0});
  for (const MetricKernel& kernel : kKernels) {
    const Matrix scores = scorer.scores(metric_of_fold, at({{1, 20}}), 1, {}, kernel).front();
    CHECK(scores(10, 2) == -std::numeric_limits<double>::infinity());
    CHECK(scores(0, 2) == -std::numeric_limits<double>::infinity());
    CHECK(std::isfinite(scores(2, 2)));
    CHECK(std::isfinite(scores(10, 0)));
  }
}

TEST_CASE("left-out kernels: shape, width and penalty of the sum of one Gaussian are those of the Gaussian kernel") {
  // All classes have the same metric where they have the same covariance: their sum is each of them.
  const SampleSet samples = small_classes(15);
  std::vector<std::int64_t> numbers(45);
  std::iota(numbers.begin(), numbers.end(), 0);
  const std::vector<SamplePlace> pixels = places(numbers);
  const LabelledSpectra labelled{samples.spectra, samples.labels, pixels, 3};
  const Matrix same =
      LeftOutScorer(samples.spectra, samples.labels, 3, folds_in_turn(45))
          .scores([](Index fold, int) { return metric_of_fold(fold, 0); }, at({{1, 20}}), 1, {}, {Form::sum, 2})
          .front();
  const Matrix gaussian = LeftOutScorer(samples.spectra, samples.labels, 3, folds_in_turn(45))
                              .scores([](Index fold, int) { return metric_of_fold(fold, 0); },
                                      [](Index, int) {
                                        return std::vector<TrainingPoint>{{1, 20}};
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

TEST_CASE("the best point without some samples is that of the lowest sum of the other risks") {
  Random random(3);
  TriedPoints tried{{2, 3, 5, 8, 13, 21}, {}};
  for (const double width : {1.0, 2.0, 3.0, 4.0}) {
    tried.points.push_back({{0.5, 0.5}, {width, 10}, random.normal_matrix(6, 1).cwiseAbs()});
  }
  // Rows that the choice did not see count for nothing.
  for (const Indices& held : {Indices{}, Indices{2, 8, 9}, Indices{0, 1, 3, 5, 21, 30}, Indices{13}}) {
    double lowest = 1e9;
    double width = 0;
    for (const TriedPoint& one : tried.points) {
      double sum = 0;
      for (Index i = 0; i < 6; ++i) {
        sum += std::ranges::count(held, tried.rows[static_cast<std::size_t>(i)]) > 0 ? 0 : one.risks(i);
      }
      width = sum < lowest ? one.point.width : width;
      lowest = std::min(lowest, sum);
    }
    CHECK(tried.best_without(held).point.width == width);
  }
  // Of equals the first, as where all samples are left out.
  CHECK(tried.best_without(tried.rows).point.width == 1);
}

}  // namespace parsimap::test
