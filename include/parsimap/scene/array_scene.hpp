// A scene in an array that somebody else keeps, in the type and the order that it has there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

// The value of column x, row y and band b is first[x * column_step + y * row_step + b * band_step].
struct SceneArray {
  std::variant<const std::int8_t*, const std::uint8_t*, const std::int16_t*, const std::uint16_t*, const std::int32_t*,
               const std::uint32_t*, const std::int64_t*, const std::uint64_t*, const float*, const double*>
      first;
  std::ptrdiff_t column_step = 0;
  std::ptrdiff_t row_step = 0;
  std::ptrdiff_t band_step = 0;
};

class ArrayScene final : public SceneSource {
 public:
  // The array has the size of `grid` and as many bands as `bands`, and is kept by the caller. A value that is infinite
  // in single precision or equal to `nodata` is read as NaN. Storage blocks are rows.
  ArrayScene(std::string name, RasterGrid grid, BandTable bands, SceneArray array, std::optional<double> nodata);

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const RasterGrid& grid() const override { return grid_; }
  [[nodiscard]] const BandTable& bands() const override { return bands_; }
  [[nodiscard]] Index block_width() const override { return grid_.width; }
  [[nodiscard]] Index block_height() const override { return 1; }
  [[nodiscard]] bool known_empty(const Window& /*window*/) const override { return false; }
  void read(const Window& window, const Indices& bands, Spectra& values) override;

 private:
  std::string name_;
  RasterGrid grid_;
  BandTable bands_;
  SceneArray array_;
  std::optional<double> nodata_;
};

}  // namespace parsimap
