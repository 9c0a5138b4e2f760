#include "parsimap/classifier/calibration.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/random.hpp"

using namespace parsimap;

namespace {

double log_loss(const Matrix& decisions, const std::vector<int>& labels, double slope) {
  double sum = 0;
  for (Index i = 0; i < decisions.rows(); ++i) {
    const Eigen::ArrayXd e = (slope * decisions.row(i)).array().exp().transpose();
    sum -= std::log(e(labels[static_cast<std::size_t>(i)]) / e.sum());
  }
  return sum;
}

}  // namespace

TEST_CASE("softmax slope: found again from labels drawn with it") {
  Random random(5);
  const Matrix decisions = random.normal_matrix(20000, 4);
  for (const double slope : {0.5, 2.5}) {
    std::vector<int> labels;
    for (Index i = 0; i < decisions.rows(); ++i) {
      const Eigen::ArrayXd e = (slope * decisions.row(i)).array().exp().transpose();
      double u = random.uniform() * e.sum();
      int label = 0;
      while (label < 3 && u > e(label)) {
        u -= e(label);
        ++label;
      }
      labels.push_back(label);
    }
    const double found = fit_softmax_slope(decisions, labels);
    CHECK(found == doctest::Approx(slope).epsilon(0.05));
    CHECK(log_loss(decisions, labels, found) <= log_loss(decisions, labels, found * 1.01));
    CHECK(log_loss(decisions, labels, found) <= log_loss(decisions, labels, found / 1.01));
  }
}

TEST_CASE("softmax slope: finite where the classes are separated completely, positive where nothing is learnt") {
  Matrix separated(4, 2);
  separated << 1, -1, 1, -1, -1, 1, -1, 1;
  const double steep = fit_softmax_slope(separated, {0, 0, 1, 1});
  CHECK(steep > 1);
  CHECK(steep < 200);
  const double wrong = fit_softmax_slope(separated, {1, 1, 0, 0});
  CHECK(wrong > 0);
}

TEST_CASE("argmax accuracy: counts rows, the first of equal values wins") {
  Matrix decisions(3, 2);
  decisions << 1, 0, 0, 1, 2, 2;
  CHECK(argmax_accuracy(decisions, {0, 0, 0}) == doctest::Approx(2.0 / 3));
}
