// Maps and references that need no file.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap::test {

inline const ClassTable kForestAndWater = {{1, "forest", {}}, {2, "water", {}}};

// A map in memory that remembers how much of it was read.
class MemoryMap final : public ClassMapSource {
 public:
  MemoryMap(Index width, std::vector<std::uint16_t> codes, ClassTable classes, bool named, std::string name = "map.tif")
      : name_(std::move(name)), codes_(std::move(codes)), classes_(std::move(classes)), named_(named) {
    grid_.width = width;
    grid_.height = static_cast<Index>(codes_.size()) / width;
  }

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const RasterGrid& grid() const override { return grid_; }
  [[nodiscard]] const ClassTable& classes() const override { return classes_; }
  [[nodiscard]] bool has_names() const override { return named_; }
  void read(const Window& window, std::vector<std::uint16_t>& codes) override {
    pixels_read += window.pixels();
    codes.clear();
    for (Index row = window.row; row < window.row + window.height; ++row) {
      const auto begin = codes_.begin() + row * grid_.width + window.column;
      codes.insert(codes.end(), begin, begin + window.width);
    }
  }

  [[nodiscard]] std::uint16_t code(std::int64_t pixel) const { return codes_[static_cast<std::size_t>(pixel)]; }

  Index pixels_read = 0;

 private:
  std::string name_;
  RasterGrid grid_;
  std::vector<std::uint16_t> codes_;
  ClassTable classes_;
  bool named_;
};

inline LabelledPixels reference(const ClassTable& classes, const std::vector<LabelledPixel>& pixels, bool by_text) {
  LabelledPixels labelled;
  labelled.classes = classes;
  labelled.pixels = pixels;
  labelled.has_regions = std::any_of(pixels.begin(), pixels.end(), [](const auto& pixel) { return pixel.region != 0; });
  labelled.named_by_text = by_text;
  return labelled;
}

}  // namespace parsimap::test
