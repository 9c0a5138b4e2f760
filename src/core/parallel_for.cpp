#include "parsimap/core/parallel_for.hpp"

#include <omp.h>

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
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

// The threads of an outermost loop and of the loops inside its bodies. They are started when there is something to do
// for them, sleep where there is not, and end with the outermost loop. A map has some tens of outermost loops, and a
// training hundreds, so that starting threads costs little; threads that are kept for the next loop, as those of
// OpenMP, wait for it at full speed, which takes a fourth of the processor time of a map.
class Team {
 public:
  // Of the calling thread and threads - 1 others.
  explicit Team(int threads) : most_(static_cast<std::size_t>(threads) - 1) { of_this_thread() = this; }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() {
    of_this_thread() = nullptr;
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
  }

  // The team whose loop this thread is in; null outside of any loop.
  static Team*& of_this_thread() {
    thread_local Team* team = nullptr;
    return team;
  }

  // Runs a loop on this thread and on up to `others` more.
  void run(Loop& loop, int others) {
    if (others == 0) {
      loop.run();
      return;
    }
    OpenLoop open{loop, others};
    std::unique_lock lock(mutex_);
    start_threads(others);
    open_.push_back(&open);
    lock.unlock();
    changed_.notify_all();
    loop.run();
    // No index is left, but others may still be at work on theirs.
    lock.lock();
    std::erase(open_, &open);
    changed_.wait(lock, [&] { return open.inside == 0; });
  }

 private:
  struct OpenLoop {
    Loop& loop;
    int room;  // for so many further threads
    int inside = 0;
  };

  // Until `wanted` threads are idle or all of the team are there.
  void start_threads(int wanted) {
    try {
      for (int idle = idle_; idle < wanted && threads_.size() < most_; ++idle) {
        threads_.emplace_back([this] { help(); });
      }
    } catch (const std::system_error&) {
      // The system allows no more threads: those that there are do the work.
      most_ = threads_.size();
    }
  }

  // What another thread does: it takes part in the outermost of the loops that have room, until the team ends.
  void help() {
    of_this_thread() = this;
    std::unique_lock lock(mutex_);
    while (!ended_) {
      const auto found = std::find_if(open_.begin(), open_.end(), [](const OpenLoop* open) { return open->room > 0; });
      if (found == open_.end()) {
        ++idle_;
        changed_.wait(lock);
        --idle_;
        continue;
      }
      OpenLoop& open = **found;
      --open.room;
      ++open.inside;
      lock.unlock();
      open.loop.run();
      lock.lock();
      open.room = 0;  // no index is left
      --open.inside;
      changed_.notify_all();
    }
  }

  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<OpenLoop*> open_;  // from the outermost one to the innermost ones
  int idle_ = 0;
  bool ended_ = false;
  std::vector<std::jthread> threads_;  // the last member: they end first
};

}  // namespace

int resolve_threads(int requested) {
  const double processors = group_limits().processors.value_or(omp_get_max_threads());
  return requested > 0 ? requested : std::min(omp_get_max_threads(), static_cast<int>(std::ceil(processors)));
}

void parallel_for(Index count, int threads, int at_once, const std::function<void(Index)>& body) {
  Loop loop(count, body);
  const int others = static_cast<int>(std::min<Index>(count, std::min(threads, at_once))) - 1;
  if (threads <= 1 || count == 0) {
    loop.run();
  } else if (Team* const team = Team::of_this_thread(); team != nullptr) {
    team->run(loop, others);
  } else {
    Team(threads).run(loop, others);
  }
  loop.rethrow();
}

void parallel_for(Index count, int threads, const std::function<void(Index)>& body) {
  parallel_for(count, threads, threads, body);
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
