#include "parsimap/selection/unit_error.hpp"

#include <cmath>
#include <map>

namespace parsimap {

double standard_error(const Vector& difference, double mean, const Vector& weights,
                      const std::vector<std::int64_t>& units) {
  std::map<std::int64_t, double> deviations;
  for (Index i = 0; i < difference.size(); ++i) {
    deviations[units[static_cast<std::size_t>(i)]] += difference(i) - mean * weights(i);
  }
  double sum = 0;
  for (const auto& [unit, deviation] : deviations) {
    sum += deviation * deviation;
  }
  const auto count = static_cast<double>(deviations.size());
  return count > 1 ? std::sqrt(sum * count / (count - 1)) / weights.sum() : 0.0;
}

}  // namespace parsimap
