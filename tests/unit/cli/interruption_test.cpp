#include "cli/interruption.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <sstream>

#include "parsimap/core/error.hpp"

#include "cli/console.hpp"

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

}  // namespace parsimap
