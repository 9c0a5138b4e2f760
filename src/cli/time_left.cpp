#include "time_left.hpp"

#include <algorithm>

namespace parsimap {
namespace {

constexpr double kWindow = 1.0 / 3;

// Moments are kept where they are so far apart, as a part of the time: a hundred of them are enough for a window.
constexpr double kSpacing = kWindow / 100;

}  // namespace

void TimeLeft::add(double seconds, double fraction) {
  if (moments_.size() > 1 && seconds - moments_[moments_.size() - 2].seconds < kSpacing * seconds) {
    moments_.pop_back();
  }
  moments_.push_back({seconds, fraction});
  while (moments_[1].seconds <= (1 - kWindow) * seconds && moments_.size() > 2) {
    moments_.pop_front();
  }
}

std::optional<double> TimeLeft::seconds() const {
  const double risen = moments_.back().fraction - moments_.front().fraction;
  if (!(risen > 0)) {
    return std::nullopt;
  }
  return (1 - moments_.back().fraction) * (moments_.back().seconds - moments_.front().seconds) / risen;
}

}  // namespace parsimap
