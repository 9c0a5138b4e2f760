// The machine that the program runs on: its instructions, its memory, and the time that work takes on it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace parsimap {

// Which vector instructions this build of the program uses.

// "AVX-512", "AVX2", "SSE2", or the compiler's baseline ("baseline") on processors that are no x86-64. A portable build
// has one library for each; this is the one of the library that runs.
std::string instruction_set();

// Whether memory was refused while a command worked.
//
// Several libraries go on without what they had no memory for: PROJ leaves out the name of a reference system, for
// instance. The outputs are not what was meant then, and nobody says so.

// Remembers from now on that operator new fails, in the whole process, and forgets what was before.
void watch_memory();

// The same for memory that operator new has nothing to do with.
void note_refused_memory();

// std::bad_alloc when memory was refused since watch_memory().
void check_memory();

// What a control group of Linux leaves to this process, as in containers and jobs of batch systems; unset: no limit.
struct GroupLimits {
  std::optional<double> processors;
  std::optional<std::int64_t> bytes;
};

// The least limits of the groups in the file `groups`, which /proc/self/cgroup is, and of those above them, in the
// folder where control groups are mounted: of version 2 and of version 1.
GroupLimits group_limits(const std::string& groups, const std::string& mounted);

// Those of this process.
const GroupLimits& group_limits();

// Physical memory of this computer, or what its control group allows the process of it.
std::int64_t physical_memory_bytes();

// Time.

// About how long an operation (core/progress.hpp) of the mathematics takes, for plans of what is to come.
inline constexpr double kSecondsPerOperation = 1e-10;
// About how long it takes to read a value of a scene, and to write a byte of a map, which is compressed and read back.
inline constexpr double kSecondsPerReadValue = 1.5e-8;
inline constexpr double kSecondsPerWrittenByte = 2e-8;

// Seconds of a steady clock.
double steady_seconds();

// Seconds of a piece of work and of its stages.
class Stopwatch {
 public:
  // Since it was made.
  [[nodiscard]] double seconds() const { return steady_seconds() - begin_; }
  // Since the last lap, or since it was made.
  double lap() {
    const double now = steady_seconds();
    return now - std::exchange(last_, now);
  }

 private:
  double begin_ = steady_seconds();
  double last_ = begin_;
};

// A part of some work, and about how many seconds it takes. Between parts that compute only the ratios of these matter
// once one has been measured.
struct PlannedPhase {
  std::string name;
  double expected = 0;
  bool computes = true;  // else it reads or writes, which says nothing of how fast others compute
};

// The share of some work that is done, and the time left, as its parts follow one another (the progress rule).
//
// Each phase reports the fraction of its items that is done. What the phases take is planned beforehand; the plan is
// corrected by what was measured: the phase at work by its own rate, and those that follow by the ratio of measured to
// planned seconds, of phases with the same name if there are any, or else of those that compute. With e seconds elapsed
// and R left the share is e / (e + R): it follows the time, and not the number of items, which may cost more at one
// time than at another. It never goes back, but waits where R has grown. To be called from one thread at a time, as
// Progress is.
class PhaseClock {
 public:
  explicit PhaseClock(std::function<double()> seconds = steady_seconds);

  // The phases that follow, in order; replaces those of an earlier plan that have not begun.
  void plan(const std::vector<PlannedPhase>& phases);
  // The next phase of this name begins, or one that was not planned; those before it are over. Returns its number.
  std::size_t begin(const std::string& name);
  // The fraction of the phase that is done. One that is over is ignored.
  void at(std::size_t phase, double fraction);
  // All is done.
  void finish();

  // As of the last call of the others.
  [[nodiscard]] double elapsed() const { return now_; }
  [[nodiscard]] double share() const { return share_; }
  [[nodiscard]] double seconds_left() const { return left_; }

 private:
  struct Phase : PlannedPhase {
    double begun = 0;
    double fraction = 0;
    double took = 0;  // of a phase that is over
  };
  void update();
  [[nodiscard]] double ratio(const Phase& of, double seconds, double expected) const;
  [[nodiscard]] double left_of(const Phase& phase, double ratio) const;

  std::function<double()> seconds_;
  double started_;
  double now_ = 0;
  double share_ = 0;
  double left_ = 0;
  std::vector<Phase> phases_;
  std::size_t current_ = 0;  // phases before it are over; those after it have not begun
  bool any_ = false;         // the current phase has begun
};

}  // namespace parsimap
