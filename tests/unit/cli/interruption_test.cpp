#include "cli/interruption.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <sstream>
#include <string>
#include <utility>

#include "parsimap/core/error.hpp"

#include "cli/console.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap {

TEST_CASE("a signal stops every progress from then on, in all threads") {
  watch_signals();
  CHECK_NOTHROW(check_interruption());
  std::raise(SIGTERM);
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

}  // namespace parsimap
