// Scenes and maps held in memory: arrays of another program, spectra of a library, and maps that become arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "parsimap/scene/raster.hpp"

namespace parsimap {

// Remembers what was written. IoError for a window outside the grid, values of another size, or a write after commit.
class MemoryClassMapSink final : public ClassMapSink {
 public:
  explicit MemoryClassMapSink(const RasterGrid& grid);

  void write(const Window& window, const std::vector<std::uint16_t>& codes) override;
  void close() override { closed_ = true; }

  [[nodiscard]] const std::vector<std::uint16_t>& codes() const { return codes_; }  // row-major, 0 where not written
  // Leaves none here.
  [[nodiscard]] std::vector<std::uint16_t> take_codes() { return std::move(codes_); }
  [[nodiscard]] std::int64_t pixels_written() const { return pixels_written_; }
  [[nodiscard]] bool closed() const { return closed_; }

 private:
  RasterGrid grid_;
  std::vector<std::uint16_t> codes_;
  std::int64_t pixels_written_ = 0;
  bool closed_ = false;
};

// As MemoryClassMapSink, for real values in `bands` bands.
class MemoryFieldSink final : public FieldSink {
 public:
  MemoryFieldSink(const RasterGrid& grid, Index bands);

  void write(const Window& window, const Spectra& values) override;
  void close() override { closed_ = true; }

  [[nodiscard]] const Spectra& values() const { return values_; }  // pixels x bands, NaN where not written
  // Leaves none here.
  [[nodiscard]] Spectra take_values() { return std::move(values_); }
  [[nodiscard]] bool closed() const { return closed_; }

 private:
  RasterGrid grid_;
  Spectra values_;
  bool closed_ = false;
};

// The value of column x, row y and band b is first[x * column_step + y * row_step + b * band_step].
struct SceneArray {
  std::variant<const std::int8_t*, const std::uint8_t*, const std::int16_t*, const std::uint16_t*, const std::int32_t*,
               const std::uint32_t*, const std::int64_t*, const std::uint64_t*, const float*, const double*>
      first;
  std::ptrdiff_t column_step = 0;
  std::ptrdiff_t row_step = 0;
  std::ptrdiff_t band_step = 0;
};

class ArrayScene final : public DescribedScene {
 public:
  // The array has the size of `grid` and as many bands as `bands`, and is kept by the caller. A value that is infinite
  // in single precision or equal to `nodata` is read as NaN. Storage blocks are rows.
  ArrayScene(std::string name, RasterGrid grid, BandTable bands, SceneArray array, std::optional<double> nodata);
  // The scene keeps the values, pixels x bands, pixels in row-major order.
  ArrayScene(std::string name, RasterGrid grid, BandTable bands, Spectra values);

  void read(const Window& window, const Indices& bands, Spectra& values) override;

 private:
  SceneArray array_;
  std::optional<double> nodata_;
  Spectra values_;  // where the scene keeps them
};

}  // namespace parsimap
