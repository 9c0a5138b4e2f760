#include "parsimap/classifier/tail_probability.hpp"

#include <algorithm>
#include <cmath>

namespace parsimap {
namespace {

constexpr Index kPoints = 20;          // of the table, at most
constexpr Index kFewestLargest = 10;   // values that give the exponent, where there are as many in half of the sample
constexpr double kLeastValue = 1e-12;  // logarithms are taken
constexpr double kLargestExponent = 100;  // of a sample whose largest values are equal

}  // namespace

TailTable fit_tail(Vector sample) {
  // The largest values give the exponent of the tail (Hill 1975): one over their mean logarithm beyond the threshold.
  // The others give the table of quantiles.
  const Index n = sample.size();
  sample = sample.cwiseMax(kLeastValue);
  std::sort(sample.begin(), sample.end());
  const Index largest = std::max(n / 10, std::min(kFewestLargest, n / 2));
  const Index body = n - largest;
  const double threshold = sample(body - 1);
  const double excess = (sample.tail(largest).array() / threshold).log().sum();

  TailTable table;
  table.exponent = std::min(kLargestExponent, static_cast<double>(largest) / std::max(excess, kLeastValue));
  const Index points = std::min(kPoints, body);
  table.values.resize(points);
  table.probabilities.resize(points);
  Index count = 0;
  for (Index i = 1; i <= points; ++i) {
    const Index rank = i * body / points;
    // Of equal values the last counts.
    if (count > 0 && !(sample(rank - 1) > table.values(count - 1))) {
      --count;
    }
    table.values(count) = sample(rank - 1);
    table.probabilities(count) = static_cast<double>(n + 1 - rank) / static_cast<double>(n + 1);
    ++count;
  }
  table.values.conservativeResize(count);
  table.probabilities.conservativeResize(count);
  return table;
}

double tail_probability(const TailTable& table, double value) {
  if (std::isnan(value)) {
    return 0;
  }
  const Index last = table.values.size() - 1;
  if (value >= table.values(last)) {
    return table.probabilities(last) * std::pow(table.values(last) / value, table.exponent);
  }
  const Index above = std::upper_bound(table.values.begin(), table.values.end(), value) - table.values.begin();
  const double low = above > 0 ? table.values(above - 1) : 0;
  const double start = above > 0 ? table.probabilities(above - 1) : 1;
  const double fraction = (value - low) / (table.values(above) - low);
  return start + fraction * (table.probabilities(above) - start);
}

}  // namespace parsimap
