#include "parsimap/core/system.hpp"

#include <Eigen/Core>
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "parsimap/core/file.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
TEST_CASE("the named instructions are those that Eigen was compiled for") {
  const std::string name = instruction_set();
  CAPTURE(name);
  const std::string used = Eigen::SimdInstructionSetsInUse();
  CHECK((used.find("AVX512") != std::string::npos) == (name == "AVX-512"));
  CHECK((used.find("AVX") != std::string::npos || name == "SSE2" || name == "baseline"));
}

TEST_CASE("limits of control groups are the least of a group and those above it") {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& path, const std::string& content) {
    std::filesystem::create_directories(std::filesystem::path(folder.file(path)).parent_path());
    write_file(folder.file(path), content);
  };
  const auto limits = [&](const std::string& groups) {
    write("groups", groups);
    return group_limits(folder.file("groups"), folder.file("mounted"));
  };
  // Version 2: the group has no limit of processors, the one above has one.
  write("mounted/job/step/cpu.max", "max 100000\n");
  write("mounted/job/cpu.max", "250000 100000\n");
  write("mounted/job/step/memory.max", "1073741824\n");
  write("mounted/job/memory.max", "max\n");
  CHECK(limits("0::/job/step\n").processors == 2.5);
  CHECK(limits("0::/job/step\n").bytes == 1073741824);
  CHECK(!limits("0::/\n").processors);
  CHECK(!limits("0::/elsewhere\n").bytes);
  CHECK(!group_limits(folder.file("missing"), folder.file("mounted")).processors);
  // Version 1, seen from a container whose group is mounted as the root.
  write("mounted/cpu,cpuacct/cpu.cfs_quota_us", "150000\n");
  write("mounted/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  write("mounted/memory/memory.limit_in_bytes", "9223372036854771712\n");
  const std::string groups = "4:memory:/docker/1\n2:cpu,cpuacct:/docker/1\nno group\n";
  CHECK(limits(groups).processors == 1.5);
  CHECK(!limits(groups).bytes);
  write("mounted/memory/memory.limit_in_bytes", "536870912\n");
  CHECK(limits(groups).bytes == 536870912);
  CHECK(limits(groups + "0::/job\n").processors == 1.5);
  write("mounted/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  CHECK(!limits(groups).processors);
}

#ifdef __x86_64__
TEST_CASE("this processor has them") {
  const std::string name = instruction_set();
  if (name == "AVX-512") {
    CHECK(__builtin_cpu_supports("avx512f"));
  } else if (name == "AVX2") {
    CHECK(__builtin_cpu_supports("avx2"));
  } else {
    CHECK(name == "SSE2");
  }
}
#endif

TEST_CASE("memory that was refused is remembered, whoever passed over it") {
  CHECK_NOTHROW(check_memory());
  const pid_t child = fork();
  if (child == 0) {
    constexpr rlim_t kLimit = rlim_t{1} << 30U;
    const rlimit limit{kLimit, kLimit};
    setrlimit(RLIMIT_AS, &limit);
    watch_memory();
    void* none = operator new (std::size_t{1} << 32U, std::nothrow);
    bool remembered = false;
    try {
      check_memory();
    } catch (const std::bad_alloc&) {
      remembered = true;
    }
    watch_memory();
    check_memory();
    _exit(none == nullptr && remembered ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
#ifndef PARSIMAP_SANITIZED  // which has an operator new of its own
  CHECK(WEXITSTATUS(status) == 0);
#endif
}

TEST_CASE("the clock does not go back") {
  const double first = steady_seconds();
  CHECK(steady_seconds() >= first);
}

namespace {

// A command of which the shares of the time are known: phases with their true seconds, and how the fraction of the
// items follows the share of the time of the phase.
struct TruePhase {
  PlannedPhase planned;
  double seconds = 0;
  std::function<double(double)> items = [](double share) { return share; };
};

struct Shown {
  double share_error = 0;  // the largest, in points, over the tenths of the time
  double left_factor = 1;  // likewise, after the first fifth
  bool went_back = false;
};

// Tells the clock twenty times a second what is done.
Shown shown_of(const std::vector<TruePhase>& phases) {
  double now = 0;
  PhaseClock clock([&now] { return now; });
  std::vector<PlannedPhase> plan;
  double total = 0;
  for (const TruePhase& phase : phases) {
    plan.push_back(phase.planned);
    total += phase.seconds;
  }
  clock.plan(plan);
  Shown shown;
  double last = 0;
  int tenth = 1;
  double begun = 0;
  for (const TruePhase& phase : phases) {
    const std::size_t number = clock.begin(phase.planned.name);
    for (; now < begun + phase.seconds; now += 0.05) {
      clock.at(number, phase.items((now - begun) / phase.seconds));
      shown.went_back = shown.went_back || clock.share() < last;
      last = clock.share();
      if (tenth < 10 && now >= tenth * total / 10) {
        shown.share_error = std::max(shown.share_error, 100 * std::abs(clock.share() - now / total));
        if (tenth > 1) {
          const double ratio = clock.seconds_left() / (total - now);
          shown.left_factor = std::max({shown.left_factor, ratio, 1 / ratio});
        }
        ++tenth;
      }
    }
    begun += phase.seconds;
  }
  CHECK(clock.share() < 1);
  clock.finish();
  CHECK(clock.share() == 1);
  CHECK(clock.seconds_left() == 0);
  return shown;
}

}  // namespace

TEST_CASE("the share follows the time, whatever the plan says of the speed of the computer") {
  for (const double speed : {0.2, 1.0, 5.0}) {
    const Shown shown = shown_of({{{"read", 2 * speed}, 2}, {{"train", 20 * speed}, 20}, {{"write", 8 * speed}, 8}});
    CHECK(shown.share_error < 10);
    CHECK(shown.left_factor < 1.5);
    CHECK_FALSE(shown.went_back);
  }
}

TEST_CASE("what reading takes says nothing of how fast the computer computes") {
  // Reading takes three times what is planned, training and writing what is planned.
  const Shown shown = shown_of({{{"read", 2, false}, 6}, {{"train", 20}, 20}, {{"write", 4, false}, 4}});
  CHECK(shown.share_error < 10);
  CHECK(shown.left_factor < 1.5);
}

TEST_CASE("a phase that was measured tells what others of its name take") {
  // Training takes three times what is planned, in its first run and its second.
  const Shown shown = shown_of({{{"train", 10}, 30}, {{"read", 1}, 1}, {{"train", 15}, 45}, {{"test", 10}, 30}});
  CHECK(shown.share_error < 10);
  CHECK(shown.left_factor < 1.5);
  CHECK_FALSE(shown.went_back);
}

TEST_CASE("items that become slower do not move the share back") {
  const Shown shown = shown_of({{{"train", 20}, 20, [](double share) { return std::pow(share, 0.85); }}});
  CHECK(shown.share_error < 10);
  CHECK_FALSE(shown.went_back);
}

TEST_CASE("the laps of a stopwatch add up to no more than its seconds") {
  Stopwatch watch;
  double laps = 0;
  for (int i = 0; i < 3; ++i) {
    const double lap = watch.lap();
    CHECK(lap >= 0);
    laps += lap;
  }
  CHECK(watch.seconds() >= laps * (1 - 1e-9));
}

TEST_CASE("a time left is known from the first moment, and phases that are passed over are forgotten") {
  double now = 0;
  PhaseClock clock([&now] { return now; });
  const std::size_t unplanned = clock.begin("sudden");
  CHECK(clock.seconds_left() > 0);
  CHECK(clock.share() == 0);
  now = 100;
  clock.at(unplanned, 0);
  CHECK(clock.seconds_left() > 0);
  CHECK(clock.share() < 1);
  clock.plan({{"skipped", 1000}, {"last", 10}});
  const std::size_t last = clock.begin("last");
  clock.at(unplanned, 1);  // is over
  now = 105;
  clock.at(last, 0.5);
  CHECK(clock.seconds_left() == doctest::Approx(5).epsilon(0.1));
}

}  // namespace parsimap::test
