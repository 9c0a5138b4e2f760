#include "parsimap/spatial/segment_means.hpp"

#include <algorithm>
#include <cmath>

namespace parsimap {

// Sums are exact integers: values from 0 to 1 with 30 binary digits, of which 2^33 fit into 64 bits.
constexpr double kUnit = 1 << 30;  // what a value of 1 counts as

void SegmentMeans::add(const ValidPixels& pixels, const std::vector<std::int64_t>& numbers, const Spectra& values) {
  for (Index i = 0; i < values.rows(); ++i) {
    // `numbers` has an entry for each pixel of the window, `values` a row for each pixel with a value.
    const Index place = pixels.position(i);
    const std::int64_t number = numbers[static_cast<std::size_t>(place)];
    if (number == 0) {
      continue;
    }
    const Index column = pixels.window.column + place % pixels.window.width;
    const Index row = pixels.window.row + place / pixels.window.width;
    // The first pixel of a segment gives it a place in the lists: counts_ and windows_ have one entry for each
    // segment, sums_ has `values_` entries, one after the other.
    const auto [found, added] = positions_.emplace(number, counts_.size());
    if (added) {
      counts_.push_back(0);
      windows_.push_back({column, row, 1, 1});
      sums_.resize(sums_.size() + static_cast<std::size_t>(values_), 0);
    }
    ++counts_[found->second];
    Window& window = windows_[found->second];
    window = around(window, {column, row, 1, 1});
    // Fixed-point numbers: their sum does not depend on the order in which windows bring the pixels.
    std::int64_t* sums = &sums_[found->second * static_cast<std::size_t>(values_)];
    for (Index v = 0; v < values_; ++v) {
      sums[v] += std::llround(static_cast<double>(values(i, v)) * kUnit);
    }
  }
}

// The map of positions has no order of its own; ascending numbers make the outcome the same for every run.
std::vector<std::int64_t> SegmentMeans::numbers() const {
  auto numbers = mapped<std::int64_t>(positions_, [](const auto& one) { return one.first; });
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

void SegmentMeans::means(std::int64_t number, float* means) const {
  const std::size_t at = position(number);
  // One division for each value: the sum is exact, so that this is the only rounding of a mean.
  const double unit = kUnit * static_cast<double>(counts_[at]);
  for (Index v = 0; v < values_; ++v) {
    const std::int64_t sum = sums_[at * static_cast<std::size_t>(values_) + static_cast<std::size_t>(v)];
    means[v] = static_cast<float>(static_cast<double>(sum) / unit);
  }
}

}  // namespace parsimap
