#include "normal_equations.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "parsimap/core/parallel_for.hpp"

namespace parsimap {

// Samples whose rows are held at the same time, and those of them that one task computes.
constexpr Index kBlock = 1152;
constexpr Index kStrip = 144;
// Rows and columns of the parts of A that tasks add to.
constexpr Index kTile = 384;

static Indices difference(const Indices& of, const Indices& without) {
  Indices result;
  std::set_difference(of.begin(), of.end(), without.begin(), without.end(), std::back_inserter(result));
  return result;
}

NormalEquations::NormalEquations(const BasisForm& form, const Vector& labels, const Vector& penalties, int threads,
                                 const Work& work)
    : form_(form),
      labels_(labels),
      penalties_(penalties),
      threads_(threads),
      work_(work),
      matrix_(Matrix::Zero(form.centres() + 1, form.centres() + 1)),
      right_(Vector::Zero(form.centres() + 1)) {}

void NormalEquations::move_to(const Indices& set) {
  // The sums change only by the samples that enter or leave the set. Where these are more than the set has, summing
  // anew is cheaper, and also removes the rounding errors that added and subtracted terms have left.
  const Indices entering = difference(set, set_);
  const Indices leaving = difference(set_, set);
  if (entering.size() + leaving.size() < set.size()) {
    add(entering, 1);
    add(leaving, -1);
    set_ = set;
  } else {
    set_ = set;
    sum_anew();
  }
}

void NormalEquations::sum_anew() {
  matrix_.setZero();
  right_.setZero();
  add(set_, 1);
}

void NormalEquations::add(const Indices& rows, double sign) {
  const auto count = static_cast<Index>(rows.size());
  for (Index first = 0; first < count; first += kBlock) {
    add_block({rows.begin() + first, rows.begin() + std::min(count, first + kBlock)}, sign);
  }
}

void NormalEquations::add_block(const Indices& rows, double sign) {
  const auto count = static_cast<Index>(rows.size());
  const Index order = matrix_.rows();
  // The rows sqrt(C_i) p_i' of some samples, P. Their part of A is P'P, and that of b is P' (sqrt(C_i) y_i).
  block_.resize(count, order);
  const Vector roots = penalties_(rows).cwiseSqrt();
  parallel_for(part_count(count, kStrip), threads_, [&](Index strip) {
    const Index first = strip * kStrip;
    const Index size = std::min(kStrip, count - first);
    auto values = block_.middleRows(first, size);
    form_.rows({rows.begin() + first, rows.begin() + first + size}, values.leftCols(order - 1));
    values.col(order - 1).setOnes();
    values.array().colwise() *= roots.segment(first, size).array();
  });
  right_ += sign * (block_.transpose() * labels_(rows).cwiseProduct(roots));
  // Every tile of the lower triangle is added to by one task, samples in their order, whatever the number of threads.
  std::vector<std::pair<Index, Index>> tiles;
  for (Index row = 0; row < order; row += kTile) {
    for (Index column = 0; column <= row; column += kTile) {
      tiles.emplace_back(row, column);
    }
  }
  parallel_for(static_cast<Index>(tiles.size()), threads_, [&](Index tile) {
    const auto [row, column] = tiles[static_cast<std::size_t>(tile)];
    const Index height = std::min(kTile, order - row);
    const Index width = std::min(kTile, order - column);
    matrix_.block(row, column, height, width).noalias() +=
        sign * block_.middleCols(row, height).transpose() * block_.middleCols(column, width);
  });
  count_work(work_, 0.5 * operations(order, order, count));
}

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
  return indices_where(labels.size(), [&](Index i) { return labels(i) * decision(i) < 1; });
}

Indices with_both_classes(Indices set, const Vector& labels) {
  const bool positive = std::ranges::any_of(set, [&](Index i) { return labels(i) > 0; });
  const bool negative = std::ranges::any_of(set, [&](Index i) { return labels(i) < 0; });
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
