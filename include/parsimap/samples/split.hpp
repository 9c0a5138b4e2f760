// Random subsets that respect the classes.
#pragma once

#include <cstdint>

#include "parsimap/core/types.hpp"

namespace parsimap {

// Up to counts[c] samples of every class c (all of a smaller one), drawn without replacement; ascending indices.
// The draw of one class does not depend on the samples of the others. `labels` holds class indices below counts.size().
Indices draw_counts(const std::vector<int>& labels, const std::vector<Index>& counts, std::uint64_t seed);

// The same with `per_class` samples of every class in [0, classes).
Indices draw_per_class(const std::vector<int>& labels, std::size_t classes, Index per_class, std::uint64_t seed);

// About `total` samples in proportion to the class sizes, with at least min(`least`, class size) of every class.
Indices draw_stratified(const std::vector<int>& labels, std::size_t classes, Index total, Index least,
                        std::uint64_t seed);

}  // namespace parsimap
