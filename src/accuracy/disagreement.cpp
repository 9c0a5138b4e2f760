#include "parsimap/accuracy/disagreement.hpp"

#include <algorithm>
#include <cmath>

namespace parsimap {

std::optional<Disagreement> disagreement(const Matrix& weights) {
  const double total = weights.sum();
  if (!(total > 0)) {
    return std::nullopt;
  }
  Disagreement result;
  for (Index c = 0; c < weights.rows(); ++c) {
    const double reference = weights.row(c).sum();
    const double map = weights.col(c).sum();
    result.quantity += std::abs(reference - map) / 2;
    result.allocation += std::min(reference, map) - weights(c, c);
  }
  return Disagreement{result.quantity / total, result.allocation / total};
}

}  // namespace parsimap
