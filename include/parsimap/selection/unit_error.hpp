// How sure a mean over samples is that are not independent of each other.
#pragma once

#include <cstdint>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// The standard error of the weighted mean of differences, `difference` being weight times difference of each sample:
//   sqrt( U/(U-1) sum_units ( sum_{i in unit} s_i (delta_i - delta) )^2 ) / sum_i s_i.
// It is over units, since the pixels of one region are not independent of each other. 0 for a single unit.
double standard_error(const Vector& difference, double mean, const Vector& weights,
                      const std::vector<std::int64_t>& units);

}  // namespace parsimap
