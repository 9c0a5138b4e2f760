#include "interruption.hpp"

#include <csignal>
#include <string>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

// A signal handler can reach nothing but a variable of this kind.
volatile std::sig_atomic_t received_signal = 0;

extern "C" void remember_signal(int number) { received_signal = number; }

}  // namespace

void watch_signals() {
  received_signal = 0;
  struct sigaction action {};
  action.sa_handler = remember_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);
}

void check_interruption() {
  if (received_signal != 0) {
    // Stays remembered: every thread of a computation must stop, not only the first to ask.
    throw IoError(std::string("stopped by ") + (received_signal == SIGINT ? "an interrupt" : "a request to terminate") +
                  "; nothing was written");
  }
}

}  // namespace parsimap
