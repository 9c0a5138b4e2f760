// Small pictures of large rasters, of pixels spread evenly over them, in memory that does not grow with the raster.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "parsimap/samples/band.hpp"
#include "parsimap/scene/map_sink.hpp"
#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

// A raster reduced to kLongestSide pixels along its longer side at most; smaller ones are as they are.
class QuicklookGrid {
 public:
  static constexpr Index kLongestSide = 640;

  explicit QuicklookGrid(const RasterGrid& grid);

  [[nodiscard]] Index width() const { return width_; }
  [[nodiscard]] Index height() const { return height_; }
  // The pixel of the raster in the middle of a pixel of the quicklook.
  [[nodiscard]] Index source_column(Index column) const { return middle(column, width_, source_width_); }
  [[nodiscard]] Index source_row(Index row) const { return middle(row, height_, source_height_); }

 private:
  static Index middle(Index i, Index count, Index source) { return (2 * i + 1) * source / (2 * count); }

  Index source_width_;
  Index source_height_;
  Index width_;
  Index height_;
};

// Passes a class map on to another sink and keeps a quicklook of it.
class ClassMapQuicklook final : public ClassMapSink {
 public:
  // `target` is kept by the caller.
  ClassMapQuicklook(const RasterGrid& grid, ClassMapSink& target);

  void write(const Window& window, const std::vector<std::uint16_t>& codes) override;
  void close() override { target_.close(); }

  [[nodiscard]] const QuicklookGrid& grid() const { return grid_; }
  [[nodiscard]] const std::vector<std::uint16_t>& codes() const { return codes_; }  // row-major, 0 where not written

 private:
  QuicklookGrid grid_;
  ClassMapSink& target_;
  std::vector<std::uint16_t> codes_;
};

// The bands shown as red, green and blue: those nearest to 650, 550 and 470 nm where all wavelengths are known and
// there are such within 100 nm, otherwise those at five, three and one sixths of the bands.
std::array<Index, 3> picture_bands(const BandTable& bands);

// A picture of a scene, red, green, blue and opacity of every quicklook pixel, row-major: each band stretched between
// its 2nd and 98th percentile; transparent where one of them has no value. Reads single rows of three bands. Errors as
// read().
std::vector<std::uint8_t> scene_picture(SceneSource& scene, const std::array<Index, 3>& bands);

// Counts the values of a field of shares (confidence, novelty) while it is written.
class FieldHistogram final : public FieldSink {
 public:
  static constexpr Index kBins = 20;  // of [0, 1]; the last holds 1

  // Values are passed on to `target`, which is kept by the caller, unless it is null.
  explicit FieldHistogram(FieldSink* target) : target_(target), counts_(kBins, 0) {}

  // One band; values in [0, 1], or NaN, which is not counted.
  void write(const Window& window, const Spectra& values) override;
  void close() override;

  [[nodiscard]] const std::vector<std::int64_t>& counts() const { return counts_; }

 private:
  FieldSink* target_;
  std::vector<std::int64_t> counts_;
};

}  // namespace parsimap
