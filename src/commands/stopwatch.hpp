// Wall-clock seconds of a piece of work and of its stages.
#pragma once

#include <chrono>

namespace parsimap {

class Stopwatch {
 public:
  // Seconds since the last lap, or since the beginning.
  double lap() {
    const Clock::time_point now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }
  // Seconds since the beginning.
  [[nodiscard]] double total() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
};

}  // namespace parsimap
