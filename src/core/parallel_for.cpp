#include "parsimap/core/parallel_for.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

namespace parsimap {
namespace {

// The indices of one call, which any number of threads take one after the other.
class Loop {
 public:
  Loop(Index count, const std::function<void(Index)>& body) : count_(count), body_(body), thrown_(count) {}

  // Takes indices until none is left.
  void run() {
    // The counter is atomic, so that every index is taken exactly once. Threads take one index at a time, because
    // bodies may differ widely in duration: classes of ten samples and of ten thousand.
    for (Index i = next_++; i < count_; i = next_++) {
      try {
        body_(i);
      } catch (...) {
        // With the counter at its end no thread begins another body. Of several exceptions the one of the lowest index
        // is kept; it is rethrown when all threads have stopped.
        const std::lock_guard lock(mutex_);
        next_ = count_;
        if (i < thrown_) {
          thrown_ = i;
          exception_ = std::current_exception();
        }
      }
    }
  }

  void rethrow() const {
    if (exception_) {
      std::rethrow_exception(exception_);
    }
  }

 private:
  Index count_;
  const std::function<void(Index)>& body_;
  std::atomic<Index> next_{0};
  std::mutex mutex_;
  Index thrown_;  // the lowest index that threw
  std::exception_ptr exception_;
};

// One thread takes indices at once; the others of its team as soon as they wait for the end of an outer loop. A task
// that nobody has begun by the time that no index is left ends at once.
void share_with_team(Loop& loop, int runners) {
#pragma omp taskgroup
  {
    for (int k = 1; k < runners; ++k) {
#pragma omp task default(none) shared(loop)
      loop.run();
    }
    loop.run();
  }
}

}  // namespace

int resolve_threads(int requested) { return requested > 0 ? requested : omp_get_max_threads(); }

void parallel_for(Index count, int threads, int at_once, const std::function<void(Index)>& body) {
  Loop loop(count, body);
  const int runners = static_cast<int>(std::min<Index>(count, std::min(threads, at_once)));
  // Three cases: no second thread, a loop inside the body of another one, and an outermost loop.
  if (threads <= 1) {
    // Small trainings have many thousand loops: starting a team of one thread for each of them would take a tenth of
    // their time.
    loop.run();
  } else if (omp_in_parallel() != 0) {
    share_with_team(loop, std::min(runners, omp_get_num_threads()));
  } else {
    // All threads are started, even if only `at_once` of them take indices: the others wait at the end of the parallel
    // region, where they run the tasks of inner loops.
#pragma omp parallel num_threads(threads)
    if (omp_get_thread_num() < runners) {
      loop.run();
    }
  }
  loop.rethrow();
}

void parallel_for(Index count, int threads, const std::function<void(Index)>& body) {
  parallel_for(count, threads, threads, body);
}

}  // namespace parsimap
