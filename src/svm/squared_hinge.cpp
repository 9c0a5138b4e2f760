#include "squared_hinge.hpp"

#include <algorithm>
#include <cmath>

namespace parsimap {
namespace {

// The slope in t of the objective along a line, and the derivative of that slope. The second is piecewise constant: it
// changes where a sample enters or leaves the margin.
struct Slope {
  double value;
  double derivative;
};

Slope slope_along(const HingeLine& line, const Vector& labels, const Vector& penalties, double t) {
  Slope slope{line.inner + t * line.curvature, line.curvature};
  for (Index i = 0; i < labels.size(); ++i) {
    // The slack of sample i is 1 - y_i f_i - t y_i df_i. Its loss C_i/2 slack^2 has the slope -C_i slack y_i df_i and
    // the second derivative C_i df_i^2 where the slack is positive.
    const double change = labels(i) * line.change(i);
    const double slack = 1 - labels(i) * line.decision(i) - t * change;
    if (slack > 0) {
      slope.value -= penalties(i) * slack * change;
      slope.derivative += penalties(i) * change * change;
    }
  }
  return slope;
}

}  // namespace

Indices inside_margin(const Vector& labels, const Vector& decision) {
  Indices inside;
  for (Index i = 0; i < labels.size(); ++i) {
    if (labels(i) * decision(i) < 1) {
      inside.push_back(i);
    }
  }
  return inside;
}

Indices with_both_classes(Indices set, const Vector& labels) {
  const bool positive = std::any_of(set.begin(), set.end(), [&](Index i) { return labels(i) > 0; });
  const bool negative = std::any_of(set.begin(), set.end(), [&](Index i) { return labels(i) < 0; });
  return positive && negative ? set : inside_margin(labels, Vector::Zero(labels.size()));
}

// The zero of the non-decreasing, piecewise linear slope: Newton's method inside a bracket.
double line_search(const HingeLine& line, const Vector& labels, const Vector& penalties) {
  // Widen the bracket until the slope is no longer negative at its end; a Newton step seldom falls short of t = 2.
  double low = 0;
  double high = 2;
  while (high < 64 && slope_along(line, labels, penalties, high).value < 0) {
    low = high;
    high *= 2;
  }
  double t = std::clamp(1.0, low, high);
  for (int i = 0; i < 60; ++i) {
    const Slope slope = slope_along(line, labels, penalties, t);
    // Newton's method on a piecewise linear function ends exactly, once it stands on the piece with the zero; where it
    // would leave the bracket, the bracket is halved instead.
    (slope.value < 0 ? low : high) = t;
    double next = slope.derivative > 0 ? t - slope.value / slope.derivative : 0.5 * (low + high);
    if (!(next > low && next < high)) {
      next = 0.5 * (low + high);
    }
    if (std::abs(next - t) <= 1e-14 * t || high - low <= 1e-14 * high) {
      return next;
    }
    t = next;
  }
  return t;
}

}  // namespace parsimap
