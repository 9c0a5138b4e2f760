#include "console.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "parsimap/core/error.hpp"

#include "interruption.hpp"

namespace parsimap {

namespace {

// The remaining time is extrapolated from the progress during the last third of the elapsed time: recent enough to
// follow a change of speed, long enough not to fluctuate.
constexpr double kWindow = 1.0 / 3;

// Moments are kept where they are so far apart, as a part of the time: a hundred of them are enough for a window.
constexpr double kSpacing = kWindow / 100;

}  // namespace

void TimeLeft::add(double seconds, double fraction) {
  // The last moment is replaced by the new one if this one is still closer than kSpacing to the moment before it, so
  // that the number of moments stays bounded however often progress is reported. Moments are then dropped from the
  // front as long as the second one lies outside of the window: the front is the last moment at or before its
  // beginning.
  if (moments_.size() > 1 && seconds - moments_[moments_.size() - 2].seconds < kSpacing * seconds) {
    moments_.pop_back();
  }
  moments_.push_back({seconds, fraction});
  while (moments_[1].seconds <= (1 - kWindow) * seconds && moments_.size() > 2) {
    moments_.pop_front();
  }
}

std::optional<double> TimeLeft::seconds() const {
  // Remaining fraction divided by the mean speed over the window. Without progress there is no estimate.
  const double risen = moments_.back().fraction - moments_.front().fraction;
  if (!(risen > 0)) {
    return std::nullopt;
  }
  return (1 - moments_.back().fraction) * (moments_.back().seconds - moments_.front().seconds) / risen;
}

namespace {

constexpr int kBarWidth = 30;
constexpr double kSecondsBetweenShowings = 0.2;

std::string time_text(const std::optional<double>& seconds_left) {
  if (!seconds_left) {
    return {};
  }
  const auto left = static_cast<long long>(std::ceil(*seconds_left));
  char text[64];
  std::snprintf(text, sizeof text, ", %lld:%02lld left", left / 60, left % 60);
  return text;
}

double to_milliseconds(double seconds) { return std::round(1000 * seconds) / 1000; }

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

void Console::deliver(const std::string& document) {
  clear_progress();
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
  if (mode_.progress == ProgressStyle::json) {
    report(stage, 0, 0, std::nullopt);
  }
  // The closure tests for an interruption first: progress is the place where the work can be stopped.
  return [this, stage, started = seconds_(), left = std::make_shared<TimeLeft>()](double fraction) {
    check_interruption();
    const double elapsed = seconds_() - started;
    const double done = std::clamp(fraction, 0.0, 1.0);
    left->add(elapsed, done);
    if (mode_.progress == ProgressStyle::json) {
      report(stage, elapsed, done, left->seconds());
    } else {
      draw(stage, done, left->seconds());
    }
  };
}

bool Console::due() {
  const double now = seconds_();
  if (now - last_shown_ < kSecondsBetweenShowings) {
    return false;
  }
  last_shown_ = now;
  return true;
}

void Console::draw(const std::string& stage, double fraction, const std::optional<double>& seconds_left) {
  if (fraction >= 1) {
    clear_progress();
    return;
  }
  if (!due() && drawn_) {
    return;
  }
  const int full = static_cast<int>(fraction * kBarWidth);
  clear_progress();
  err_ << stage << " [" << std::string(full, '#') << std::string(kBarWidth - full, ' ') << "] "
       << static_cast<int>(100 * fraction) << " %" << time_text(seconds_left) << std::flush;
  drawn_ = true;
}

void Console::report(const std::string& stage, double elapsed, double fraction,
                     const std::optional<double>& seconds_left) {
  // The first and the last line of a stage are always written; programs that read them rely on both.
  if (!due() && fraction > 0 && fraction < 1) {
    return;
  }
  nlohmann::json line = {{"stage", stage}, {"fraction", fraction}, {"seconds", to_milliseconds(elapsed)}};
  line["seconds_left"] = seconds_left ? nlohmann::json(to_milliseconds(*seconds_left)) : nlohmann::json();
  err_ << line.dump() << std::endl;
}

void Console::clear_progress() {
  if (drawn_) {
    err_ << "\r\033[K" << std::flush;
    drawn_ = false;
  }
}

}  // namespace parsimap
