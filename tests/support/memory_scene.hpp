// A scene in memory that counts what is read, and whose storage blocks and empty windows are chosen by the test.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/scene/memory_scene.hpp"

namespace parsimap::test {

class MemoryScene final : public SceneSource {
 public:
  // `values` is pixels x bands, pixels in row-major order. Storage blocks are single rows until set_block_size().
  MemoryScene(std::string name, RasterGrid grid, BandTable bands, Spectra values)
      : name_(std::move(name)),
        grid_(std::move(grid)),
        bands_(std::move(bands)),
        values_(std::move(values)),
        block_width_(grid_.width) {}

  void set_block_size(Index width, Index height) {
    block_width_ = width;
    block_height_ = height;
  }
  // A window inside `hole` is known to be empty; its values must be NaN.
  void add_known_empty(const Window& hole) { holes_.push_back(hole); }

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const RasterGrid& grid() const override { return grid_; }
  [[nodiscard]] const BandTable& bands() const override { return bands_; }
  [[nodiscard]] Index block_width() const override { return block_width_; }
  [[nodiscard]] Index block_height() const override { return block_height_; }
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
  std::string name_;
  RasterGrid grid_;
  BandTable bands_;
  Spectra values_;
  Index block_width_;
  Index block_height_ = 1;
  std::vector<Window> holes_;
  std::int64_t values_read_ = 0;
  std::int64_t largest_read_ = 0;
};

}  // namespace parsimap::test
