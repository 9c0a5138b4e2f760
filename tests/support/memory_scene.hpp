// A scene in memory that counts what is read, and whose storage blocks and empty windows are chosen by the test.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/scene/memory_scene.hpp"

namespace parsimap::test {

class MemoryScene final : public DescribedScene {
 public:
  // `values` is pixels x bands, pixels in row-major order. Storage blocks are single rows until set_block_size().
  MemoryScene(std::string name, RasterGrid grid, BandTable bands, Spectra values)
      : DescribedScene(std::move(name), std::move(grid), std::move(bands)), values_(std::move(values)) {}

  void set_block_size(Index width, Index height) {
    block_width_ = width;
    block_height_ = height;
  }
  // A window inside `hole` is known to be empty; its values must be NaN.
  void add_known_empty(const Window& hole) { holes_.push_back(hole); }

  [[nodiscard]] bool known_empty(const Window& window) const override {
    return std::any_of(holes_.begin(), holes_.end(), [&](const Window& hole) {
      return window.column >= hole.column && window.row >= hole.row &&
             window.column + window.width <= hole.column + hole.width &&
             window.row + window.height <= hole.row + hole.height;
    });
  }
  void read(const Window& window, const Indices& bands, Spectra& values) override {
    ArrayScene(name_, grid_, bands_, {values_.data(), values_.cols(), grid_.width * values_.cols(), 1}, std::nullopt)
        .read(window, bands, values);
    values_read_ += values.size();
    largest_read_ = std::max<std::int64_t>(largest_read_, values.size());
  }

  // Values (pixels times bands) handed out so far: what reading has cost.
  [[nodiscard]] std::int64_t values_read() const { return values_read_; }
  // The largest number of values handed out by one read().
  [[nodiscard]] std::int64_t largest_read() const { return largest_read_; }

 private:
  Spectra values_;
  std::vector<Window> holes_;
  std::int64_t values_read_ = 0;
  std::int64_t largest_read_ = 0;
};

}  // namespace parsimap::test
