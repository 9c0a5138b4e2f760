#include "parsimap/core/instruction_set.hpp"

#include <Eigen/Core>
#include <doctest/doctest.h>

#include <string>

namespace parsimap {

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

}  // namespace parsimap
