#include "weighted_sample.hpp"

namespace parsimap {

// The finaliser of SplitMix64 (Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014).
double hashed_share(std::int64_t number) {
  auto bits = static_cast<std::uint64_t>(number) + 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  bits ^= bits >> 31U;
  return static_cast<double>((bits >> 11U) + 1) / 9007199254740992.0;
}

}  // namespace parsimap
