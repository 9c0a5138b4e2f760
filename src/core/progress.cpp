#include "parsimap/core/progress.hpp"

#include <algorithm>

namespace parsimap {

std::size_t WorkProgress::add(double expected) {
  tasks_.push_back({expected, 0, expected});
  expected_ += expected;
  left_ += expected;
  return tasks_.size() - 1;
}

Work WorkProgress::work(std::size_t task) {
  return [this, &own = tasks_[task]](double operations) {
    const std::lock_guard lock(mutex_);
    own.spent += operations;
    // At s = P / 2 both are P / 2 with the slope -1; the second one decreases for ever without reaching 0.
    leave(own,
          own.spent <= own.expected / 2 ? own.expected - own.spent : own.expected * own.expected / (4 * own.spent));
  };
}

Progress WorkProgress::fraction(std::size_t task) {
  return [this, &own = tasks_[task]](double fraction) {
    const std::lock_guard lock(mutex_);
    leave(own, own.expected * (1 - fraction));
  };
}

void WorkProgress::finish(std::size_t task) {
  const std::lock_guard lock(mutex_);
  leave(tasks_[task], 0);
}

void WorkProgress::leave(Task& task, double left) {
  const double done = std::max(0.0, task.left - left);
  task.left -= done;
  left_ -= done;
  if (progress_) {
    // Sums of what was added and taken away may miss nothing by their rounding.
    progress_(left_ > 1e-12 * expected_ ? 1 - left_ / expected_ : 1);
  }
}

}  // namespace parsimap
