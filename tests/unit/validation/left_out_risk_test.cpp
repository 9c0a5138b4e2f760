#include "parsimap/validation/left_out_risk.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "parsimap/core/random.hpp"

#include "support/places.hpp"

namespace parsimap::test {
namespace {

double log_loss(const Matrix& scores, const std::vector<int>& labels, const Vector& weights, double slope) {
  double sum = 0;
  for (Index i = 0; i < scores.rows(); ++i) {
    const Eigen::ArrayXd e = (slope * scores.row(i)).array().exp().transpose();
    sum -= weights(i) * std::log(e(labels[static_cast<std::size_t>(i)]) / e.sum());
  }
  return sum / weights.sum();
}

}  // namespace

TEST_CASE("left-out samples are taken for the class of the largest score, those of an untrained class for none") {
  constexpr double kUntrained = -std::numeric_limits<double>::infinity();
  Matrix scores(4, 3);
  scores << 0.5, -1, 2,    //
      1, 1, kUntrained,    // the first of equals
      kUntrained, -3, -4,  // of class 0, which was not trained
      -2, 0.1, 0;
  const std::vector<LeftOutRecord> found =
      left_out_records(scores, {2, 1, 0, 2}, {3, 8, 9, 20}, units({7, 7, 5, 1}), {0, 0, 1, 2});
  CHECK(mapped<Index>(found, &LeftOutRecord::sample) == Indices{3, 8, 20});
  CHECK(mapped<int>(found, &LeftOutRecord::label) == std::vector<int>{2, 1, 2});
  CHECK(mapped<int>(found, &LeftOutRecord::predicted) == std::vector<int>{2, 0, 1});
  CHECK(mapped<SampleUnit>(found, &LeftOutRecord::unit) == units({7, 7, 1}));
  CHECK(mapped<Index>(found, &LeftOutRecord::fold) == Indices{0, 0, 2});
  CHECK(std::isnan(found.front().distance));
  CHECK(std::isnan(found.front().unlike));
}

TEST_CASE("left-out risk: the slope is found again from labels drawn with it, and the mean is the naive one") {
  Random random(5);
  const Matrix scores = random.normal_matrix(20000, 4);
  Vector weights(20000);
  for (double& weight : weights) {
    weight = 0.5 + random.uniform();
  }
  for (const double slope : {0.5, 2.5}) {
    std::vector<int> labels;
    double wrong = 0;
    for (Index i = 0; i < scores.rows(); ++i) {
      const Eigen::ArrayXd e = (slope * scores.row(i)).array().exp().transpose();
      double u = random.uniform() * e.sum();
      int label = 0;
      while (label < 3 && u > e(label)) {
        u -= e(label);
        ++label;
      }
      labels.push_back(label);
      Index best = 0;
      scores.row(i).maxCoeff(&best);
      wrong += best != label ? weights(i) : 0;
    }
    const LeftOutRisk risk = left_out_risk(scores, labels, weights);
    CHECK(risk.slope == doctest::Approx(slope).epsilon(0.05));
    CHECK(risk.errors == doctest::Approx(wrong / weights.sum()));
    const double loss = log_loss(scores, labels, weights, risk.slope);
    CHECK(risk.mean == doctest::Approx(loss + risk.errors));
    CHECK(risk.risks.dot(weights) / weights.sum() == doctest::Approx(risk.mean));
    CHECK(loss <= log_loss(scores, labels, weights, risk.slope * 1.01));
    CHECK(loss <= log_loss(scores, labels, weights, risk.slope / 1.01));
  }
}

TEST_CASE("left-out risk: the slope is finite where the classes are separated, positive where nothing is learnt") {
  Matrix separated(4, 2);
  separated << 1, -1, 1, -1, -1, 1, -1, 1;
  const Vector weights = Vector::Ones(4);
  const LeftOutRisk right = left_out_risk(separated, {0, 0, 1, 1}, weights);
  CHECK(right.slope > 1);
  CHECK(right.slope < 200);
  CHECK(right.errors == 0);
  // With the targets of 4 units the probability of the label is 1 - 1/6, and the risk is the same.
  const LeftOutRisk smoothed = left_out_risk(separated, {0, 0, 1, 1}, weights, 4);
  CHECK(smoothed.mean == right.mean);
  const double gap = separated(0, 0) - separated(0, 1);
  CHECK(std::exp(-smoothed.slope * gap) == doctest::Approx(1.0 / 5).epsilon(1e-3));
  const LeftOutRisk wrong = left_out_risk(separated, {1, 1, 0, 0}, weights);
  CHECK(wrong.slope > 0);
  CHECK(wrong.errors == 1);
}

TEST_CASE("left-out risk: a class that was not trained is no rival, and its samples do not count") {
  const double none = -std::numeric_limits<double>::infinity();
  Matrix scores(3, 3);
  scores << 2, 1, none, 0.5, 1, none, 0, 1, none;
  const LeftOutRisk risk = left_out_risk(scores, {0, 0, 2}, Vector::Ones(3));
  CHECK(risk.errors == doctest::Approx(0.5));
  CHECK(risk.risks(2) == 0);
  CHECK(std::isfinite(risk.mean));
  const LeftOutRisk two = left_out_risk(scores.topLeftCorner(2, 2), {0, 0}, Vector::Ones(2));
  CHECK(two.mean == doctest::Approx(risk.mean));
}

TEST_CASE("left-out risk: of equal scores the first wins") {
  Matrix scores(3, 2);
  scores << 1, 0, 0, 1, 2, 2;
  CHECK(left_out_risk(scores, {0, 0, 0}, Vector::Ones(3)).errors == doctest::Approx(1.0 / 3));
}

TEST_CASE("left-out samples are counted by their class and by that of their largest score") {
  const double none = -std::numeric_limits<double>::infinity();
  Matrix scores(5, 3);
  // The last sample is of a class that was not trained without its fold, and does not count.
  scores << 2, 1, 0, 0, 3, 1, 1, 1, 0, 0, 0, 1, none, 1, 0;
  CountMatrix expected(3, 3);
  expected << 1, 1, 0, 1, 0, 0, 0, 0, 1;
  CHECK(left_out_confusion(scores, {0, 0, 1, 2, 0}) == expected);
}

TEST_CASE("of independent samples the error is the usual one of a mean") {
  const Vector values = Random(1).normal_matrix(50, 1).col(0);
  std::vector<std::int64_t> numbers(50);
  std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  const double mean = values.mean();
  const double usual = std::sqrt((values.array() - mean).square().sum() / 49 / 50);
  CHECK(standard_error(values, Vector::Ones(50), units(numbers)) == doctest::Approx(usual));
}

TEST_CASE("copies in the same unit tell nothing new") {
  const Vector values = Random(2).normal_matrix(20, 1).col(0);
  std::vector<std::int64_t> numbers(20);
  std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
  const double once = standard_error(values, Vector::Ones(20), units(numbers));
  Vector twice(40);
  twice << values, values;
  std::vector<std::int64_t> doubled = numbers;
  doubled.insert(doubled.end(), numbers.begin(), numbers.end());
  CHECK(standard_error(twice, Vector::Ones(40), units(doubled)) == doctest::Approx(once));
}

TEST_CASE("a single unit has no error of its own") {
  CHECK(standard_error(Vector::Ones(3), Vector::Ones(3), units({7, 7, 7})) == 0);
}

TEST_CASE("samples are correct by their largest score, and not without a classifier of their class") {
  const double none = -std::numeric_limits<double>::infinity();
  Matrix scores(3, 2);
  scores << 2, 1, 0, 3, none, 1;
  CHECK(left_out_correct(scores, {0, 0, 0}) == Vector{{1, 0, 0}});
}

}  // namespace parsimap::test
