// Products of a matrix with its own transpose, shared between threads.
#pragma once

#include <algorithm>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap {

// The order of the tiles that a matrix of order n is cut into. It depends on n alone, so that sums do as well: a few
// tiles to each thread, but none so small that copying its factors would count beside their product.
inline Index tile_order(Index n) {
  constexpr Index kSmallest = 128;
  constexpr Index kLargest = 512;
  constexpr Index kAlignment = 64;
  return std::clamp((n / 8 + kAlignment - 1) / kAlignment * kAlignment, kSmallest, kLargest);
}

// Adds factor * A A' to the lower triangle of `lower` (n x n) for A = `a` (n x any, any dense expression without
// computation), tile by tile. What stands above the diagonal is left alone.
template <typename Expression>
void add_self_product(Eigen::Ref<Matrix> lower, const Expression& a, double factor, int threads) {
  const Index n = lower.rows();
  const Index order = tile_order(n);
  const Index tiles = (n + order - 1) / order;
  // Tiles (i, j), j <= i, are numbered by rows.
  parallel_for(tiles * (tiles + 1) / 2, threads, [&](Index tile) {
    Index i = 0;
    while ((i + 1) * (i + 2) / 2 <= tile) {
      ++i;
    }
    const Index row = i * order;
    const Index column = (tile - i * (i + 1) / 2) * order;
    const Index height = std::min(order, n - row);
    if (row == column) {
      lower.block(row, row, height, height)
          .template selfadjointView<Eigen::Lower>()
          .rankUpdate(a.middleRows(row, height), factor);
    } else {
      lower.block(row, column, height, order).noalias() +=
          factor * a.middleRows(row, height) * a.middleRows(column, order).transpose();
    }
  });
}

}  // namespace parsimap
