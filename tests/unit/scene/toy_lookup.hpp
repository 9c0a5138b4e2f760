// A lookup of a small scene that is turned on the map.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/scene/raster.hpp"

namespace parsimap::test {

class ToyLookup final : public GeometryLookup {
 public:
  ToyLookup(Index width, Index height, std::vector<std::int64_t> shown)
      : grid_{width, height, std::array<double, 6>{100, 1, 0, 200, 0, -1}, "", {}}, shown_(std::move(shown)) {}

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const RasterGrid& grid() const override { return grid_; }
  void read(const Window& window, std::vector<std::int64_t>& pixels) override {
    pixels.clear();
    for (Index row = window.row; row < window.row + window.height; ++row) {
      for (Index column = window.column; column < window.column + window.width; ++column) {
        pixels.push_back(shown(column, row));
      }
    }
  }
  [[nodiscard]] std::int64_t shown(Index column, Index row) const {
    return shown_.at(static_cast<std::size_t>(row * grid_.width + column));
  }

 private:
  std::string name_ = "lookup";
  RasterGrid grid_;
  std::vector<std::int64_t> shown_;
};

// Of a scene of this size, turned by about 37 degrees and with pixels a little smaller than those of the scene.
inline ToyLookup turned_lookup(Index width, Index height) {
  const Index size = 2 * (width + height) / 2;
  std::vector<std::int64_t> shown;
  for (Index row = 0; row < size; ++row) {
    for (Index column = 0; column < size; ++column) {
      const double x = 0.9 * (static_cast<double>(column) + 0.5 - static_cast<double>(size) / 2);
      const double y = 0.9 * (static_cast<double>(row) + 0.5 - static_cast<double>(size) / 2);
      const double c = std::floor(static_cast<double>(width) / 2 + 0.8 * x + 0.6 * y);
      const double r = std::floor(static_cast<double>(height) / 2 - 0.6 * x + 0.8 * y);
      const bool inside = c >= 0 && r >= 0 && c < static_cast<double>(width) && r < static_cast<double>(height);
      shown.push_back(inside ? static_cast<std::int64_t>(r) * width + static_cast<std::int64_t>(c) : -1);
    }
  }
  return {size, size, std::move(shown)};
}

}  // namespace parsimap::test
