#include "parsimap/selection/reduced_support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

namespace parsimap::test {
namespace {

// Two classes, samples in regions of four, whose means lie `distance` noise deviations apart in ten bands.
struct Noisy {
  Matrix spectra;
  std::vector<int> labels;
  std::vector<SamplePlace> places;

  Noisy(Index n, double distance) : spectra(Random(3).normal_matrix(n, 10)) {
    for (Index i = 0; i < n; ++i) {
      labels.push_back(i < n / 2 ? 0 : 1);
      places.push_back({i, i / 4, {i / 4}});
      spectra(i, 0) += labels.back() * distance;
    }
  }
  // The last columns may be features of profiles.
  [[nodiscard]] LabelledSpectra all(Index features = 0) const { return {spectra, labels, places, 2, features}; }
};

const std::vector<ClassParameters>& classifiers() {
  static const std::vector<ClassParameters> both(2, {{Matrix(10, 0), Vector(0), 0.05}, 1000});
  return both;
}

}  // namespace

TEST_CASE("support rules have names") {
  CHECK(parse_support_rule("all") == SupportRule::all);
  CHECK(to_string(SupportRule::reduced) == "reduced");
  CHECK_THROWS_AS(parse_support_rule("some"), ConfigError);
}

TEST_CASE("classes that a few kernels tell apart get few centres, and lose nothing") {
  const Noisy data(600, 6);
  const auto reduced = reduce_support(data.all(), classifiers(), 500, {});
  REQUIRE(reduced);
  CHECK(reduced->centres.size() <= 125);
  CHECK(std::is_sorted(reduced->centres.begin(), reduced->centres.end()));
  CHECK(reduced->coefficients.rows() == static_cast<Index>(reduced->centres.size()));
  CHECK(reduced->coefficients.cols() == 2);
  CHECK(reduced->violations.maxCoeff() < 1e-6);
  const ReductionLoss& loss = reduced->loss;
  CHECK(loss.samples >= 100);  // a fifth, as whole units
  CHECK(loss.samples <= 140);
  CHECK(loss.exact_accuracy > 0.98);
  CHECK(loss.exact_accuracy - loss.reduced_accuracy + 2 * loss.error <= kReductionLoss);
  CHECK(loss.reduced_slope > 0);

  ReductionOptions two_threads;
  two_threads.threads = 2;
  two_threads.at_once = 1;
  const auto again = reduce_support(data.all(), classifiers(), 500, two_threads);
  REQUIRE(again);
  CHECK(again->centres == reduced->centres);
  CHECK(again->coefficients == reduced->coefficients);
}

TEST_CASE("classifiers with a kernel of profiles get few centres, too") {
  const Noisy data(600, 6);
  const std::vector<ClassParameters> both(2, {{Matrix(6, 0), Vector(0), 0.05, {4, 0.05, 0.4}}, 1000});
  const auto reduced = reduce_support(data.all(4), both, 500, {});
  REQUIRE(reduced);
  CHECK(reduced->centres.size() <= 125);
  CHECK(reduced->loss.exact_accuracy > 0.98);
  CHECK(reduced->violations.maxCoeff() < 1e-6);
  // A share of 0 is no kernel of profiles at all.
  Noisy more = data;
  more.spectra.conservativeResize(600, 14);
  more.spectra.rightCols(4) = Random(8).normal_matrix(600, 4);
  const std::vector<ClassParameters> none(2, {{Matrix(10, 0), Vector(0), 0.05, {4, 0.05, 0}}, 1000});
  const auto expected = reduce_support(data.all(), classifiers(), 500, {});
  const auto found = reduce_support(more.all(4), none, 500, {});
  REQUIRE(expected);
  REQUIRE(found);
  CHECK(found->centres == expected->centres);
  CHECK((found->coefficients - expected->coefficients).cwiseAbs().maxCoeff() <
        1e-6 * expected->coefficients.cwiseAbs().maxCoeff());
}

TEST_CASE("exact classifiers stay where they have few support spectra, or where few centres lose by it") {
  CHECK_FALSE(reduce_support(Noisy(200, 6).all(), classifiers(), kFewestReducible - 1, {}));
  CHECK_FALSE(reduce_support(Noisy(kMostReducible + 1, 6).all(), classifiers(), 1000, {}));
  // Classes of many small clusters: every centre that is missing costs accuracy.
  Noisy clusters(640, 0);
  const Matrix means = 6 * Random(5).normal_matrix(160, 10);
  for (Index i = 0; i < 640; ++i) {
    const Index cluster = (i * 7) % 160;
    clusters.spectra.row(i) = 0.2 * clusters.spectra.row(i) + means.row(cluster);
    clusters.labels[static_cast<std::size_t>(i)] = static_cast<int>(cluster % 2);
    clusters.places[static_cast<std::size_t>(i)].unit.number = i;
  }
  CHECK_FALSE(reduce_support(clusters.all(), classifiers(), 500, {}));
}

TEST_CASE("the work of a reduction grows with the samples, and is none where there is no reduction") {
  CHECK(reduction_operations(100, 10, 3) == 0);
  CHECK(reduction_operations(2000, 10, 3) > reduction_operations(1000, 10, 3));
  CHECK(reduction_operations(kMostReducible + 1, 10, 3) == 0);
}

}  // namespace parsimap::test
