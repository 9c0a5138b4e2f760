// How far a computation is: the callback that receives it, and the counting of work whose amount is only known when it
// is done.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// Progress of a long computation, reported to whoever called it.

// Called with the fraction done, in [0, 1], never decreasing, from one thread at a time. It may throw to stop the
// computation (an interrupt); an empty function means that no progress is reported.
using Progress = std::function<void(double fraction)>;

// How far a job has come whose amount of work is only known when it is done.
//
// Work is counted in operations: multiplications, and what takes as long as one. A task expects P of them, and has s
// behind it. What is left of it is taken as P - s, and from s = P / 2 on as P^2 / (4 s), which joins smoothly and is
// never nothing: a task that takes longer than expected slows down instead of standing still. What all tasks together
// have left, R, moves the fraction: after d more operations
//
//   f <- f + (1 - f) d / (d + R).
//
// Where expectations hold this is the part of the operations that is done. Where they change, f goes on from where it
// is, so that it never goes back, and (1 - f) over the rate of f stays R over the rate of the operations: the time
// left.

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

  // A further task; returns its number, from 0. What tasks of a kind took is expected of the others of it: if the first
  // ones took twice the operations, so will these. All tasks are added before the first piece of work.
  std::size_t add(const std::string& kind, double expected);

  // The work of a task, to be called with operations.
  Work work(std::size_t task);
  // The same of a task that knows which fraction of it is done.
  Progress fraction(std::size_t task);
  // Nothing is left of a task.
  void finish(std::size_t task);
  // Nothing is left at all.
  void finish();

 private:
  // Sums over the tasks of a kind.
  struct Kind {
    std::string name;
    double waiting = 0;   // expected of tasks that are not begun
    double expected = 0;  // of tasks that are done
    double spent = 0;     // by these
    Index done = 0;       // their number
  };
  struct Task {
    std::size_t kind = 0;
    double expected = 0;
    double spent = 0;
    bool exact = false;  // it knows the fraction that is done, which says nothing of others
  };
  void spend(std::size_t task, double operations);
  void close(std::size_t task);
  void begin(std::size_t task);
  [[nodiscard]] double left() const;
  [[nodiscard]] double begun_factor(double usual, const std::optional<std::size_t>& kind) const;
  [[nodiscard]] double usual_factor() const;
  [[nodiscard]] double factor(std::size_t kind, double usual) const;
  void tell() const;

  const Progress& progress_;
  std::mutex mutex_;
  std::vector<Kind> kinds_;
  std::vector<Task> tasks_;
  std::vector<std::size_t> begun_;  // tasks that are not done
  std::vector<bool> waiting_;       // by task: not begun
  double fraction_ = 0;
};

}  // namespace parsimap
