#include "parsimap/core/parallel_for.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace parsimap;

TEST_CASE("parallel_for: every index is visited exactly once for any number of threads") {
  for (const int threads : {1, 2, 5}) {
    std::vector<int> visits(1000, 0);
    parallel_for(1000, threads, [&](Index i) { ++visits[static_cast<std::size_t>(i)]; });
    CHECK(visits == std::vector<int>(1000, 1));
  }
}

TEST_CASE("parallel_for: nothing to do") {
  bool called = false;
  parallel_for(0, 4, [&](Index) { called = true; });
  CHECK_FALSE(called);
}

TEST_CASE("parallel_for: an exception reaches the caller and stops what has not started") {
  std::atomic<int> calls{0};
  std::string message;
  try {
    parallel_for(100000, 2, [&](Index i) {
      ++calls;
      if (i == 3) {
        throw std::runtime_error("index 3");
      }
      // Otherwise the other thread could be through before this one is given a processor.
      std::this_thread::sleep_for(std::chrono::milliseconds(i > 3 ? 1 : 0));
    });
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  CHECK(message == "index 3");
  CHECK(calls < 100000);
}

TEST_CASE("resolve_threads: zero stands for all processors") {
  CHECK(resolve_threads(3) == 3);
  CHECK(resolve_threads(0) >= 1);
}
