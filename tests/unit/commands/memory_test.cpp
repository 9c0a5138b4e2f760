#include "commands/memory.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace parsimap {

TEST_CASE("peak memory grows with what is touched") {
  const std::int64_t before = peak_memory_bytes();
  constexpr std::int64_t kBytes = std::int64_t{64} << 20U;
  const std::vector<char> block(static_cast<std::size_t>(kBytes), 1);
  CHECK(block.back() == 1);
  CHECK(peak_memory_bytes() > before / 2 + kBytes / 2);
  CHECK(before > 1 << 20U);
}

}  // namespace parsimap
