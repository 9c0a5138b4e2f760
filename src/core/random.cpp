#include "parsimap/core/random.hpp"

#include <boost/random/binomial_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include <algorithm>
#include <utility>

namespace parsimap {

Random::Random(std::uint64_t seed, std::uint64_t stream) {
  // The seed and the stream are passed as words of 32 bits, which is what std::seed_seq mixes. The C++ standard
  // prescribes its algorithm and that of the Mersenne Twister, so that both give the same numbers with every compiler.
  std::seed_seq sequence{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U),
                         static_cast<std::uint32_t>(stream), static_cast<std::uint32_t>(stream >> 32U)};
  engine_.seed(sequence);
}

double Random::uniform() { return boost::random::uniform_01<double>()(engine_); }

double Random::normal() { return boost::random::normal_distribution<double>()(engine_); }

double Random::gamma(double shape) { return boost::random::gamma_distribution<double>(shape)(engine_); }

Index Random::index(Index count) { return boost::random::uniform_int_distribution<Index>(0, count - 1)(engine_); }

std::int64_t Random::binomial(std::int64_t trials, double chance) {
  // Boost asks for a chance below 1 when it inverts the distribution.
  if (trials == 0 || chance >= 1) {
    return trials;
  }
  return boost::random::binomial_distribution<std::int64_t>(trials, chance)(engine_);
}

Matrix Random::normal_matrix(Index rows, Index columns) {
  Matrix result(rows, columns);
  // Numbers are drawn column by column; the order is part of the result for a seed.
  std::ranges::generate(result.reshaped(), [&] { return normal(); });
  return result;
}

Indices Random::permutation(Index count) {
  Indices order = consecutive(count);
  // The shuffle of Fisher and Yates: the last place gets one of all entries, the one before it one of the rest, and so
  // on. Every order has the same probability.
  for (Index i = count - 1; i > 0; --i) {
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(index(i + 1))]);
  }
  return order;
}

}  // namespace parsimap
