#include "parsimap/samples/split.hpp"

#include <algorithm>
#include <cmath>

#include "parsimap/core/random.hpp"

namespace parsimap {
namespace {

std::vector<Indices> rows_by_class(const std::vector<int>& labels, std::size_t classes) {
  std::vector<Indices> rows(classes);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    rows[static_cast<std::size_t>(labels[i])].push_back(static_cast<Index>(i));
  }
  return rows;
}

// Keeps count(class, size) random members of every class, each class with a random stream of its own.
template <class Count>
Indices draw(const std::vector<int>& labels, std::size_t classes, std::uint64_t seed, Count count) {
  const std::vector<Indices> rows = rows_by_class(labels, classes);
  Indices drawn;
  for (std::size_t c = 0; c < classes; ++c) {
    const auto size = static_cast<Index>(rows[c].size());
    const Indices order = Random(seed, c).permutation(size);
    const Index kept = std::min(size, count(c, size));
    for (Index k = 0; k < kept; ++k) {
      drawn.push_back(rows[c][static_cast<std::size_t>(order[static_cast<std::size_t>(k)])]);
    }
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

}  // namespace

Indices draw_counts(const std::vector<int>& labels, const std::vector<Index>& counts, std::uint64_t seed) {
  return draw(labels, counts.size(), seed, [&counts](std::size_t c, Index) { return counts[c]; });
}

Indices draw_per_class(const std::vector<int>& labels, std::size_t classes, Index per_class, std::uint64_t seed) {
  return draw(labels, classes, seed, [per_class](std::size_t, Index) { return per_class; });
}

Indices draw_stratified(const std::vector<int>& labels, std::size_t classes, Index total, Index least,
                        std::uint64_t seed) {
  const double fraction = static_cast<double>(total) / static_cast<double>(std::max<std::size_t>(labels.size(), 1));
  return draw(labels, classes, seed, [fraction, least](std::size_t, Index size) {
    return std::max(least, static_cast<Index>(std::lround(fraction * static_cast<double>(size))));
  });
}

}  // namespace parsimap
