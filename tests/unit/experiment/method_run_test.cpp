#include "experiment/method_run.hpp"

#include <Eigen/LU>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "parsimap/core/matrix_forms.hpp"
#include "parsimap/kernel/kernel.hpp"
#include "parsimap/selection/cross_validation.hpp"
#include "parsimap/svm/l2_svm.hpp"

#include "unit/experiment/toy_experiment.hpp"

namespace parsimap::test {

namespace {

const Work kNobody;

// Decision values of an L2-SVM with a kernel that is a function of two raw spectra, by double loops.
template <typename Kernel>
Vector naive_decisions(const Matrix& train, const Vector& labels, const Matrix& test, double C, const Kernel& kernel) {
  Matrix gram(train.rows(), train.rows());
  for (Index i = 0; i < train.rows(); ++i) {
    for (Index j = 0; j < train.rows(); ++j) {
      gram(i, j) = kernel(train.row(i), train.row(j));
    }
  }
  const MarginSolution margin = solve_margin(DenseQuadraticForm(gram), labels, C);
  Vector decisions = Vector::Constant(test.rows(), margin.bias);
  for (Index i = 0; i < test.rows(); ++i) {
    for (Index j = 0; j < train.rows(); ++j) {
      decisions(i) += margin.coefficients(j) * kernel(test.row(i), train.row(j));
    }
  }
  return decisions;
}

Vector labels_of(const SampleSet& samples, int c) {
  Vector labels(samples.size());
  for (Index i = 0; i < samples.size(); ++i) {
    labels(i) = samples.labels[static_cast<std::size_t>(i)] == c ? 1 : -1;
  }
  return labels;
}

// Checks accuracies and confusion of a run of all classes against classifiers made by double loops at the run's weights
// and C, with kernel(trained)(x, z).
template <typename KernelOf>
void check_against_loops(const Dataset& dataset, const ExperimentRun& run, const KernelOf& kernel_of) {
  REQUIRE(run.classes.size() == 3);
  REQUIRE(run.tests.size() == dataset.tests.size());
  for (std::size_t t = 0; t < dataset.tests.size(); ++t) {
    const SampleSet& test = dataset.tests[t].samples;
    Matrix decisions(test.size(), 3);
    double sum = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const auto label = static_cast<int>(c);
      decisions.col(label) = naive_decisions(dataset.train.spectra, labels_of(dataset.train, label), test.spectra,
                                             run.classes[c].C, kernel_of(run.classes[c]));
      const Vector signs = labels_of(test, label);
      Index right = 0;
      for (Index i = 0; i < test.size(); ++i) {
        right += decisions(i, label) * signs(i) > 0 ? 1 : 0;
      }
      const double accuracy = static_cast<double>(right) / static_cast<double>(test.size());
      CHECK(run.classes[c].binary_accuracy[t] == accuracy);
      sum += accuracy;
    }
    CHECK(run.tests[t].name == dataset.tests[t].name);
    CHECK(run.tests[t].samples == test.size());
    CHECK(run.tests[t].average_binary_accuracy == doctest::Approx(sum / 3));
    CountMatrix counts = CountMatrix::Zero(3, 3);
    for (Index i = 0; i < test.size(); ++i) {
      Index largest = 0;
      decisions.row(i).maxCoeff(&largest);
      ++counts(test.labels[static_cast<std::size_t>(i)], largest);
    }
    REQUIRE(run.tests[t].confusion);
    CHECK(run.tests[t].confusion->counts() == counts);
    CHECK(*run.tests[t].overall_accuracy ==
          doctest::Approx(static_cast<double>(counts.diagonal().sum()) / static_cast<double>(test.size())));
  }
}

MethodTask task_of(const Method& method) { return {"toy", 2, 5, {0, 1, 2}, method, ScalingRule::global}; }

}  // namespace

TEST_CASE("method run: a Gaussian kernel against double loops") {
  const Dataset dataset = toy::three_class_dataset();
  const double scale = fit_scaling(dataset.train.spectra, ScalingRule::global).scale(0);
  for (const ExperimentCriterion criterion : {ExperimentCriterion::leave_one_out, ExperimentCriterion::radius_margin,
                                              ExperimentCriterion::cross_validation}) {
    const ExperimentRun run = run_method(dataset, task_of(toy::method(ExperimentKernel::gaussian, criterion)), kNobody);
    check_against_loops(dataset, run, [&](const ClassRun& trained) {
      CHECK(trained.dimension == 0);
      CHECK(trained.weights.empty());
      return [w = trained.rest_weight, scale](const auto& x, const auto& z) {
        return std::exp(-0.5 * w * (x - z).squaredNorm() / scale / scale);
      };
    });
  }
}

TEST_CASE("method run: the HDDA kernel against double loops") {
  const Dataset dataset = toy::three_class_dataset();
  const double scale = fit_scaling(dataset.train.spectra, ScalingRule::global).scale(0);
  const ExperimentRun run = run_method(
      dataset, task_of(toy::method(ExperimentKernel::hdda, ExperimentCriterion::leave_one_out, "fixed:3")), kNobody);
  CHECK(run.method == MethodName{"hdda", "leave-one-out", "fixed:3"});
  check_against_loops(dataset, run, [&](const ClassRun& trained) {
    CHECK(trained.dimension == 3);
    CHECK(trained.weights.size() == 3);
    CHECK(trained.evaluations > 0);
    CHECK(trained.seconds > 0);
    Indices rows;
    for (Index i = 0; i < dataset.train.size(); ++i) {
      if (dataset.train.classes[static_cast<std::size_t>(dataset.train.labels[static_cast<std::size_t>(i)])].name ==
          trained.name) {
        rows.push_back(i);
      }
    }
    const Matrix directions = class_statistics(dataset.train.spectra(rows, Eigen::all)).eigenvectors.leftCols(3);
    return [directions, trained, scale](const auto& x, const auto& z) {
      const Vector difference = (x - z).transpose() / scale;
      double distance = trained.rest_weight * difference.squaredNorm();
      for (Index l = 0; l < 3; ++l) {
        const double along = directions.col(l).dot(difference);
        distance += (trained.weights[static_cast<std::size_t>(l)] - trained.rest_weight) * along * along;
      }
      return std::exp(-0.5 * distance);
    };
  });
}

TEST_CASE("method run: pooled kernels against the inverse of the pooled covariance, by double loops") {
  const Dataset dataset = toy::three_class_dataset();
  Matrix pooled = Matrix::Zero(10, 10);
  for (int c = 0; c < 3; ++c) {
    Eigen::RowVectorXd mean = Eigen::RowVectorXd::Zero(10);
    for (Index i = c; i < 60; i += 3) {
      mean += dataset.train.spectra.row(i) / 20;
    }
    for (Index i = c; i < 60; i += 3) {
      const Vector centred = (dataset.train.spectra.row(i) - mean).transpose();
      pooled += centred * centred.transpose() / 60;
    }
  }
  const Matrix diagonal = pooled.diagonal().asDiagonal();
  for (const ExperimentKernel kernel : {ExperimentKernel::mahalanobis, ExperimentKernel::diagonal_mahalanobis}) {
    const Matrix inverse = (kernel == ExperimentKernel::mahalanobis ? pooled : diagonal).inverse();
    for (const ScalingRule scaling : {ScalingRule::none, ScalingRule::global, ScalingRule::standardise}) {
      MethodTask task = task_of(toy::method(kernel, ExperimentCriterion::leave_one_out));
      task.scaling = scaling;
      const ExperimentRun run = run_method(dataset, task, kNobody);
      CHECK(run.method.dimension.empty());
      check_against_loops(dataset, run, [&](const ClassRun& trained) {
        return [w = trained.rest_weight, inverse](const auto& x, const auto& z) {
          const Vector difference = (x - z).transpose();
          return std::exp(-0.5 * w * difference.dot(inverse * difference));
        };
      });
    }
  }
}

TEST_CASE("method run: polynomials against double loops, with the dimension of maximum likelihood") {
  const Dataset dataset = toy::three_class_dataset();
  const Scaling scaling = fit_scaling(dataset.train.spectra, ScalingRule::global);
  for (const auto& [name, degree] :
       {std::pair{ExperimentKernel::hdda_quadratic, 2}, std::pair{ExperimentKernel::hdda_cubic, 3}}) {
    const MethodTask task = task_of(toy::method(name, ExperimentCriterion::leave_one_out, "ml"));
    double work = 0;
    const ExperimentRun run = run_method(dataset, task, [&](double operations) { work += operations; });
    CHECK(run.method == MethodName{to_string(name), "leave-one-out", "ml"});
    CHECK(work > 0.2 * method_work(dataset, task));
    CHECK(work < 5 * method_work(dataset, task));
    // A polynomial of degree r and of normalised spectra in the coordinates of the class, whose directions depend on
    // the shape that was chosen: what is compared is a classifier that is trained with the metric of another training.
    const MetricKernelTraining training(dataset.train, {*metric_kernel(name), task.method.dimension, task.scaling, 5},
                                        {});
    const std::vector<TrainedClass> classifiers = training.train({0, 1, 2});
    check_against_loops(dataset, run, [&, degree = degree](const ClassRun& trained) {
      CHECK(trained.stop_reason == "shared by all classes");
      CHECK(trained.dimension >= 1);
      CHECK(trained.seconds > 0);
      const auto entry = std::find_if(dataset.train.classes.begin(), dataset.train.classes.end(),
                                      [&](const ClassEntry& one) { return one.name == trained.name; });
      const auto c = static_cast<std::size_t>(entry - dataset.train.classes.begin());
      const MahalanobisKernel coordinates(classifiers[c].classifier.metric);
      return [coordinates, scaling, degree](const auto& x, const auto& z) {
        const Vector a = coordinates.map(scaling.apply(x)).transpose();
        const Vector b = coordinates.map(scaling.apply(z)).transpose();
        return std::pow((a.dot(b) + 1) / std::sqrt((a.squaredNorm() + 1) * (b.squaredNorm() + 1)), degree);
      };
    });
  }
}

TEST_CASE("method run: a grid is searched once, for all classes") {
  const Dataset dataset = toy::three_class_dataset();
  MethodTask task = task_of(toy::method(ExperimentKernel::gaussian, ExperimentCriterion::cross_validation));
  double work = 0;
  const ExperimentRun run = run_method(dataset, task, [&](double operations) { work += operations; });
  const Matrix scaled = fit_scaling(dataset.train.spectra, ScalingRule::global).apply(dataset.train.spectra);
  GridOptions options;
  options.seed = 5;
  const GridSearch search = cross_validated_grid(scaled, dataset.train.labels, 3, options);
  CHECK(search.evaluations == kGridEvaluations);
  CHECK(work > 0.3 * method_work(dataset, task));
  CHECK(work < 3 * method_work(dataset, task));
  for (const ClassRun& trained : run.classes) {
    CHECK(trained.C == search.best.C);
    CHECK(trained.rest_weight == search.best.weights.isotropic);
    CHECK(trained.criterion_value == doctest::Approx(1 - search.accuracy));
    CHECK(trained.evaluations == search.evaluations);
    CHECK(trained.stop_reason == "grid searched");
    CHECK(trained.trace.empty());
  }
}

TEST_CASE("method run: some of the classes, in the order asked for") {
  const Dataset dataset = toy::three_class_dataset();
  MethodTask task = task_of(toy::method(ExperimentKernel::pca, ExperimentCriterion::leave_one_out));
  const ExperimentRun all = run_method(dataset, task, kNobody);
  task.classes = {2, 0};
  const ExperimentRun some = run_method(dataset, task, kNobody);
  REQUIRE(some.classes.size() == 2);
  CHECK(some.classes[0].name == "c");
  CHECK(some.classes[0].weights == all.classes[2].weights);
  CHECK(some.classes[0].rest_weight == 0);
  CHECK(some.classes[1].binary_accuracy == all.classes[0].binary_accuracy);
  CHECK(!some.tests[0].overall_accuracy);
  CHECK(!some.tests[0].confusion);
  CHECK(some.tests[0].average_binary_accuracy ==
        doctest::Approx((all.classes[0].binary_accuracy[0] + all.classes[2].binary_accuracy[0]) / 2));
}

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

double naive_kernel(const MetricKernel& kernel, const std::vector<TrainedClass>& classifiers, std::size_t c,
                    const Vector& x, const Vector& z) {
  if (kernel.form == Form::polynomial) {
    const ClassMetric& metric = classifiers[c].classifier.metric;
    return std::pow((inner(metric, x, z) + 1) / std::sqrt((inner(metric, x, x) + 1) * (inner(metric, z, z) + 1)),
                    kernel.degree);
  }
  double sum = 0;
  for (const TrainedClass& other : classifiers) {
    sum += std::exp(-0.5 * inner(other.classifier.metric, x - z, x - z)) / static_cast<double>(classifiers.size());
  }
  return sum;
}

const std::vector<MetricKernel> kKernels = {{Form::polynomial, 2}, {Form::polynomial, 3}, {Form::sum}};

MetricKernelOptions options_of(const MetricKernel& kernel, const std::string& rule = "fixed:2") {
  return {kernel, parse_dimension_rule(rule), ScalingRule::global, 5};
}

}  // namespace

TEST_CASE("metric kernel training: decisions of optimal classifiers, against double loops") {
  const Dataset dataset = toy::three_class_dataset();
  const Scaling scaling = fit_scaling(dataset.train.spectra, ScalingRule::global);
  const Matrix train = scaling.apply(dataset.train.spectra);
  const Matrix& raw = dataset.tests[0].samples.spectra;
  const Matrix test = scaling.apply(raw);
  const std::vector<int> classes = {0, 1, 2};
  for (const MetricKernel& kernel : kKernels) {
    const MetricKernelTraining training(dataset.train, options_of(kernel), {});
    const std::vector<TrainedClass> classifiers = training.train(classes);
    const Matrix decisions = training.decisions(classifiers, classes, raw);
    REQUIRE(classifiers.size() == 3);
    for (std::size_t c = 0; c < 3; ++c) {
      const BinaryClassifier& classifier = classifiers[c].classifier;
      CHECK(classifier.kkt_violation < 1e-6);
      CHECK(classifier.C == training.selection().point.C);
      CHECK(classifier.selection.value == training.selection().risk);
      CHECK_FALSE(classifiers[c].trivial);
      Matrix gram(60, 60);
      Vector labels(60);
      for (Index i = 0; i < 60; ++i) {
        labels(i) = dataset.train.labels[static_cast<std::size_t>(i)] == static_cast<int>(c) ? 1 : -1;
        for (Index j = 0; j < 60; ++j) {
          gram(i, j) = naive_kernel(kernel, classifiers, c, train.row(i), train.row(j));
        }
      }
      const MarginSolution margin = solve_margin(DenseQuadraticForm(gram), labels, classifier.C);
      for (Index i = 0; i < test.rows(); ++i) {
        double f = margin.bias;
        for (Index j = 0; j < 60; ++j) {
          f += margin.coefficients(j) * naive_kernel(kernel, classifiers, c, test.row(i), train.row(j));
        }
        CHECK(decisions(i, static_cast<Index>(c)) == doctest::Approx(f).epsilon(1e-6));
      }
    }
  }
}

TEST_CASE("metric kernel training: some of the classes, in the order asked for, have the classifiers of all") {
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
    const std::vector<TrainedClass> classifiers = training.train(classes);
    const Matrix a = training.decisions(classifiers, classes, test);
    const Matrix b = other.decisions(other.train(classes), classes, moved_test);
    CHECK((a - b).cwiseAbs().maxCoeff() < 1e-5);
    CHECK(classifiers[0].classifier.metric.weights.size() >= 1);
  }
}

TEST_CASE("metric kernel training: progress goes up to the choice") {
  const Dataset dataset = toy::three_class_dataset();
  double done = 0;
  const MetricKernelTraining training(dataset.train, options_of(kKernels.front()), [&](double fraction) {
    CHECK(fraction >= done);
    done = fraction;
  });
  CHECK(done > 0);
  CHECK(done <= 1);
}

}  // namespace parsimap::test
