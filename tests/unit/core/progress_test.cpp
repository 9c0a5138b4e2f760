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

TEST_CASE("work that is as expected moves the fraction evenly") {
  Listener listener;
  WorkProgress work(listener.progress);
  // Tasks that know how far they are: 100, 200 and 100 operations.
  for (const double expected : {100.0, 200.0, 100.0}) {
    work.add("task", expected);
  }
  for (const double part : {0.25, 0.5, 1.0}) {
    work.fraction(0)(part);
  }
  CHECK(listener.fractions == std::vector<double>{1.0 / 16, 1.0 / 8, 1.0 / 4});
  work.fraction(1)(1);
  CHECK(listener.last() == doctest::Approx(0.75));
  work.fraction(2)(0.5);
  CHECK(listener.last() == doctest::Approx(0.875));
  work.finish();
  CHECK(listener.last() == 1);
}

TEST_CASE("a task that takes longer than expected slows down, and never stands still nor reaches the end") {
  Listener listener;
  WorkProgress work(listener.progress);
  work.add("endless", 100);
  const Work spend = work.work(0);
  for (int i = 0; i < 1000; ++i) {
    spend(10);
  }
  CHECK(listener.fractions[4] == doctest::Approx(0.5));
  for (std::size_t i = 1; i < listener.fractions.size(); ++i) {
    CHECK(listener.fractions[i] > listener.fractions[i - 1]);
  }
  CHECK(listener.last() < 1);
}

TEST_CASE("what the first tasks of a kind took is expected of the others") {
  // Ten tasks of 100 operations each that are expected to take 1000, and ten of 30 of another kind, told well.
  Listener listener;
  WorkProgress work(listener.progress);
  for (int i = 0; i < 10; ++i) {
    work.add("short", 1000);
  }
  for (int i = 0; i < 10; ++i) {
    work.add("known", 30);
  }
  std::vector<double> rates;
  for (std::size_t task = 0; task < 10; ++task) {
    const double before = task == 0 ? 0 : listener.last();
    work.work(task)(100);
    work.finish(task);
    rates.push_back((1 - before) / (listener.last() - before));
  }
  // (1 - f) over the rise of f is what is left over what is done. Before anything is known 100 times as much is left;
  // later it is what there is, in units of 100, for the other kind is expected to be off as much as this one.
  CHECK(rates[0] > 50);
  CHECK(rates[2] == doctest::Approx(8 + 0.3).epsilon(0.1));
  CHECK(rates[9] == doctest::Approx(1 + 0.3).epsilon(0.25));
  CHECK(listener.rises());
}

TEST_CASE("a kind that nothing is known of is expected to be off as much as the others") {
  Listener listener;
  WorkProgress work(listener.progress);
  work.add("first", 10);
  work.add("second", 10);
  work.work(0)(1000);
  work.finish(0);
  work.work(1)(100);
  // 900 of 2000 operations are left.
  const double before = listener.fractions[0];
  CHECK((1 - before) / (listener.last() - before) > 5);
  CHECK(listener.rises());
}

TEST_CASE("what a listener throws reaches the task, and nobody needs to listen") {
  const Progress stop = [](double) { throw std::runtime_error("stop"); };
  WorkProgress stopped(stop);
  stopped.add("task", 1);
  CHECK_THROWS_AS(stopped.work(0)(0.5), std::runtime_error);
  const Progress nobody;
  WorkProgress silent(nobody);
  silent.add("task", 1);
  CHECK_NOTHROW(silent.work(0)(0.5));
  CHECK_NOTHROW(silent.finish());
}

}  // namespace parsimap::test
