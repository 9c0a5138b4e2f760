// The time that a stage of the work still takes.
#pragma once

#include <deque>
#include <optional>

namespace parsimap {

// What is left, over the rate of the last third of the time: a rate of the whole time would keep what the beginning was
// like, and one of the last moment would jump.
class TimeLeft {
 public:
  // At so many seconds from the beginning this fraction is done; neither goes back.
  void add(double seconds, double fraction);
  // From the last moment added; unset as long as nothing has moved.
  [[nodiscard]] std::optional<double> seconds() const;

 private:
  struct Moment {
    double seconds = 0;
    double fraction = 0;
  };
  std::deque<Moment> moments_ = {{}};  // from the last one before the window to the last one added
};

}  // namespace parsimap
