// Seeded random numbers that are the same on every machine.
#pragma once

#include <cstdint>
#include <random>

#include "parsimap/core/types.hpp"

namespace parsimap {

// The finaliser of splitmix64 (Steele, Lea and Flood 2014), which maps different numbers to different ones.
constexpr std::uint64_t hashed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31U);
}

// A Mersenne Twister with the distributions the program needs. Boost's distributions are used because the standard
// library leaves the algorithm of its own open.
class Random {
 public:
  // Streams of one seed are independent of each other: one per class, repeat or block.
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0);

  // Uniform in [0, 1).
  double uniform();
  // Standard normal.
  double normal();
  // Of the gamma distribution with this shape (> 0) and scale 1; the exponential distribution for shape 1.
  double gamma(double shape);
  // Uniform in [0, count); count > 0.
  Index index(Index count);
  // Successes in `trials` (>= 0) independent trials, each with this chance in [0, 1].
  std::int64_t binomial(std::int64_t trials, double chance);
  // A matrix of standard normals.
  Matrix normal_matrix(Index rows, Index columns);
  // A uniformly random order of 0 .. count-1.
  Indices permutation(Index count);

 private:
  std::mt19937_64 engine_;
};

}  // namespace parsimap
