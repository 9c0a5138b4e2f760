#include "parsimap/core/system.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <new>

#include "parsimap/core/text.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap {
// The macros state which instructions the compiler was allowed to use for this library, not what the processor offers.
std::string instruction_set() {
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
  return "AVX-512";
#elif defined(__AVX2__) && defined(__FMA__)
  return "AVX2";
#elif defined(__SSE2__)
  return "SSE2";
#else
  return "baseline";
#endif
}

std::atomic<bool> refused{false};

// operator new calls this function when it gets no memory. The function must make room or throw; it throws what
// operator new would throw without it, after recording the event for check_memory().
static void remember_refusal() {
  note_refused_memory();
  throw std::bad_alloc();
}

void watch_memory() {
  refused = false;
  std::set_new_handler(remember_refusal);
}

void note_refused_memory() { refused = true; }

void check_memory() {
  if (refused) {
    throw std::bad_alloc();
  }
}

// The numbers in the first line of a file, 0 for what is none, such as "max"; empty without the file.
static std::vector<double> numbers_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return mapped<double>(parts_of(line, " "), [](const auto& word) { return parse_number<double>(word).value_or(0); });
}

template <typename Number>
static void limit(std::optional<Number>& least, double value) {
  // Version 1 has the largest number of bytes that there can be where nothing is limited, and -1 for processors.
  constexpr double kUnlimited = 1e18;
  if (value > 0 && value < kUnlimited) {
    least = std::min(least.value_or(std::numeric_limits<Number>::max()), static_cast<Number>(value));
  }
}

GroupLimits group_limits(const std::string& groups, const std::string& mounted) {
  GroupLimits limits;
  std::ifstream file(groups);
  for (std::string line; std::getline(file, line);) {
    // "number:controllers:path", with no controllers in version 2. A container may see its own group as the root.
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) {
      continue;
    }
    const std::filesystem::path root = mounted + "/" + line.substr(first + 1, second - first - 1);
    for (std::filesystem::path path = line.substr(second + 1); !path.empty(); path = path.parent_path()) {
      const std::filesystem::path folder = root / path.relative_path();
      const std::vector<double> quota = numbers_in(folder / "cpu.max");
      const std::vector<double> earlier_quota = numbers_in(folder / "cpu.cfs_quota_us");
      const std::vector<double> period = numbers_in(folder / "cpu.cfs_period_us");
      if (quota.size() == 2) {
        limit(limits.processors, quota[0] / quota[1]);
      } else if (!earlier_quota.empty() && !period.empty()) {
        limit(limits.processors, earlier_quota[0] / period[0]);
      }
      for (const char* name : {"memory.max", "memory.limit_in_bytes"}) {
        const std::vector<double> bytes = numbers_in(folder / name);
        limit(limits.bytes, bytes.empty() ? 0 : bytes[0]);
      }
      if (path == path.root_path()) {
        break;
      }
    }
  }
  return limits;
}

const GroupLimits& group_limits() {
  static const GroupLimits limits = group_limits("/proc/self/cgroup", "/sys/fs/cgroup");
  return limits;
}

std::int64_t physical_memory_bytes() {
  const std::int64_t all =
      static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
  return std::min(all, group_limits().bytes.value_or(all));
}

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A phase that was not planned is expected to take so many seconds.
constexpr double kUnplanned = 2;

// The fraction of a phase at which its own rate counts as much as the plan.
constexpr double kTrusted = 0.03;

// The plan counts like so much of it that was measured to take what it says.
constexpr double kPlanWeight = 0.05;

PhaseClock::PhaseClock(std::function<double()> seconds) : seconds_(std::move(seconds)), started_(seconds_()) {}

void PhaseClock::plan(const std::vector<PlannedPhase>& phases) {
  phases_.resize(current_ + (any_ ? 1 : 0));
  std::ranges::transform(phases, std::back_inserter(phases_), [](const PlannedPhase& phase) { return Phase{phase}; });
  update();
}

std::size_t PhaseClock::begin(const std::string& name) {
  const double now = seconds_() - started_;
  if (any_) {
    phases_[current_].took = now - phases_[current_].begun;
    ++current_;
  }
  const auto waiting = phases_.begin() + static_cast<std::ptrdiff_t>(current_);
  const auto planned = std::find_if(waiting, phases_.end(), [&](const Phase& phase) { return phase.name == name; });
  if (planned == phases_.end()) {
    phases_.insert(waiting, Phase{{name}});
  } else {
    phases_.erase(waiting, planned);  // what has been passed over
  }
  phases_[current_].begun = now;
  any_ = true;
  update();
  return current_;
}

void PhaseClock::at(std::size_t phase, double fraction) {
  if (any_ && phase == current_) {
    Phase& own = phases_[phase];
    own.fraction = std::max(own.fraction, fraction);
  }
  update();
}

void PhaseClock::finish() {
  now_ = seconds_() - started_;
  share_ = 1;
  left_ = 0;
}

// Measured over planned seconds: of the phases with this name that are over; or else, of a phase that computes, those
// of all that compute and are over and a further one of so many seconds and expected ones, to which the plan itself is
// added with a small weight.
double PhaseClock::ratio(const Phase& of, double seconds, double expected) const {
  double own = 0;
  double own_expected = 0;
  double planned = 0;
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    const Phase& phase = phases_[i];
    const double weight = phase.computes ? 1 : 0;
    planned += weight * phase.expected;
    if (i < current_ && phase.expected > 0) {
      seconds += weight * phase.took;
      expected += weight * phase.expected;
      if (phase.name == of.name) {
        own += phase.took;
        own_expected += phase.expected;
      }
    }
  }
  if (own_expected > 0) {
    return own / own_expected;
  }
  const double weight = kPlanWeight * planned;
  return of.computes && expected + weight > 0 ? (seconds + weight) / (expected + weight) : 1;
}

double PhaseClock::left_of(const Phase& phase, double ratio) const {
  // The plan, P seconds of which t are over, leaves P - t, and from t = P / 2 on P^2 / (4 t), which joins smoothly and
  // is never nothing. The phase's own rate replaces it as the fraction f of its items grows.
  const double expected = phase.expected > 0 ? ratio * phase.expected : kUnplanned;
  const double spent = now_ - phase.begun;
  const double planned = spent <= expected / 2 ? expected - spent : expected * expected / (4 * spent);
  if (phase.fraction <= 0) {
    return planned;
  }
  const double trust = phase.fraction / (phase.fraction + kTrusted);
  const double measured = spent * (1 - phase.fraction) / phase.fraction;
  return phase.fraction < 1 ? trust * measured + (1 - trust) * planned : 0;
}

void PhaseClock::update() {
  now_ = seconds_() - started_;
  left_ = 0;
  double spent = 0;
  double expected = 0;
  std::size_t next = current_;
  if (any_) {
    const Phase& phase = phases_[current_];
    left_ = left_of(phase, ratio(phase, 0, 0));
    expected = phase.expected;
    spent = expected > 0 ? now_ - phase.begun + left_ : 0;  // what was not planned says nothing of the plan
    ++next;
  }
  for (; next < phases_.size(); ++next) {
    // The phase at work is evidence about phases of its own name, and about others if it computes.
    const Phase& phase = phases_[next];
    const bool same = any_ && phase.name == phases_[current_].name;
    const double weight = any_ && phases_[current_].computes ? 1 : 0;
    left_ +=
        phase.expected * (same && expected > 0 ? spent / expected : ratio(phase, weight * spent, weight * expected));
  }
  // A share of 1 is that of finish(): commands still put their outputs in place after the last phase.
  constexpr double kLargest = 0.99;
  if (now_ + left_ > 0) {
    share_ = std::clamp(now_ / (now_ + left_), share_, std::max(share_, kLargest));
  }
}

}  // namespace parsimap
