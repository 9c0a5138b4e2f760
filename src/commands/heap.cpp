#include "parsimap/commands/heap.hpp"

#include <malloc.h>

namespace parsimap {

void return_large_blocks() {
  constexpr int kLargeBlock = 8 << 20;
  mallopt(M_MMAP_THRESHOLD, kLargeBlock);
  mallopt(M_TRIM_THRESHOLD, 4 * kLargeBlock);
  mallopt(M_ARENA_MAX, 1);
}

void keep_free_memory() {
  // The largest block that the C library lets be taken from its heap.
  constexpr int kLargestBlock = 32 << 20;
  constexpr int kKept = 64 << 20;
  mallopt(M_MMAP_THRESHOLD, kLargestBlock);
  mallopt(M_TRIM_THRESHOLD, kKept);
}

}  // namespace parsimap
