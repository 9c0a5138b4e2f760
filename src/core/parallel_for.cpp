#include "parsimap/core/parallel_for.hpp"

#include <omp.h>

#include <atomic>
#include <cmath>
#include <exception>
#include <future>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/system.hpp"
#include "parsimap/core/text.hpp"

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

int resolve_threads(int requested) {
  const double processors = group_limits().processors.value_or(omp_get_max_threads());
  return requested > 0 ? requested : std::min(omp_get_max_threads(), static_cast<int>(std::ceil(processors)));
}

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

void parallel_for_beside_others(Index count, int threads, const std::function<void(Index)>& body) {
  if (omp_in_parallel() != 0) {
    parallel_for(count, threads, body);
    return;
  }
  Loop loop(count, body);
  std::vector<std::future<void>> others;
  try {
    for (Index k = 1; k < std::min<Index>(count, threads); ++k) {
      others.push_back(std::async(std::launch::async, [&loop] { loop.run(); }));
    }
  } catch (const std::system_error&) {
    // The system allows no more threads: those that there are do the work.
  }
  loop.run();
  others.clear();  // waits for them: so do futures of std::async when they end
  loop.rethrow();
}

constexpr Index kMostShards = 1'000'000;

// "NUMBER/COUNT" with least <= NUMBER <= COUNT: `least` is 1 for parts, and 0 where the plan of a job is a valid
// choice. The limit of COUNT keeps typing errors from starting absurdly small parts.
static Shard parse_from(const std::string& text, Index least) {
  const std::size_t slash = text.find('/');
  const auto number = parse_number<Index>(std::string_view(text).substr(0, slash));
  const auto count = slash == std::string::npos ? std::nullopt : parse_number<Index>(text.substr(slash + 1));
  if (!number || !count || *number < least || *count < 1 || *number > *count || *count > kMostShards) {
    throw ConfigError("shard '" + text + "' is not NUMBER/COUNT such as 3/64, with " + std::to_string(least) +
                      " <= NUMBER <= COUNT <= " + std::to_string(kMostShards));
  }
  return {*number, *count};
}

Shard parse_shard(const std::string& text) { return parse_from(text, 1); }

Shard parse_shard_or_plan(const std::string& text) { return parse_from(text, 0); }

std::string to_string(const Shard& shard) { return std::to_string(shard.number) + "/" + std::to_string(shard.count); }

ItemRange share_of(const Shard& shard, Index items) {
  // With items = each * count + left, the first `left` shards have each + 1 items and the others have `each`. The end
  // of a shard is computed from quotient and remainder, because the product of items and shard number might overflow.
  const Index each = items / shard.count;
  const Index left = items % shard.count;
  const auto end = [&](Index number) { return number * each + std::min(number, left); };
  return {end(shard.number - 1), end(shard.number)};
}

}  // namespace parsimap
