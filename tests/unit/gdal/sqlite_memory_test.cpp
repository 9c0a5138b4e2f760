#include "gdal/sqlite_memory.hpp"

#include <doctest/doctest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <new>

#include "parsimap/core/memory_watch.hpp"
#include "parsimap/gdal/settings.hpp"

using namespace parsimap;

TEST_CASE("memory that SQLite does not get is remembered") {
  const pid_t child = fork();
  if (child == 0) {
    initialise_gdal();  // which watches it before anything uses it
    watch_memory();
    void* some = sqlite3_malloc(1000);
    check_memory();
    sqlite3_free(some);
    constexpr rlim_t kLimit = rlim_t{1} << 30U;
    const rlimit limit{kLimit, kLimit};
    setrlimit(RLIMIT_AS, &limit);
    bool remembered = false;
    try {
      sqlite3_free(sqlite3_malloc64(std::size_t{3} << 29U));
      check_memory();
    } catch (const std::bad_alloc&) {
      remembered = true;
    }
    _exit(some != nullptr && remembered ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
#ifndef PARSIMAP_SANITIZED  // which reserves more than the limit
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
#endif
}
