#include "parsimap/core/system.hpp"

#include <Eigen/Core>
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <new>
#include <string>

namespace parsimap::test {
TEST_CASE("the named instructions are those that Eigen was compiled for") {
  const std::string name = instruction_set();
  CAPTURE(name);
  const std::string used = Eigen::SimdInstructionSetsInUse();
  CHECK((used.find("AVX512") != std::string::npos) == (name == "AVX-512"));
  CHECK((used.find("AVX") != std::string::npos || name == "SSE2" || name == "baseline"));
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

}  // namespace parsimap::test
