#include "parsimap/validation/learning_curve.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace parsimap::test {
namespace {

const Vector kSizes = (Vector(4) << 0.2, 0.32, 0.5, 0.8).finished();

double power_law(double error, double limit, double exponent, double size) {
  return error * (limit + (1 - limit) * std::pow(size, -exponent));
}

// Points on a power law, each with this standard error of its own.
MeasuredCurve curve_of(double error, double limit, double exponent, double deviation) {
  const Vector errors = kSizes.unaryExpr([&](double size) { return power_law(error, limit, exponent, size); });
  return {kSizes, errors, Matrix(deviation * deviation * Matrix::Identity(4, 4)), 30};
}

}  // namespace

TEST_CASE("learning curve: exact points of a power law give it back, far beyond them") {
  for (const auto& [error, limit, exponent] : {std::array{0.2, 0.3, 0.5}, {0.05, 0.0, 1.0}, {0.3, 0.8, 1.75}}) {
    const LearningCurve curve(curve_of(error, limit, exponent, 1e-6), false);
    for (const double size : {0.3, 1.0, 2.0, 10.0}) {
      CHECK(curve.at(size).mean == doctest::Approx(power_law(error, limit, exponent, size)).epsilon(1e-3));
      CHECK(curve.at(size).variance < 1e-6);
    }
  }
}

TEST_CASE("learning curve: errors that do not fall stay, and only those of a class may rise") {
  const MeasuredCurve flat = curve_of(0.2, 1, 1, 1e-5);
  CHECK(LearningCurve(flat, false).at(5).mean == doctest::Approx(0.2).epsilon(1e-3));
  const MeasuredCurve rising = curve_of(0.2, 1.5, 1, 1e-5);
  CHECK(LearningCurve(rising, true).at(2).mean == doctest::Approx(0.25).epsilon(1e-3));
  const LearningCurve not_rising(rising, false);
  CHECK(not_rising.at(2).mean <= not_rising.at(1).mean);
  // No error at all is certain to stay none.
  MeasuredCurve none = flat;
  none.errors.setZero();
  CHECK(LearningCurve(none, false).at(5).mean == 0);
}

TEST_CASE("learning curve: the further it is extrapolated the less it is known, and errors never rise") {
  const LearningCurve curve(curve_of(0.2, 0.5, 1, 0.03), false);
  double relative = 0;
  double mean = 1;
  for (const double size : {1.0, 1.5, 3.0, 6.0, 20.0}) {
    const LearningCurve::Error error = curve.at(size);
    CHECK(error.mean < mean);
    CHECK(std::sqrt(error.variance) / error.mean > relative);
    mean = error.mean;
    relative = std::sqrt(error.variance) / error.mean;
  }
}

TEST_CASE("learning curve: common errors of all points shift it, and do not bend it") {
  MeasuredCurve measured = curve_of(0.2, 0.5, 1, 1e-4);
  const LearningCurve alone(measured, false);
  measured.covariance.array() += 0.05 * 0.05;
  const LearningCurve shifted(measured, false);
  CHECK(shifted.at(2).mean == doctest::Approx(alone.at(2).mean).epsilon(0.05));
  CHECK(std::sqrt(shifted.at(2).variance) > 10 * std::sqrt(alone.at(2).variance));
}

}  // namespace parsimap::test
