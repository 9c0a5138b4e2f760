#include "cli/console.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

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
  terminal.console.warned({"few-places", "careful"});
  CHECK(terminal.out.str() == "done\n");
  CHECK(terminal.err.str() == "half way\nparsimap: warning: careful\n");
}

TEST_CASE("beside progress as JSON, all that is said is JSON with its code") {
  Terminal terminal({.progress = ProgressStyle::json});
  terminal.console.warned({"few-places", "careful"});
  terminal.console.note("lookup-used", "placed by the table");
  terminal.console.note("lookup-used", "placed by the table");  // what was said is not repeated
  terminal.console.message("half \xff way");                    // not UTF-8
  terminal.console.failed("data-refused", "it is empty");
  CHECK(terminal.err.str() ==
        "{\"warning\":\"few-places\",\"text\":\"careful\"}\n"
        "{\"note\":\"lookup-used\",\"text\":\"placed by the table\"}\n"
        "{\"message\":\"information\",\"text\":\"half \xEF\xBF\xBD way\"}\n"
        "{\"error\":\"data-refused\",\"text\":\"it is empty\"}\n");
  Terminal plain({.quiet = true});
  plain.console.failed("failed", "it is empty");
  CHECK(plain.err.str() == "parsimap: it is empty\n");
}

TEST_CASE("quiet silences everything but JSON documents") {
  for (const bool json : {false, true}) {
    Terminal terminal({.quiet = true, .json = json, .progress = ProgressStyle::json});
    terminal.console.message("half way");
    terminal.console.warned({"few-places", "careful"});
    terminal.console.progress("work")(0.5);
    terminal.console.result("done\n");
    CHECK(terminal.err.str().empty());
    CHECK(terminal.out.str() == (json ? "done\n" : ""));
  }
}

TEST_CASE("progress is drawn as a bar with the time left, and wiped at the end") {
  Terminal terminal({.progress = ProgressStyle::bar});
  const Progress progress = terminal.console.progress("work");
  progress(0);
  terminal.now = 30;
  progress(0.5);
  CHECK(terminal.err.str().find("work [###############               ] 51 %, 0:29 left") != std::string::npos);
  const std::size_t length = terminal.err.str().size();
  terminal.now = 30.1;
  progress(0.51);  // too soon after the one before
  CHECK(terminal.err.str().size() == length);
  terminal.console.finish_progress();
  CHECK(terminal.err.str().substr(length) == "\r\033[K");
}

TEST_CASE("progress for programs is one JSON object a line, of the whole command, with the ends of every stage") {
  Terminal terminal({.progress = ProgressStyle::json});
  terminal.console.plan({{"reading", 20}, {"computing", 60}});
  const Progress reading = terminal.console.progress("reading");
  terminal.now = 10;
  reading(0.5);
  terminal.now = 10.1;
  reading(0.51);  // too soon after the one before
  terminal.now = 20;
  reading(1);
  const Progress computing = terminal.console.progress("computing");
  terminal.now = 50;
  computing(0.5);
  terminal.now = 80;
  terminal.console.finish_progress();
  std::istringstream lines(terminal.err.str());
  std::vector<double> fractions;
  for (std::string line; std::getline(lines, line);) {
    const nlohmann::json shown = nlohmann::json::parse(line);
    CHECK(shown.at("seconds_left").get<double>() ==
          doctest::Approx(80 - shown.at("seconds").get<double>()).epsilon(0.05));
    fractions.push_back(shown.at("fraction"));
  }
  REQUIRE(fractions.size() == 6);
  const std::vector<double> expected = {0, 1.0 / 8, 1.0 / 4, 1.0 / 4, 5.0 / 8, 1};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(fractions[i] == doctest::Approx(expected[i]).epsilon(0.03));
  }
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

TEST_CASE("a signal stops every progress from then on, in all threads") {
  watch_signals();
  CHECK_NOTHROW(check_interruption());
  CHECK(stopping_signal() == 0);
  std::raise(SIGTERM);
  CHECK(stopping_signal() == SIGTERM);
  CHECK_THROWS_WITH_AS(check_interruption(), "stopped by a request to terminate; nothing was written", IoError);
  CHECK_THROWS_AS(check_interruption(), IoError);

  watch_signals();
  CHECK_NOTHROW(check_interruption());
  std::raise(SIGINT);
  std::ostringstream out;
  std::ostringstream err;
  Console console(out, err, {.quiet = true}, steady_seconds);
  CHECK_THROWS_WITH_AS(console.progress("work")(0.1), "stopped by an interrupt; nothing was written", IoError);
  watch_signals();
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

TEST_CASE("the other signals that would end the process stop the work too, however often they come") {
  for (const auto& [signal, cause] :
       {std::pair(SIGHUP, "the end of its terminal"), std::pair(SIGPIPE, "the end of the program that read its output"),
        std::pair(SIGXCPU, "the limit of processor time")}) {
    std::signal(signal, SIG_DFL);
    watch_signals();
    std::raise(signal);
    std::raise(signal);
    CHECK(message_of(check_interruption) == "stopped by " + std::string(cause) + "; nothing was written");
    std::signal(signal, SIG_DFL);
  }
  watch_signals();
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

TEST_CASE("a program that was started to outlive its terminal does so") {
  std::signal(SIGHUP, SIG_IGN);
  watch_signals();
  std::raise(SIGHUP);
  CHECK_NOTHROW(check_interruption());
  std::signal(SIGHUP, SIG_DFL);
}

}  // namespace parsimap::test
