#include "console.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/json/json_text.hpp"

namespace parsimap {

constexpr int kBarWidth = 30;
constexpr double kSecondsBetweenShowings = 0.2;

static std::string time_text(double seconds_left) {
  const auto left = static_cast<long long>(std::ceil(seconds_left));
  char text[64];
  std::snprintf(text, sizeof text, ", %lld:%02lld left", left / 60, left % 60);
  return text;
}

static double to_milliseconds(double seconds) { return std::round(1000 * seconds) / 1000; }

Console::Console(std::ostream& out, std::ostream& err, const ConsoleMode& mode, std::function<double()> seconds)
    : out_(out), err_(err), mode_(mode), time_(std::move(seconds)) {}

void Console::say(const char* kind, const std::string& before, const Warning& warning) {
  if (mode_.quiet) {
    return;
  }
  clear_progress();
  if (mode_.progress == ProgressStyle::json) {
    err_ << line_of(nlohmann::ordered_json{{kind, warning.code}, {"text", warning.text}}) << std::endl;
  } else {
    err_ << before << warning.text << std::endl;
  }
}

void Console::failed(const std::string& code, const std::string& sentence) {
  mode_.quiet = false;
  say("error", "parsimap: ", {code, sentence});
}

void Console::deliver(const std::string& document) {
  clear_progress();
  if (mode_.quiet && !mode_.json) {
    return;
  }
  errno = 0;
  // A result is flushed at once: a full disk or a closed pipe must become an error of this command.
  out_ << document << std::flush;
  if (!out_) {
    throw IoError("standard output cannot be written" + (errno != 0 ? std::string(": ") + std::strerror(errno) : ""));
  }
}

Progress Console::progress(const std::string& stage) {
  if (mode_.quiet || mode_.progress == ProgressStyle::none) {
    return [](double) { check_interruption(); };
  }
  const std::size_t phase = time_.begin(stage);
  stage_ = stage;
  if (mode_.progress == ProgressStyle::json) {
    report(stage);
  }
  // The closure tests for an interruption first: progress is the place where the work can be stopped.
  return [this, stage, phase](double fraction) {
    check_interruption();
    time_.at(phase, std::clamp(fraction, 0.0, 1.0));
    if (mode_.progress == ProgressStyle::bar) {
      draw(stage);
    } else if (due() || fraction >= 1) {
      // The first and the last line of a stage are always written; programs that read them rely on both.
      report(stage);
    }
  };
}

void Console::finish_progress() {
  time_.finish();
  if (mode_.progress == ProgressStyle::json && !stage_.empty()) {
    report(stage_);
  }
  clear_progress();
}

bool Console::due() {
  if (time_.elapsed() - last_shown_ < kSecondsBetweenShowings) {
    return false;
  }
  last_shown_ = time_.elapsed();
  return true;
}

void Console::draw(const std::string& stage) {
  if (!due() && drawn_) {
    return;
  }
  const int full = static_cast<int>(time_.share() * kBarWidth);
  clear_progress();
  err_ << stage << " [" << std::string(full, '#') << std::string(kBarWidth - full, ' ') << "] "
       << static_cast<int>(100 * time_.share()) << " %" << time_text(time_.seconds_left()) << std::flush;
  drawn_ = true;
}

void Console::report(const std::string& stage) {
  const nlohmann::ordered_json line = {{"fraction", time_.share()},
                                       {"seconds", to_milliseconds(time_.elapsed())},
                                       {"seconds_left", to_milliseconds(time_.seconds_left())},
                                       {"stage", stage}};
  err_ << line_of(line) << std::endl;
}

void Console::clear_progress() {
  if (drawn_) {
    err_ << "\r\033[K" << std::flush;
    drawn_ = false;
  }
}

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

int stopping_signal() { return received_signal; }

void check_interruption() {
  if (received_signal != 0) {
    // Stays remembered: every thread of a computation must stop, not only the first to ask.
    throw IoError("stopped by " + cause(received_signal) + "; nothing was written");
  }
}

}  // namespace parsimap
