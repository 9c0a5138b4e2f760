#include "parsimap/cli/console.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <utility>

#include "parsimap/cli/interruption.hpp"
#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

constexpr int kBarWidth = 30;
constexpr double kSecondsBetweenDrawings = 0.2;

std::string time_left(double elapsed, double fraction) {
  if (fraction <= 0) {
    return {};
  }
  const auto left = static_cast<long long>(std::ceil(elapsed * (1 - fraction) / fraction));
  char text[64];
  std::snprintf(text, sizeof text, ", %lld:%02lld left", left / 60, left % 60);
  return text;
}

}  // namespace

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Console::Console(std::ostream& out, std::ostream& err, const ConsoleMode& mode, std::function<double()> seconds)
    : out_(out), err_(err), mode_(mode), seconds_(std::move(seconds)) {}

void Console::message(const std::string& text) {
  if (!mode_.quiet) {
    clear_progress();
    err_ << text << std::endl;
  }
}

void Console::warning(const std::string& text) { message("parsimap: warning: " + text); }

void Console::result(const std::string& document) {
  clear_progress();
  out_ << document << std::flush;
  if (!out_) {
    throw IoError("standard output cannot be written");
  }
}

Progress Console::progress(const std::string& stage) {
  if (mode_.quiet || !mode_.terminal) {
    return [](double) { check_interruption(); };
  }
  return [this, stage, started = seconds_()](double fraction) {
    check_interruption();
    draw(stage, started, std::clamp(fraction, 0.0, 1.0));
  };
}

void Console::draw(const std::string& stage, double started, double fraction) {
  if (fraction >= 1) {
    clear_progress();
    return;
  }
  const double now = seconds_();
  if (drawn_ && now - last_drawn_ < kSecondsBetweenDrawings) {
    return;
  }
  const int full = static_cast<int>(fraction * kBarWidth);
  clear_progress();
  err_ << stage << " [" << std::string(full, '#') << std::string(kBarWidth - full, ' ') << "] "
       << static_cast<int>(100 * fraction) << " %" << time_left(now - started, fraction) << std::flush;
  drawn_ = true;
  last_drawn_ = now;
}

void Console::clear_progress() {
  if (drawn_) {
    err_ << "\r\033[K" << std::flush;
    drawn_ = false;
  }
}

}  // namespace parsimap
