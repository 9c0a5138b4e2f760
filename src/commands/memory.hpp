// What there is of memory.
#pragma once

#include <cstdint>

namespace parsimap {

// The largest resident size of this process so far.
std::int64_t peak_memory_bytes();

}  // namespace parsimap
