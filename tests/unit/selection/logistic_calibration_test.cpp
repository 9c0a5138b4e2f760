#include "parsimap/selection/logistic_calibration.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/core/random.hpp"

using namespace parsimap;

namespace {

struct Values {
  Vector decisions;
  Vector labels;
};

// Every fourth sample is of the class; its decision values are higher by `shift`.
Values overlapping(Index n, double shift, std::uint64_t seed) {
  Values values{Random(seed).normal_matrix(n, 1), Vector::Constant(n, -1)};
  for (Index i = 0; i < n; i += 4) {
    values.labels(i) = 1;
    values.decisions(i) += shift;
  }
  return values;
}

// The definition, for any slope and offset.
double loss_at(const Values& values, double slope, double offset) {
  double sum = 0;
  for (Index i = 0; i < values.labels.size(); ++i) {
    const double t = values.labels(i) > 0 ? 0.999 : 0.001;
    const double p = 1 / (1 + std::exp(-(slope * values.decisions(i) + offset)));
    sum -= t * std::log(p) + (1 - t) * std::log(1 - p);
  }
  return sum / static_cast<double>(values.labels.size());
}

}  // namespace

TEST_CASE("logistic calibration: no slope and offset do better") {
  const Values values = overlapping(200, 1.5, 3);
  const LogisticCalibration best = calibrate(values.decisions, values.labels);
  CHECK(best.slope > 0.5);
  CHECK(best.loss == doctest::Approx(loss_at(values, best.slope, best.offset)));
  for (const double step : {-0.3, -1e-3, 1e-3, 0.3}) {
    CHECK(loss_at(values, best.slope + step, best.offset) > best.loss);
    CHECK(loss_at(values, best.slope, best.offset + step) > best.loss);
  }
}

TEST_CASE("logistic calibration: scale and shift of the decision values do not count") {
  const Values values = overlapping(200, 1.5, 3);
  const LogisticCalibration plain = calibrate(values.decisions, values.labels);
  for (const double scale : {1e-3, 0.2, 50.0}) {
    const LogisticCalibration other = calibrate((scale * values.decisions).array() - 3 * scale, values.labels);
    CHECK(other.loss == doctest::Approx(plain.loss).epsilon(1e-9));
    CHECK(other.slope * scale == doctest::Approx(plain.slope).epsilon(1e-5));
  }
}

TEST_CASE("logistic calibration: the derivative against central differences") {
  Values values = overlapping(60, 1.0, 5);
  const Vector derivative = calibrate(values.decisions, values.labels).derivative;
  for (const Index i : {0, 1, 17, 40}) {
    const double step = 1e-5;
    const double here = values.decisions(i);
    values.decisions(i) = here + step;
    const double up = calibrate(values.decisions, values.labels).loss;
    values.decisions(i) = here - step;
    const double down = calibrate(values.decisions, values.labels).loss;
    values.decisions(i) = here;
    CHECK(derivative(i) == doctest::Approx((up - down) / (2 * step)).epsilon(1e-5));
  }
}

TEST_CASE("logistic calibration: values in the wrong order are worth as much as none") {
  const Values values = overlapping(80, -2.0, 6);
  const LogisticCalibration wrong = calibrate(values.decisions, values.labels);
  CHECK(wrong.slope == 0);
  CHECK(wrong.derivative == Vector::Zero(80));
  CHECK(wrong.loss == doctest::Approx(calibrate(Vector::Zero(80), values.labels).loss));
}

TEST_CASE("logistic calibration: separable values have a finite slope, and a gap is worth more than a touch") {
  const Vector labels = (Vector(6) << 1, 1, 1, -1, -1, -1).finished();
  const Vector apart = (Vector(6) << 3, 3.1, 2.9, -3, -3.1, -2.9).finished();
  const Vector close = (Vector(6) << 5, 3.1, 0.1, -0.1, -3.1, -5).finished();
  const LogisticCalibration wide = calibrate(apart, labels);
  CHECK(std::isfinite(wide.slope));
  CHECK(wide.loss < calibrate(close, labels).loss);
  CHECK(std::isfinite(calibrate(1e8 * apart, labels).loss));
}
