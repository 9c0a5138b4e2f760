#include "parsimap/core/instruction_set.hpp"

namespace parsimap {

std::string instruction_set() {
#if defined(__AVX512F__) && defined(__AVX512VL__) && defined(__AVX512BW__) && defined(__AVX512DQ__)
  return "AVX-512";
#elif defined(__AVX2__) && defined(__FMA__)
  return "AVX2";
#elif defined(__SSE2__)
  return "SSE2";
#else
  return "baseline";
#endif
}

}  // namespace parsimap
