// The one place where work is shared between threads, and how it is shared between processes. Only mapping starts a
// thread of its own beside it, which reads the next window while one is computed.
#pragma once

#include <algorithm>
#include <functional>
#include <string>

#include "parsimap/core/types.hpp"

namespace parsimap {

// The number of threads that `requested` stands for: itself when positive; when 0 as many as OpenMP allows this thread,
// that is all processors, or the number in OMP_NUM_THREADS, but no more than the control group of this process has
// processors (core/system.hpp): further threads would only be stopped in turn.
int resolve_threads(int requested);

// The number of parts of at most `size` that `count` things make.
constexpr Index part_count(Index count, Index size) { return (count + size - 1) / size; }

// Calls body(i) once for every i in [0, count), on `threads` threads, in any order. Bodies must write to disjoint
// places; reductions are done by the caller afterwards in index order, so that results do not depend on `threads`.
// The first exception (lowest i among those thrown) is rethrown here after all threads have stopped; iterations not
// yet started by then are skipped.
//
// A body may call parallel_for itself. The indices of inner calls are shared with those threads of the outermost call
// that find no index of their own any more. So a few large pieces of work, each of which is a loop again, keep all
// threads busy until the last one ends. Threads end with the outermost call.
void parallel_for(Index count, int threads, const std::function<void(Index)>& body);

// The same with at most `at_once` indices in work at the same time, for bodies that take much memory. The other threads
// take part in the inner loops alone.
void parallel_for(Index count, int threads, int at_once, const std::function<void(Index)>& body);

// Products of a matrix with its own transpose, shared between threads.

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

// One part of a job that several processes or machines share: part `number` of `count`.
//
// What is shared are items in a row, such as rows of tiles, scenes or runs. Parts are contiguous and as equal as whole
// items allow; together they are all items, each once.

struct Shard {
  Index number = 1;  // from 1
  Index count = 1;
  bool operator==(const Shard&) const = default;
};

// "3/64" and back; anything else than 1 <= number <= count <= 1 000 000 is a ConfigError that states the form.
Shard parse_shard(const std::string& text);
// The same with "0/64", which is no part but stands for what the parts have in common.
Shard parse_shard_or_plan(const std::string& text);
std::string to_string(const Shard& shard);

// Items first .. last - 1.
struct ItemRange {
  Index first = 0;
  Index last = 0;
  [[nodiscard]] Index size() const { return last - first; }
  bool operator==(const ItemRange&) const = default;
};

// The shard's share of `items` items; empty where there are fewer items than shards before it.
ItemRange share_of(const Shard& shard, Index items);

}  // namespace parsimap
