// Which of many numbered shapes owns each pixel of a grid, as runs of pixels: memory goes with the length of the
// outlines of the shapes and not with their areas.
#pragma once

#include <cstdint>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

class PixelRuns {
 public:
  // A shape by its number, larger than those before, and its pixels (row * width + column) in any order, each at least
  // once.
  void add(std::int64_t number, std::vector<std::int64_t> pixels);
  // To be called once after the last shape: a pixel of several shapes belongs to the one that was added first.
  void settle();

  [[nodiscard]] bool empty() const { return runs_.empty(); }
  // Writes the number of the owner of each of the pixels first .. first + count - 1 that has one.
  void fill(std::int64_t first, Index count, std::int64_t* numbers) const;

 private:
  struct Run {
    std::int64_t begin;
    std::int64_t end;  // the pixel behind the last one
    std::int64_t number;
  };

  void append(std::vector<Run>& runs, const Run& run) const;

  std::vector<Run> runs_;
};

}  // namespace parsimap
