#include "parsimap/selection/cross_validation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "parsimap/core/error.hpp"
#include "parsimap/core/matrix_forms.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/svm/l2_svm.hpp"
#include "parsimap/validation/folds.hpp"

#include "support/toy_problems.hpp"
#include "support/toy_samples.hpp"

using namespace parsimap;

namespace {

// K classes of different sizes on overlapping blobs in 3 dimensions.
struct Blobs {
  Matrix spectra;
  std::vector<int> labels;
};

Blobs blobs(Index n, int classes, std::uint64_t seed) {
  Random random(seed);
  Blobs result{random.normal_matrix(n, 3), {}};
  const Matrix means = 1.5 * random.normal_matrix(classes, 3);
  for (Index i = 0; i < n; ++i) {
    const int c = static_cast<int>(i % (classes + 1)) % classes;
    result.labels.push_back(c);
    result.spectra.row(i) += means.row(c);
  }
  return result;
}

double mean_squared_distance(const Matrix& spectra) {
  double sum = 0;
  for (Index i = 0; i < spectra.rows(); ++i) {
    for (Index j = 0; j < spectra.rows(); ++j) {
      sum += (spectra.row(i) - spectra.row(j)).squaredNorm();
    }
  }
  return sum / static_cast<double>(spectra.rows() * spectra.rows());
}

// Decision value at `spectrum` of class c against the rest, trained from nothing on `rows`.
double decision(const Blobs& samples, const Indices& rows, int c, const GridCell& cell,
                const Eigen::RowVectorXd& spectrum) {
  const Matrix spectra = samples.spectra(rows, Eigen::all);
  const Matrix kernel = toy::gaussian_kernel(spectra, cell.isotropic);
  Vector signs(spectra.rows());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    signs(static_cast<Index>(i)) = samples.labels[static_cast<std::size_t>(rows[i])] == c ? 1 : -1;
  }
  const MarginSolution margin = solve_margin(DenseQuadraticForm(kernel), signs, cell.C);
  double sum = margin.bias;
  for (Index i = 0; i < spectra.rows(); ++i) {
    sum += margin.coefficients(i) * std::exp(-0.5 * cell.isotropic * (spectra.row(i) - spectrum).squaredNorm());
  }
  return sum;
}

// The accuracy of a cell by retraining for every single sample that is left out with its fold.
double retrained_accuracy(const Blobs& samples, int classes, const std::vector<Index>& fold_of, const GridCell& cell) {
  Index right = 0;
  for (std::size_t i = 0; i < fold_of.size(); ++i) {
    Indices rows;
    for (std::size_t j = 0; j < fold_of.size(); ++j) {
      if (fold_of[j] != fold_of[i]) {
        rows.push_back(static_cast<Index>(j));
      }
    }
    std::vector<double> values;
    for (int c = 0; c < classes; ++c) {
      values.push_back(decision(samples, rows, c, cell, samples.spectra.row(static_cast<Index>(i))));
    }
    right += std::max_element(values.begin(), values.end()) - values.begin() == samples.labels[i] ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(fold_of.size());
}

std::vector<double> accuracies(const GridSearch& search) {
  std::vector<double> result;
  for (const GridCell& cell : search.cells) {
    result.push_back(cell.accuracy);
  }
  return result;
}

}  // namespace

TEST_CASE("cross-validation: the grid is by decades around the mean squared distance") {
  const Blobs samples = blobs(30, 3, 1);
  const GridSearch search = cross_validated_grid(samples.spectra, samples.labels, 3, {3, 0, {}});
  const double distance = mean_squared_distance(samples.spectra);
  REQUIRE(search.cells.size() == 42);
  CHECK(search.evaluations == 126);
  for (std::size_t i = 0; i < 42; ++i) {
    const auto width = static_cast<double>(i / 7);
    CHECK(search.cells[i].isotropic == doctest::Approx(2 * std::pow(10, width - 3) / distance));
    CHECK(search.cells[i].C == doctest::Approx(std::pow(10, static_cast<double>(i % 7) - 1)));
  }
}

TEST_CASE("cross-validation: every cell is what retraining for each sample gives") {
  for (const int classes : {2, 3, 4}) {
    const Blobs samples = blobs(36, classes, 2);
    const auto count = static_cast<std::size_t>(classes);
    const GridSearch search = cross_validated_grid(samples.spectra, samples.labels, count, {4, 9, {}});
    const auto units = mapped<SampleUnit>(consecutive(36), [](Index i) { return SampleUnit{i}; });
    const std::vector<Index> folds = assign_folds(samples.labels, count, units, 4, 9, 0);
    for (const GridCell& cell : search.cells) {
      CAPTURE(cell.isotropic);
      CAPTURE(cell.C);
      CHECK(cell.accuracy == doctest::Approx(retrained_accuracy(samples, classes, folds, cell)));
    }
  }
}

TEST_CASE("cross-validation: the best cell has the smallest C, then the widest kernel of those as good") {
  for (const std::uint64_t seed : {3, 4, 5}) {
    const Blobs samples = blobs(40, 2, seed);
    const GridSearch search = cross_validated_grid(samples.spectra, samples.labels, 2);
    std::vector<GridCell> ties;
    for (const GridCell& cell : search.cells) {
      CHECK(cell.accuracy <= search.accuracy);
      if (cell.accuracy == search.accuracy) {
        ties.push_back(cell);
      }
    }
    for (const GridCell& cell : ties) {
      CHECK(search.best.C <= cell.C);
      CHECK((search.best.C < cell.C || search.best.weights.isotropic <= cell.isotropic));
    }
    CHECK(search.best.weights.directional.size() == 0);
  }
}

TEST_CASE("cross-validation: units and origin of the bands, empty classes and class numbers change nothing") {
  const Blobs samples = blobs(45, 3, 6);
  const GridSearch plain = cross_validated_grid(samples.spectra, samples.labels, 3);
  const Matrix moved = 1000 * samples.spectra.array() - 500;
  const GridSearch scaled = cross_validated_grid(moved, samples.labels, 3);
  CHECK(accuracies(scaled) == accuracies(plain));
  CHECK(scaled.best.C == plain.best.C);
  CHECK(scaled.best.weights.isotropic == doctest::Approx(1e-6 * plain.best.weights.isotropic));
  const GridSearch padded = cross_validated_grid(samples.spectra, samples.labels, 5);
  CHECK(accuracies(padded) == accuracies(plain));
}

// The order of the samples matters through the draw of the folds alone: with a fold for every sample nothing is drawn.
TEST_CASE("cross-validation: leaving out single samples does not depend on their order") {
  const Blobs samples = blobs(24, 2, 7);
  Indices order(24);
  std::iota(order.rbegin(), order.rend(), Index{0});
  Blobs reversed{samples.spectra(order, Eigen::all), {}};
  for (const Index i : order) {
    reversed.labels.push_back(samples.labels[static_cast<std::size_t>(i)]);
  }
  const GridOptions options{24, 0, {}};
  CHECK(accuracies(cross_validated_grid(reversed.spectra, reversed.labels, 2, options)) ==
        accuracies(cross_validated_grid(samples.spectra, samples.labels, 2, options)));
}

TEST_CASE("cross-validation: separated classes are distinguished, whatever their number") {
  const SampleSet samples = toy::three_classes(20, 8);
  Matrix apart = samples.spectra;
  for (Index i = 0; i < apart.rows(); ++i) {
    apart(i, 5) += 20000 * samples.labels[static_cast<std::size_t>(i)];
  }
  CHECK(cross_validated_grid(apart, samples.labels, 3).accuracy == 1);
}

TEST_CASE("cross-validation: a single sample of a class is wrong when it is left out, not an error") {
  Blobs samples = blobs(30, 2, 9);
  samples.labels[4] = 2;
  const GridSearch search = cross_validated_grid(samples.spectra, samples.labels, 3);
  CHECK(search.accuracy <= doctest::Approx(29.0 / 30));
  CHECK(search.accuracy > 0.5);
}

TEST_CASE("cross-validation: asks before every evaluation, and can be stopped there") {
  const Blobs samples = blobs(20, 2, 10);
  int calls = 0;
  GridOptions options{2, 0, {}};
  options.on_evaluation = [&] { ++calls; };
  CHECK(cross_validated_grid(samples.spectra, samples.labels, 2, options).evaluations == calls);
  struct Stop {};
  calls = 0;
  options.on_evaluation = [&] {
    if (++calls == 10) {
      throw Stop();
    }
  };
  CHECK_THROWS_AS(cross_validated_grid(samples.spectra, samples.labels, 2, options), Stop);
  CHECK(calls == 10);
}

TEST_CASE("cross-validation: what it cannot do") {
  const Blobs samples = blobs(5, 2, 11);
  CHECK_THROWS_WITH_AS(cross_validated_grid(samples.spectra, {0, 0, 0, 0, 1}, 2),
                       "cross-validation needs two classes with at least two training samples; classes with so many: "
                       "1 of 2",
                       DataError);
  CHECK_THROWS_WITH_AS(cross_validated_grid(Matrix::Ones(4, 2), {0, 0, 1, 1}, 2),
                       "cross-validation needs training samples that differ; all spectra are equal", DataError);
}
