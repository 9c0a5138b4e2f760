#include "parsimap/kernel/kernel.hpp"

#include <Eigen/Eigenvalues>
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/kernel/training_geometry.hpp"

#include "support/toy_problems.hpp"

namespace parsimap::test {

namespace {

// The definition, term by term, with total weights: what is orthogonal to the directions has the weight w0.
double naive_mahalanobis(const Matrix& q, const Vector& v, double w0, const Eigen::RowVectorXd& x,
                         const Eigen::RowVectorXd& z) {
  double orthogonal = (x - z).squaredNorm();
  double sum = 0;
  for (Index l = 0; l < v.size(); ++l) {
    const double along = (x - z).dot(q.col(l).transpose());
    sum += v(l) * along * along;
    orthogonal -= along * along;
  }
  return std::exp(-0.5 * (sum + w0 * orthogonal));
}

// k(x_i, x_j) by the printed formula.
Matrix naive_kernel(const Matrix& x, const Matrix& directions, const Vector& weights, double isotropic) {
  Matrix kernel(x.rows(), x.rows());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.rows(); ++j) {
      const Vector difference = (x.row(i) - x.row(j)).transpose();
      const Vector along = directions.transpose() * difference;
      kernel(i, j) = std::exp(-0.5 * (weights.dot(along.cwiseAbs2()) + isotropic * difference.squaredNorm()));
    }
  }
  return kernel;
}

}  // namespace

TEST_CASE("kernel: agrees with its definition, far from the origin too") {
  const Matrix q = toy::orthonormal(9, 3, 1);
  const Vector w = (Vector(3) << 0.5, 2.0, 0.1).finished();
  const Matrix x = Random(2).normal_matrix(7, 9).array() + 1000.0;
  const Matrix z = Random(3).normal_matrix(5, 9).array() + 1000.0;
  const Matrix block = MahalanobisKernel({q, w, 0.3}).block(x, z);
  for (Index i = 0; i < 7; ++i) {
    for (Index j = 0; j < 5; ++j) {
      CHECK(block(i, j) == doctest::Approx(naive_mahalanobis(q, w, 0.3, x.row(i), z.row(j))).epsilon(1e-9));
    }
  }
}

TEST_CASE("kernel: the Gaussian and the PCA kernel are its limits") {
  const Matrix q = toy::orthonormal(6, 2, 4);
  const Vector w = (Vector(2) << 0.8, 0.2).finished();
  const Matrix x = Random(5).normal_matrix(8, 6);
  const Matrix gaussian = MahalanobisKernel({Matrix(6, 0), Vector(0), 0.4}).block(x, x);
  CHECK((gaussian - toy::gaussian_kernel(x, 0.4)).norm() < 1e-12);
  CHECK((MahalanobisKernel({q, Vector::Constant(2, 0.4), 0.4}).block(x, x) - gaussian).norm() < 1e-11);
  const Matrix pca = MahalanobisKernel({q, w, 0.0}).block(x, x);
  CHECK((MahalanobisKernel({q, w, 1e-14}).block(x, x) - pca).norm() < 1e-11);
  CHECK((pca - toy::gaussian_kernel(x * q * w.cwiseSqrt().asDiagonal(), 1.0)).norm() < 1e-12);
}

TEST_CASE("kernel: with equal weights in all directions it is Gaussian in every direction") {
  const Matrix q = toy::orthonormal(4, 4, 6);
  const Matrix x = Random(7).normal_matrix(6, 4);
  const Matrix turned = MahalanobisKernel({q, Vector::Constant(4, 0.7), 0.0}).block(x, x);
  CHECK((turned - toy::gaussian_kernel(x, 0.7)).norm() < 1e-12);
}

TEST_CASE("kernel: weights a million times apart do not cost accuracy") {
  // The class varies a thousand times as much along q as across it, so that |x - z|^2 is nearly all along q.
  const Matrix q = toy::orthonormal(5, 1, 8);
  Matrix x = Random(9).normal_matrix(6, 5);
  x += 1000 * Random(10).normal_matrix(6, 1) * q.transpose();
  const Vector v = Vector::Constant(1, 1e-6);
  const Matrix block = MahalanobisKernel({q, v, 1.0}).block(x, x);
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 6; ++j) {
      CHECK(block(i, j) == doctest::Approx(naive_mahalanobis(q, v, 1.0, x.row(i), x.row(j))).epsilon(1e-8));
    }
  }
}

TEST_CASE("kernel form: blocks and products are those of the whole kernel matrix") {
  const Index n = 150;
  Random random(2);
  const Matrix x = random.normal_matrix(n, 6).array() + 30;
  const Matrix directions = toy::orthonormal(6, 2, 4);
  const Vector weights = (Vector(2) << 0.3, 2.0).finished();
  for (const double isotropic : {0.0, 0.05}) {
    const Matrix kernel = naive_kernel(x, directions, weights, isotropic);
    const KernelForm form(MahalanobisKernel({directions, weights.array() + isotropic, isotropic}), x);
    CHECK(form.size() == n);
    const Indices rows = {3, 140, 7, 64, 65};
    const Indices columns = {0, 140, 149};
    CHECK((form.block(rows, columns) - kernel(rows, columns)).cwiseAbs().maxCoeff() < 1e-12);
    const Vector coefficients = random.normal_matrix(3, 1);
    CHECK((form.product(columns, coefficients) - kernel(Eigen::all, columns) * coefficients).cwiseAbs().maxCoeff() <
          1e-12);
    Indices all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), Index{0});
    CHECK((form.block(all, all) - kernel).cwiseAbs().maxCoeff() < 1e-12);
    // Of few samples the matrix is held as a whole from here on.
    CHECK((form.block(rows, columns) - kernel(rows, columns)).cwiseAbs().maxCoeff() < 1e-12);
    CHECK(form.block(columns, columns).diagonal() == Vector::Ones(3));
    CHECK((form.product(columns, coefficients) - kernel(Eigen::all, columns) * coefficients).cwiseAbs().maxCoeff() <
          1e-12);
  }
}

TEST_CASE("kernel with profiles: the sum of two kernels, term by term, far from the origin too") {
  const Matrix q = toy::orthonormal(6, 2, 1);
  const Vector v = Vector{{0.5, 2.0}};
  Matrix x = Random(2).normal_matrix(7, 9).array() + 1000.0;
  Matrix z = Random(3).normal_matrix(5, 9).array() + 1000.0;
  for (const double rest : {0.0, 0.3}) {
    for (const double share : {0.0, 0.3, 1.0}) {
      const Matrix block = MahalanobisKernel({q, v, rest, {3, 0.8, share}}).block(x, z);
      for (Index i = 0; i < 7; ++i) {
        for (Index j = 0; j < 5; ++j) {
          const double spectra = naive_mahalanobis(q, v, rest, x.row(i).head(6), z.row(j).head(6));
          const double profiles = std::exp(-0.5 * 0.8 * (x.row(i).tail(3) - z.row(j).tail(3)).squaredNorm());
          CHECK(block(i, j) == doctest::Approx((1 - share) * spectra + share * profiles).epsilon(1e-9));
        }
      }
    }
  }
}

TEST_CASE("kernel with profiles: its limits are the two kernels, and it is positive definite") {
  const Matrix x = Random(5).normal_matrix(40, 7);
  const ClassMetric metric{toy::orthonormal(4, 1, 4), Vector::Constant(1, 0.1), 0.4};
  const Matrix spectra = x.leftCols(4);
  const Matrix alone = MahalanobisKernel(metric).block(spectra, spectra);
  CHECK((MahalanobisKernel(with_profile(metric, {3, 0.5, 0})).block(x, x) - alone).norm() < 1e-13);
  const Matrix profiles = MahalanobisKernel(with_profile(metric, {3, 0.5, 1})).block(x, x);
  CHECK((profiles - toy::gaussian_kernel(x.rightCols(3), 0.5)).norm() < 1e-12);
  const Matrix both = MahalanobisKernel(with_profile(metric, {3, 0.5, 0.4})).block(x, x);
  CHECK(Eigen::SelfAdjointEigenSolver<Matrix>(both).eigenvalues()(0) > 1e-6);
  CHECK(both.diagonal().isOnes(1e-12));
}

TEST_CASE("kernel form with profiles: blocks, products, panels and parts are those of the whole, on any threads") {
  const Index n = 150;
  const Matrix x = Random(2).normal_matrix(n, 9).array() + 30;
  const MahalanobisKernel kernel({toy::orthonormal(6, 2, 4), Vector{{0.3, 2.0}}, 0.05, {3, 0.7, 0.4}});
  const Matrix whole = kernel.block(x, x);
  const Indices columns = {0, 140, 149};
  const Vector coefficients = Random(6).normal_matrix(3, 1);
  const KernelForm one(kernel, x);
  for (const int threads : {1, 3}) {
    const KernelForm form(kernel, x, {}, threads);
    CHECK((form.block({3, 140, 7}, columns) - whole({3, 140, 7}, columns)).cwiseAbs().maxCoeff() < 1e-12);
    CHECK((form.product(columns, coefficients) - whole(Eigen::all, columns) * coefficients).norm() < 1e-12);
    CHECK(form.product(columns, coefficients) == one.product(columns, coefficients));
    CHECK((form.panel(60, 70) - whole.middleRows(60, 70)).cwiseAbs().maxCoeff() < 1e-12);
    CHECK((form.restricted(columns)->panel(0, 3) - whole(columns, columns)).cwiseAbs().maxCoeff() < 1e-12);
  }
}

TEST_CASE("kernel values of near samples are accurate, however far the others are") {
  // Groups of samples at distances of 1e6 whose members differ by 1e-2: |a|^2 - 2 a'b + |b|^2 has no digit of that
  // left.
  Matrix x(43, 4);
  const Matrix noise = 1e-2 * Random(8).normal_matrix(43, 4);
  for (Index i = 0; i < 43; ++i) {
    x.row(i) = noise.row(i < 36 ? i : 35).array() + 1e6 * static_cast<double>(i % 4);
  }
  const ClassMetric metric{Matrix(4, 0), Vector(0), 50.0};
  const Matrix naive = naive_kernel(x, metric.directions, metric.weights, metric.rest_weight);
  const KernelForm form(MahalanobisKernel(metric), x);
  const Indices all = toy::all_rows(43);
  CHECK((form.block(all, all) - naive).cwiseAbs().maxCoeff() < 1e-8);
  CHECK((form.panel(0, 43) - naive).cwiseAbs().maxCoeff() < 1e-8);
  const Vector ones = Vector::Ones(43);
  CHECK((form.product(all, ones) - naive * ones).cwiseAbs().maxCoeff() < 1e-7);
  const Matrix among = kernel_of_width({}, {metric}, x, x)(1);
  CHECK((among - naive).cwiseAbs().maxCoeff() < 1e-8);
  CHECK(among == among.transpose());
}

TEST_CASE("kernel values of samples so far apart that they are no normal number add nothing to a sum") {
  const Matrix distances = Vector::LinSpaced(50, 0, 3000);
  const Matrix values = gaussian_of_width({distances})(1);
  const Matrix expected = (-0.5 * distances.array()).exp();
  CHECK(((values - expected).array().abs() <= 1e-14 * expected.array() + 1e-300).all());
  const Matrix among = gaussian_among(squared_distances(Vector::LinSpaced(50, 0, 60)))(1);
  CHECK(among.minCoeff() >= std::numeric_limits<double>::min());
}

TEST_CASE("kernel form: a sample's value with itself is exactly 1") {
  const Matrix x = 1e4 * Random(3).normal_matrix(20, 5);
  const KernelForm form(MahalanobisKernel({Matrix(5, 0), Vector(0), 50.0}), x);
  const Indices some = {4, 9, 13};
  const Matrix block = form.block(some, some);
  CHECK(block.diagonal() == Vector::Ones(3));
  CHECK((block - Matrix::Identity(3, 3)).cwiseAbs().maxCoeff() < 1e-300);
}

TEST_CASE("kernel form: the same bits for any number of threads, and of a part of the samples") {
  const Index n = 1700;
  const Matrix x = Random(4).normal_matrix(n, 12);
  const MahalanobisKernel kernel({toy::orthonormal(12, 3, 5), Vector::LinSpaced(3, 0.2, 0.6), 0.05});
  const KernelForm one(kernel, x);
  Indices rows;
  for (Index i = 0; i < n; i += 3) {
    rows.push_back(i);
  }
  const Vector coefficients = Random(6).normal_matrix(static_cast<Index>(rows.size()), 1);
  const Matrix block = one.block(rows, rows);
  const Vector product = one.product(rows, coefficients);
  for (const int threads : {1, 2, 3, 7}) {
    const KernelForm form(kernel, x, {}, threads);
    CHECK(form.block(rows, rows) == block);
    CHECK(form.product(rows, coefficients) == product);
    CHECK((form.panel(100, 9) - form.block({100, 101, 102, 103, 104, 105, 106, 107, 108}, toy::all_rows(n)))
              .cwiseAbs()
              .maxCoeff() < 1e-14);
    const auto part = form.restricted(rows);
    CHECK(part->size() == static_cast<Index>(rows.size()));
    CHECK((part->panel(64, 64) - block.middleRows(64, 64)).cwiseAbs().maxCoeff() < 1e-14);
    CHECK(part->panel(64, 64).block(0, 64, 64, 64).diagonal() == Vector::Ones(64));
    CHECK((part->product({0, 5}, coefficients.head(2)) - block(Eigen::all, {0, 5}) * coefficients.head(2)).norm() <
          1e-13);
  }
}

TEST_CASE("kernel form: what its work throws ends a product and a block") {
  const Matrix x = Random(4).normal_matrix(500, 3);
  for (const int threads : {1, 3}) {
    std::atomic<int> calls{0};
    const Work work = [&](double) {
      if (++calls == 2) {
        throw std::runtime_error("stop");
      }
    };
    const KernelForm form(MahalanobisKernel({Matrix(3, 0), Vector(0), 1.0}), x, work, threads);
    CHECK_THROWS_AS(static_cast<void>(form.product({1, 2}, Vector::Ones(2))), std::runtime_error);
    calls = 0;
    CHECK_THROWS_AS(static_cast<void>(form.block(toy::all_rows(500), {1, 2})), std::runtime_error);
  }
}

namespace {

using Form = MetricKernel::Form;

ClassMetric metric_of(Index bands, std::uint64_t seed) {
  return {toy::orthonormal(bands, 2, seed), (Vector(2) << 0.05, 0.6).finished(), 0.3};
}

// sum_l v_l (q_l'x)(q_l'z) + w_0 (x'z - sum_l (q_l'x)(q_l'z)), term by term.
double inner(const ClassMetric& metric, const Vector& x, const Vector& z) {
  double value = metric.rest_weight * x.dot(z);
  for (Index l = 0; l < metric.weights.size(); ++l) {
    value +=
        (metric.weights(l) - metric.rest_weight) * metric.directions.col(l).dot(x) * metric.directions.col(l).dot(z);
  }
  return value;
}

double naive_metric(const MetricKernel& kernel, const std::vector<ClassMetric>& metrics, double width, const Vector& x,
                    const Vector& z) {
  if (kernel.form == Form::polynomial) {
    const ClassMetric metric = scaled(metrics[0], width);
    return std::pow((inner(metric, x, z) + 1) / std::sqrt((inner(metric, x, x) + 1) * (inner(metric, z, z) + 1)),
                    kernel.degree);
  }
  double sum = 0;
  for (const ClassMetric& metric : metrics) {
    sum += std::exp(-0.5 * width * inner(metric, x - z, x - z));
  }
  return sum / static_cast<double>(metrics.size());
}

struct KernelCase {
  MetricKernel kernel;
  std::vector<ClassMetric> metrics;
};

// Metrics of all kinds: with noise, without it, without directions.
std::vector<KernelCase> cases() {
  const ClassMetric plain{Matrix(7, 0), Vector(), 0.4};
  ClassMetric inside = metric_of(7, 3);
  inside.rest_weight = 0;
  return {{{Form::polynomial, 1}, {metric_of(7, 1)}}, {{Form::polynomial, 2}, {metric_of(7, 1)}},
          {{Form::polynomial, 3}, {metric_of(7, 2)}}, {{Form::polynomial, 3}, {plain}},
          {{Form::polynomial, 2}, {inside}},          {{Form::sum, 2}, {metric_of(7, 1), plain, inside}},
          {{Form::sum, 2}, {metric_of(7, 2)}}};
}

}  // namespace

TEST_CASE("metric kernels: agree with their definitions at every width") {
  const Matrix x = 2 * Random(4).normal_matrix(9, 7).array() + 1;
  const Matrix z = 2 * Random(5).normal_matrix(6, 7).array() + 1;
  for (const auto& [kernel, metrics] : cases()) {
    const KernelOfWidth of_width = kernel_of_width(kernel, metrics, x, z);
    for (const double width : {0.01, 1.0, 7.0}) {
      const Matrix& values = of_width(width);
      REQUIRE(values.rows() == 9);
      REQUIRE(values.cols() == 6);
      for (Index i = 0; i < 9; ++i) {
        for (Index j = 0; j < 6; ++j) {
          CHECK(values(i, j) ==
                doctest::Approx(naive_metric(kernel, metrics, width, x.row(i), z.row(j))).epsilon(1e-10));
        }
      }
    }
  }
}

TEST_CASE("metric kernels: the sum of one Gaussian kernel is that kernel, and does not depend on the origin") {
  const Matrix x = Random(6).normal_matrix(8, 5);
  const ClassMetric plain{Matrix(5, 0), Vector(), 0.4};
  const MetricKernel sum{Form::sum, 2};
  CHECK((kernel_matrix(sum, {plain}, x, x) - toy::gaussian_kernel(x, 0.4)).norm() < 1e-12);
  const std::vector<ClassMetric> metrics = {metric_of(5, 1), metric_of(5, 2)};
  const Matrix moved = x.array() + 1000;
  CHECK((kernel_matrix(sum, metrics, moved, moved) - kernel_matrix(sum, metrics, x, x)).cwiseAbs().maxCoeff() < 1e-9);
}

TEST_CASE("metric kernels: panels of many rows are those of the whole matrix") {
  const Matrix x = Random(7).normal_matrix(1100, 7);
  const Matrix z = Random(8).normal_matrix(3, 7);
  for (const auto& [kernel, metrics] : cases()) {
    CHECK((kernel_matrix(kernel, metrics, x, z) - kernel_of_width(kernel, metrics, x, z)(1)).cwiseAbs().maxCoeff() <
          1e-13);
  }
}

TEST_CASE("metric kernels: positive semidefinite, with ones on the diagonal") {
  // More samples than the polynomial of degree 1 or 2 has terms, far from the origin and near to it.
  const Matrix directions = Random(9).normal_matrix(60, 7);
  const Matrix x = Vector::LinSpaced(60, 0.01, 50).asDiagonal() * directions;
  // Distances are differences of squared norms, and are rounded as these are. No direction has a larger weight than
  // 0.6.
  const double rounding = std::numeric_limits<double>::epsilon() * 0.6 * x.rowwise().squaredNorm().maxCoeff();
  for (const auto& [kernel, metrics] : cases()) {
    const Matrix values = kernel_matrix(kernel, metrics, x, x);
    CHECK((values.diagonal().array() - 1).abs().maxCoeff() < rounding);
    CHECK(values.cwiseAbs().maxCoeff() < 1 + rounding);
    const Eigen::SelfAdjointEigenSolver<Matrix> solver(0.5 * (values + values.transpose()));
    CHECK(solver.eigenvalues().minCoeff() > -1e-12 * 60);
  }
}

TEST_CASE("metric kernels: every class has a polynomial of its own, and all have the sum in common") {
  CHECK(classes_by_kernel({Form::polynomial, 3}, 3) == std::vector<std::vector<int>>{{0}, {1}, {2}});
  CHECK(classes_by_kernel({Form::sum, 2}, 3) == std::vector<std::vector<int>>{{0, 1, 2}});
}

TEST_CASE("metric kernels: the sum is the same for any order of the classes") {
  const Matrix x = Random(11).normal_matrix(10, 7);
  const std::vector<ClassMetric> metrics = {metric_of(7, 1), metric_of(7, 2), metric_of(7, 3)};
  const std::vector<ClassMetric> turned = {metrics[2], metrics[0], metrics[1]};
  const MetricKernel sum{Form::sum, 2};
  CHECK((kernel_matrix(sum, metrics, x, x) - kernel_matrix(sum, turned, x, x)).cwiseAbs().maxCoeff() < 1e-15);
}

namespace {

SubspaceModel model_of(const Vector& variances, double noise, Index bands) {
  return {toy::orthonormal(bands, variances.size(), 3), variances, noise};
}

}  // namespace

TEST_CASE("metric: a term for profiles is not touched by what scales the spectra") {
  const ClassMetric metric = with_profile({Matrix(3, 0), Vector(), 2.0}, {4, 0.5, 0.25});
  CHECK(metric.profile == ProfileTerm{4, 0.5, 0.25});
  CHECK(scaled(metric, 3).profile == metric.profile);
  CHECK(scaled(metric, 3).rest_weight == 6);
}

TEST_CASE("class metric: damping 1 is the Mahalanobis distance of the model, up to one factor") {
  const SubspaceModel model = model_of(Vector{{9, 4}}, 0.25, 6);
  const ClassMetric metric = damped_metric(model, 1, 12);
  CHECK(metric.weights(0) * 9 == doctest::Approx(metric.weights(1) * 4));
  CHECK(metric.weights(0) * 9 == doctest::Approx(metric.rest_weight * 0.25));
  // Two samples of the model differ by twice the variance in each of six directions.
  CHECK(2 * 6 * metric.weights(0) * 9 == doctest::Approx(12));
  // Directions in which the class varies count less: the printed family has no such member.
  CHECK((metric.weights.array() < metric.rest_weight).all());
}

TEST_CASE("class metric: samples of the model have the mean squared distance that was asked for") {
  const SubspaceModel model = model_of(Vector{{16, 2}}, 0.5, 5);
  Random random(4);
  const Index n = 4000;
  Matrix x = std::sqrt(0.5) * random.normal_matrix(n, 5);
  const Matrix along = x * model.directions;
  x += along * ((model.variances / 0.5).cwiseSqrt().array() - 1).matrix().asDiagonal() * model.directions.transpose();
  for (const double damping : {0.0, 0.5, 1.0}) {
    const Matrix mapped = MahalanobisKernel(damped_metric(model, damping, 3)).map(x);
    const double mean = 2 * (mapped.rowwise() - mapped.colwise().mean()).squaredNorm() / static_cast<double>(n);
    CHECK(mean == doctest::Approx(3).epsilon(0.05));
  }
}

TEST_CASE("class metric: without damping it is Gaussian, and without variance too") {
  const ClassMetric gaussian = damped_metric(model_of(Vector{{9, 4}}, 0.25, 6), 0, 2);
  CHECK(gaussian.directions.cols() == 0);
  CHECK(gaussian.rest_weight == doctest::Approx(2 / (2 * (9 + 4 + 4 * 0.25))));
  const ClassMetric flat = damped_metric(model_of(Vector(0), 0, 6), 1, 2);
  CHECK(flat.directions.rows() == 6);
  CHECK(flat.rest_weight == 2);
}

TEST_CASE("class metric: directions alone have no weight outside of them; a factor scales all weights") {
  const SubspaceModel model = model_of(Vector{{9, 4}}, 0.25, 6);
  const ClassMetric metric = damped_directions(model, 1, 8);
  CHECK(metric.rest_weight == 0);
  CHECK(metric.weights(0) * 9 == doctest::Approx(2));
  const ClassMetric twice = scaled(damped_metric(model, 0.5, 1), 2);
  CHECK(twice.weights.isApprox(damped_metric(model, 0.5, 2).weights));
  CHECK(twice.rest_weight == doctest::Approx(damped_metric(model, 0.5, 2).rest_weight));
}

TEST_CASE("class metric: variances that vanish are floored") {
  const ClassMetric metric = damped_metric(model_of(Vector{{1, 1e-30}}, 0, 4), 1, 1);
  CHECK(metric.weights(1) == doctest::Approx(1e8 * metric.weights(0)));
  CHECK(metric.rest_weight == doctest::Approx(1e8 * metric.weights(0)));
}

TEST_CASE("kernel family: names go both ways, unknown ones are refused") {
  for (const KernelFamily family : {KernelFamily::hdda, KernelFamily::pca, KernelFamily::gaussian}) {
    CHECK(parse_kernel_family(to_string(family)) == family);
  }
  CHECK_THROWS_WITH_AS(parse_kernel_family("rbf"), "kernel 'rbf' is unknown; it must be hdda, pca or gaussian",
                       ConfigError);
}

}  // namespace parsimap::test
