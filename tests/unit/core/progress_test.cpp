#include "parsimap/core/progress.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace parsimap::test {
namespace {

struct Listener {
  std::vector<double> fractions;
  Progress progress = [this](double fraction) { fractions.push_back(fraction); };

  [[nodiscard]] double last() const { return fractions.back(); }
  [[nodiscard]] bool rises() const { return std::is_sorted(fractions.begin(), fractions.end()); }
};

}  // namespace

TEST_CASE("items done are reported as a fraction of all, and nobody needs to listen") {
  Listener listener;
  report_done(listener.progress, 1, std::size_t{4});
  report_done(listener.progress, 4, 4);
  CHECK(listener.fractions == std::vector<double>{0.25, 1});
  CHECK_NOTHROW(report_done(Progress(), 1, 4));
}

TEST_CASE("work that is as expected moves the fraction evenly") {
  Listener listener;
  WorkProgress work(listener.progress);
  // Tasks that know how far they are: 100, 200 and 100 operations.
  for (const double expected : {100.0, 200.0, 100.0}) {
    work.add(expected);
  }
  for (const double part : {0.25, 0.5, 1.0}) {
    work.fraction(0)(part);
  }
  CHECK(listener.fractions == std::vector<double>{1.0 / 16, 1.0 / 8, 1.0 / 4});
  work.fraction(1)(1);
  CHECK(listener.last() == doctest::Approx(0.75));
  work.fraction(2)(0.5);
  CHECK(listener.last() == doctest::Approx(0.875));
  work.fraction(2)(0.25);
  CHECK(listener.rises());
  work.finish(2);
  CHECK(listener.last() == 1);
}

TEST_CASE("a task that takes longer than expected slows down, and never stands still nor reaches the end") {
  Listener listener;
  WorkProgress work(listener.progress);
  work.add(100);
  const Work spend = work.work(0);
  for (int i = 0; i < 1000; ++i) {
    spend(10);
  }
  CHECK(listener.fractions[4] == doctest::Approx(0.5));
  for (std::size_t i = 1; i < listener.fractions.size(); ++i) {
    CHECK(listener.fractions[i] > listener.fractions[i - 1]);
  }
  CHECK(listener.last() < 1);
  work.finish(0);
  CHECK(listener.last() == 1);
}

TEST_CASE("a task that takes less than expected is over when it says so") {
  Listener listener;
  WorkProgress work(listener.progress);
  work.add(100);
  work.add(300);
  work.work(0)(10);
  CHECK(listener.last() == doctest::Approx(0.025));
  work.finish(0);
  CHECK(listener.last() == doctest::Approx(0.25));
}

TEST_CASE("what a listener throws reaches the task, and nobody needs to listen") {
  const Progress stop = [](double) { throw std::runtime_error("stop"); };
  WorkProgress stopped(stop);
  stopped.add(1);
  CHECK_THROWS_AS(stopped.work(0)(0.5), std::runtime_error);
  const Progress nobody;
  WorkProgress silent(nobody);
  silent.add(1);
  CHECK_NOTHROW(silent.work(0)(0.5));
  CHECK_NOTHROW(silent.finish(0));
}

}  // namespace parsimap::test
