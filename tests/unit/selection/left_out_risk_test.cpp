#include "selection/left_out_risk.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "parsimap/core/random.hpp"

using namespace parsimap;

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
