#include "parsimap/svm/minimise.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace parsimap;

namespace {

double rosenbrock(const Vector& x, Vector& gradient) {
  const double a = 1 - x(0);
  const double b = x(1) - x(0) * x(0);
  gradient.resize(2);
  gradient << -2 * a - 400 * x(0) * b, 200 * b;
  return a * a + 100 * b * b;
}

Vector box(double value) { return Vector::Constant(2, value); }

}  // namespace

TEST_CASE("minimise: Rosenbrock's valley, and what is recorded on the way") {
  const Vector start = (Vector(2) << -1.2, 1.0).finished();
  const Descent descent = minimise(rosenbrock, start, box(-5), box(5), {500, 1e-8, 1e-14});
  CHECK((descent.point - Vector::Ones(2)).norm() < 1e-4);
  CHECK(descent.value < 1e-8);
  CHECK(descent.evaluations == static_cast<Index>(descent.trace.size()));
  CHECK(descent.trace.front() == doctest::Approx(24.2));
  CHECK((descent.stop == DescentStop::gradient || descent.stop == DescentStop::decrease));
}

TEST_CASE("minimise: the optimum on the border of the box") {
  const Descent descent = minimise(rosenbrock, box(-1.0), box(-2), box(0.5), {500, 1e-9, 1e-14});
  CHECK((descent.point - (Vector(2) << 0.5, 0.25).finished()).norm() < 1e-4);
}

TEST_CASE("minimise: the evaluation limit holds and the best point seen is kept") {
  const Vector start = (Vector(2) << -1.2, 1.0).finished();
  const Descent descent = minimise(rosenbrock, start, box(-5), box(5), {7, 1e-8, 1e-14});
  CHECK(descent.stop == DescentStop::evaluation_limit);
  CHECK(descent.evaluations == 7);
  Vector unused;
  CHECK(rosenbrock(descent.point, unused) == descent.value);
  CHECK(descent.value == *std::min_element(descent.trace.begin(), descent.trace.end()));
}

TEST_CASE("minimise: a start outside the box is moved into it, a flat function stops at once") {
  const Objective flat = [](const Vector&, Vector& gradient) {
    gradient.setZero();
    return 3.0;
  };
  const Descent descent = minimise(flat, box(9), box(-1), box(1), {});
  CHECK(descent.stop == DescentStop::gradient);
  CHECK(descent.point == box(1));
  CHECK(descent.evaluations == 1);
}

TEST_CASE("minimise: a value that is not finite ends the descent with what was known") {
  const Objective cliff = [](const Vector& x, Vector& gradient) {
    gradient = Vector::Constant(2, -1);
    return x.sum() < 0.5 ? -x.sum() : std::numeric_limits<double>::infinity();
  };
  const Descent descent = minimise(cliff, box(0), box(-1), box(4), {});
  CHECK(descent.stop == DescentStop::not_finite);
  CHECK(descent.value <= 0);
  CHECK(descent.point.allFinite());
}

TEST_CASE("minimise: a kink is a stop reason, not an exception") {
  const Objective kink = [](const Vector& x, Vector& gradient) {
    // The gradient points the wrong way: no step along it helps.
    gradient = Vector::Ones(2);
    return -x.sum();
  };
  const Descent descent = minimise(kink, box(0), box(-1), box(1), {});
  CHECK(descent.stop == DescentStop::line_search);
  CHECK(to_string(descent.stop) == "no lower value along the search direction");
}

TEST_CASE("minimise: what the objective throws reaches the caller") {
  Index calls = 0;
  const Objective failing = [&](const Vector& x, Vector& gradient) {
    if (++calls == 3) {
      throw std::runtime_error("interrupted");
    }
    return rosenbrock(x, gradient);
  };
  const Vector start = (Vector(2) << -1.2, 1.0).finished();
  CHECK_THROWS_WITH_AS(minimise(failing, start, box(-5), box(5), {}), "interrupted", std::runtime_error);
  CHECK(calls == 3);
}
