// Means of numbers over the pixels of segments, such as probabilities of classes: the segment is then classified as a
// whole.
//
// Sums are of whole numbers: a value v in [0, 1] counts as round(v 2^30). Whole numbers add up to the same sum in any
// order, so that a mean does not depend on how the scene is divided into windows. It is off by 2^-31 at most, which is
// less than what single precision resolves near 1; a segment may have 2^33 pixels.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/spatial/regularisation.hpp"

namespace parsimap {

class SegmentMeans {
 public:
  // `values` numbers for each pixel, all in [0, 1]. Memory goes with the number of segments.
  explicit SegmentMeans(Index values) : values_(values) {}

  // Adds the valid pixels of a window. `numbers` are those of SegmentSource::read() for all pixels of pixels.window;
  // `values` is n x values, a row for each valid pixel.
  void add(const ValidPixels& pixels, const std::vector<std::int64_t>& numbers, const Spectra& values);

  // The numbers of all segments that have a valid pixel, ascending.
  [[nodiscard]] std::vector<std::int64_t> numbers() const;
  // Of such a segment: how many valid pixels it has, the smallest window around them, and their means.
  [[nodiscard]] std::int64_t pixels(std::int64_t number) const { return counts_[position(number)]; }
  [[nodiscard]] const Window& window(std::int64_t number) const { return windows_[position(number)]; }
  void means(std::int64_t number, float* means) const;

 private:
  [[nodiscard]] std::size_t position(std::int64_t number) const { return positions_.at(number); }

  Index values_;
  std::unordered_map<std::int64_t, std::size_t> positions_;  // of segments in the lists below
  std::vector<std::int64_t> counts_;
  std::vector<Window> windows_;
  std::vector<std::int64_t> sums_;  // `values` for each segment
};

}  // namespace parsimap
