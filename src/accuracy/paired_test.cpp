#include "parsimap/accuracy/paired_test.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/chi_squared.hpp>

#include <algorithm>
#include <cmath>

namespace parsimap {

McNemarTest mcnemar_test(const PairedCounts& counts) {
  constexpr std::int64_t least_for_chi_square = 25;
  const auto discordant = static_cast<double>(counts.discordant());
  if (counts.discordant() < least_for_chi_square) {
    const auto fewer = static_cast<double>(std::min(counts.first_only, counts.second_only));
    const boost::math::binomial coin(discordant, 0.5);
    return {true, 0, counts.discordant() == 0 ? 1 : std::min(1.0, 2 * boost::math::cdf(coin, fewer))};
  }
  const auto difference = std::abs(static_cast<double>(counts.first_only - counts.second_only));
  const double statistic = std::pow(std::max(0.0, difference - 1), 2) / discordant;
  return {false, statistic, boost::math::cdf(boost::math::complement(boost::math::chi_squared(1), statistic))};
}

}  // namespace parsimap
