#include "cli/console.hpp"

#include <doctest/doctest.h>

#include <sstream>

#include "parsimap/core/error.hpp"

namespace parsimap {
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

}  // namespace parsimap
