#include "parsimap/accuracy/interval.hpp"

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>

namespace parsimap {

double normal_quantile() {
  static const double quantile = boost::math::quantile(boost::math::normal(), (1 + kConfidence) / 2);
  return quantile;
}

double student_quantile(std::int64_t regions) {
  return boost::math::quantile(boost::math::students_t(static_cast<double>(regions - 1)), (1 + kConfidence) / 2);
}

Interval wilson_interval(double share, double trials) {
  const double z = normal_quantile();
  const double penalty = z * z / trials;
  const double centre = (share + penalty / 2) / (1 + penalty);
  const double half_width = z / (1 + penalty) * std::sqrt(share * (1 - share) / trials + penalty / (4 * trials));
  // The share itself lies within, rounding or not.
  return {std::clamp(centre - half_width, 0.0, share), std::clamp(centre + half_width, share, 1.0)};
}

Interval normal_interval(double estimate, double standard_error, double least, double most) {
  const double half_width = normal_quantile() * standard_error;
  return {std::max(least, estimate - half_width), std::min(most, estimate + half_width)};
}

}  // namespace parsimap
