#include "cli/time_left.hpp"

#include <doctest/doctest.h>

#include <functional>

namespace parsimap {
namespace {

// What is told after `seconds`, of a job whose fraction is a function of the time, told ten times a second.
std::optional<double> told_after(double seconds, const std::function<double(double)>& fraction) {
  TimeLeft left;
  for (int i = 0; i <= static_cast<int>(10 * seconds); ++i) {
    left.add(i / 10.0, fraction(i / 10.0));
  }
  return left.seconds();
}

}  // namespace

TEST_CASE("nothing is told before anything has moved") {
  TimeLeft left;
  CHECK_FALSE(left.seconds());
  left.add(3, 0);
  CHECK_FALSE(left.seconds());
  left.add(4, 0.25);
  CHECK(*left.seconds() == doctest::Approx(12));
}

TEST_CASE("a job that moves evenly has its true time left at every moment") {
  for (const double seconds : {1.0, 25.0, 50.0, 99.0}) {
    CHECK(*told_after(seconds, [](double t) { return t / 100; }) == doctest::Approx(100 - seconds));
  }
}

TEST_CASE("what was done before the first moment does not count") {
  TimeLeft left;
  left.add(0, 0.6);
  left.add(10, 0.7);
  left.add(20, 0.8);
  CHECK(*left.seconds() == doctest::Approx(20));
}

TEST_CASE("a beginning of another rate is forgotten") {
  // The first tenth takes 60 seconds, the rest one second per hundredth.
  const auto fraction = [](double t) { return t < 60 ? t / 600 : 0.1 + (t - 60) / 100; };
  CHECK(*told_after(90, fraction) == doctest::Approx(60).epsilon(0.01));
}

TEST_CASE("a job of many hours is remembered in a few moments, and as well") {
  CHECK(*told_after(20000, [](double t) { return t / 40000; }) == doctest::Approx(20000).epsilon(0.01));
}

}  // namespace parsimap
