#include "interruption.hpp"

#include <csignal>
#include <string>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

// A signal handler can reach nothing but a variable of this kind.
volatile std::sig_atomic_t received_signal = 0;

extern "C" void remember_signal(int number) { received_signal = number; }

void watch(int signal, int flags) {
  struct sigaction action {};
  action.sa_handler = remember_signal;
  // Interrupted system calls are restarted, so that libraries do not see EINTR. SA_RESETHAND restores the default after
  // the first signal: a second Ctrl-C ends the program at once.
  action.sa_flags = flags | static_cast<int>(SA_RESTART);
  sigaction(signal, &action, nullptr);
}

// Whether whoever started the program wants it to outlive its terminal, as nohup does.
bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

std::string cause(int signal) {
  switch (signal) {
    case SIGINT:
      return "an interrupt";
    case SIGHUP:
      return "the end of its terminal";
    case SIGPIPE:
      return "the end of the program that read its output";
    case SIGXCPU:
      return "the limit of processor time";
    default:
      return "a request to terminate";
  }
}

}  // namespace

void watch_signals() {
  received_signal = 0;
  watch(SIGINT, static_cast<int>(SA_RESETHAND));
  watch(SIGTERM, static_cast<int>(SA_RESETHAND));
  // These come more than once for one cause, while the work is being stopped.
  if (!is_ignored(SIGHUP)) {
    watch(SIGHUP, 0);
  }
  watch(SIGPIPE, 0);
  watch(SIGXCPU, 0);
  // Without the signal, a write beyond the limit of file size fails with EFBIG and becomes an error with the name of
  // the file.
  std::signal(SIGXFSZ, SIG_IGN);
}

void check_interruption() {
  if (received_signal != 0) {
    // Stays remembered: every thread of a computation must stop, not only the first to ask.
    throw IoError("stopped by " + cause(received_signal) + "; nothing was written");
  }
}

}  // namespace parsimap
