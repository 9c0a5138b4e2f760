// How far a computation is: the callback that receives it, and the counting of work whose amount is only known when it
// is done.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// Called with the fraction done, in [0, 1], never decreasing, from one thread at a time. It may throw to stop the
// computation (an interrupt); an empty function means that no progress is reported.
using Progress = std::function<void(double fraction)>;

// Reports that `done` of so many items are done.
template <typename Done, typename All>
void report_done(const Progress& progress, Done done, All all) {
  if (progress) {
    progress(static_cast<double>(done) / static_cast<double>(all));
  }
}

// How far tasks have come whose work is counted in operations: multiplications, and what takes as long as one. A task
// expects P of them, and has s behind it. What is left of it is taken as P - s, and from s = P / 2 on as P^2 / (4 s),
// which joins smoothly and is never nothing: a task that takes longer than expected slows down instead of standing
// still. The fraction is the share of what was expected of all that is not left.

// Called with the number of operations that were done since the call before. It may throw to stop the computation; an
// empty function means that no progress is reported.
using Work = std::function<void(double operations)>;

// Of the product of an a x b matrix with a b x c matrix.
inline double operations(Index a, Index b, Index c) {
  return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c);
}

inline void count_work(const Work& work, double operations) {
  if (work) {
    work(operations);
  }
}

// May be called from several threads at a time.
class WorkProgress {
 public:
  // Calls `progress`, which is kept by the caller, after every piece of work.
  explicit WorkProgress(const Progress& progress) : progress_(progress) {}

  // A further task; returns its number, from 0. All tasks are added before the first piece of work.
  std::size_t add(double expected);

  // The work of a task, to be called with operations.
  Work work(std::size_t task);
  // The same of a task that knows which fraction of it is done.
  Progress fraction(std::size_t task);
  // Nothing is left of a task.
  void finish(std::size_t task);

 private:
  struct Task {
    double expected = 0;
    double spent = 0;
    double left = 0;
  };
  // Less is left of the task than before, and the progress is called.
  void leave(Task& task, double left);

  const Progress& progress_;
  std::mutex mutex_;
  std::vector<Task> tasks_;
  double expected_ = 0;
  double left_ = 0;
};

}  // namespace parsimap
