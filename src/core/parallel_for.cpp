#include "parsimap/core/parallel_for.hpp"

#include <omp.h>

#include <atomic>
#include <exception>
#include <mutex>

namespace parsimap {

int resolve_threads(int requested) { return requested > 0 ? requested : omp_get_num_procs(); }

void parallel_for(Index count, int threads, const std::function<void(Index)>& body) {
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::exception_ptr first;
  Index first_index = count;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (Index i = 0; i < count; ++i) {
    if (stop.load(std::memory_order_relaxed)) {
      continue;
    }
    try {
      body(i);
    } catch (...) {
      const std::lock_guard lock(mutex);
      stop = true;
      if (i < first_index) {
        first_index = i;
        first = std::current_exception();
      }
    }
  }
  if (first) {
    std::rethrow_exception(first);
  }
}

}  // namespace parsimap
