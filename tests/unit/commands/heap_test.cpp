#include "parsimap/commands/heap.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <vector>

#ifndef PARSIMAP_SANITIZED  // which has a heap of its own

using namespace parsimap;

namespace {

long page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

// How many pages the system clears for a block of 16 MB that is taken and given back again and again.
long faults_of_blocks() {
  const long before = page_faults();
  for (int i = 0; i < 20; ++i) {
    const std::vector<char> block(std::size_t{16} << 20U, 1);
    CHECK(block.back() == 1);
  }
  return page_faults() - before;
}

}  // namespace

TEST_CASE("heap: large blocks go back to the system, or stay for those who need them again and again") {
  return_large_blocks();
  // Other tests may have left room for such blocks in the heap, from which they would be taken without the system.
  const std::vector<std::vector<char>> room(6, std::vector<char>(std::size_t{16} << 20U, 1));
  const long returned = faults_of_blocks();
  keep_free_memory();
  const long kept = faults_of_blocks();
  CHECK(kept < returned / 4);
  return_large_blocks();
}

#endif
