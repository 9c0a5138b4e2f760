#include "cli/console.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <sstream>

#include "parsimap/core/error.hpp"

namespace parsimap::test {

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

namespace {

struct Terminal {
  explicit Terminal(const ConsoleMode& mode) : console(out, err, mode, [this] { return now; }) {}

  std::ostringstream out;
  std::ostringstream err;
  double now = 0;
  Console console;
};

}  // namespace

TEST_CASE("results go to one stream, messages to the other") {
  Terminal terminal({});
  terminal.console.result("done\n");
  terminal.console.message("half way");
  terminal.console.warning("careful");
  CHECK(terminal.out.str() == "done\n");
  CHECK(terminal.err.str() == "half way\nparsimap: warning: careful\n");
}

TEST_CASE("quiet silences everything but results") {
  for (const ProgressStyle style : {ProgressStyle::bar, ProgressStyle::json}) {
    Terminal terminal({.quiet = true, .progress = style});
    terminal.console.message("half way");
    terminal.console.warning("careful");
    terminal.console.progress("work")(0.5);
    terminal.console.result("done\n");
    CHECK(terminal.err.str().empty());
    CHECK(terminal.out.str() == "done\n");
  }
}

TEST_CASE("progress is drawn as a bar with the time left, and wiped at the end") {
  Terminal terminal({.progress = ProgressStyle::bar});
  const Progress progress = terminal.console.progress("work");
  terminal.now = 30;
  progress(0.25);
  CHECK(terminal.err.str().find("work [#######                       ] 25 %, 1:30 left") != std::string::npos);
  const std::size_t length = terminal.err.str().size();
  terminal.now = 30.1;
  progress(0.26);  // too soon after the one before
  CHECK(terminal.err.str().size() == length);
  progress(1);
  CHECK(terminal.err.str().substr(length) == "\r\033[K");
}

TEST_CASE("progress for programs is one JSON object a line, with the beginning and the end of every stage") {
  Terminal terminal({.progress = ProgressStyle::json});
  const Progress reading = terminal.console.progress("reading");
  terminal.now = 30;
  reading(0.25);
  terminal.now = 30.1;
  reading(0.26);  // too soon after the one before
  reading(1);
  terminal.console.progress("computing")(0);
  CHECK(terminal.err.str() ==
        R"({"fraction":0.0,"seconds":0.0,"seconds_left":null,"stage":"reading"}
{"fraction":0.25,"seconds":30.0,"seconds_left":90.0,"stage":"reading"}
{"fraction":1.0,"seconds":30.1,"seconds_left":0.0,"stage":"reading"}
{"fraction":0.0,"seconds":0.0,"seconds_left":null,"stage":"computing"}
{"fraction":0.0,"seconds":0.0,"seconds_left":null,"stage":"computing"}
)");
  CHECK(terminal.out.str().empty());
}

TEST_CASE("progress is silent unless a style is chosen") {
  Terminal terminal({});
  terminal.console.progress("work")(0.5);
  CHECK(terminal.err.str().empty());
}

TEST_CASE("a result that cannot be written is an error") {
  Terminal terminal({});
  terminal.out.setstate(std::ios::badbit);
  CHECK_THROWS_AS(terminal.console.result("done\n"), IoError);
}

TEST_CASE("the clock does not go back") {
  const double first = steady_seconds();
  CHECK(steady_seconds() >= first);
}

}  // namespace parsimap::test
