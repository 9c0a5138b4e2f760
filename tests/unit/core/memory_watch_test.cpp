#include "parsimap/core/memory_watch.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <new>

using namespace parsimap;

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
