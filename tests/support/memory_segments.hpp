// Segments held in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/scene/raster.hpp"

namespace parsimap::test {

class MemorySegments final : public SegmentSource {
 public:
  // The numbers of all pixels of a grid of this width, row by row.
  MemorySegments(Index width, std::vector<std::int64_t> numbers) : width_(width), numbers_(std::move(numbers)) {}

  [[nodiscard]] const std::string& name() const override { return name_; }
  void read(const Window& window, std::vector<std::int64_t>& numbers) override {
    numbers.clear();
    for (Index row = window.row; row < window.row + window.height; ++row) {
      const auto first = numbers_.begin() + row * width_ + window.column;
      numbers.insert(numbers.end(), first, first + window.width);
    }
  }

 private:
  Index width_;
  std::vector<std::int64_t> numbers_;
  std::string name_ = "segments";
};

}  // namespace parsimap::test
