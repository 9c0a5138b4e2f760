#include "parsimap/scene/memory_scene.hpp"

#include <algorithm>
#include <cmath>

#include "parsimap/core/error.hpp"

namespace parsimap {

// Whether the window lies on the grid as a whole.
static bool inside(const Window& window, const RasterGrid& grid) {
  return overlap(window, {0, 0, grid.width, grid.height}) == window;
}

// Writes outside of the grid would be errors of this program, not of its input.
static void check_write(const RasterGrid& grid, const Window& window, Index pixels, bool committed) {
  if (committed) {
    throw IoError("memory map: written to after it was committed");
  }
  if (!inside(window, grid) || pixels != window.pixels()) {
    throw IoError("memory map: the window at column " + std::to_string(window.column) + ", row " +
                  std::to_string(window.row) + " is outside the grid or not of the size of its values");
  }
}

MemoryClassMapSink::MemoryClassMapSink(const RasterGrid& grid)
    : grid_(grid), codes_(static_cast<std::size_t>(grid.pixels()), 0) {}

void MemoryClassMapSink::write(const Window& window, const std::vector<std::uint16_t>& codes) {
  check_write(grid_, window, static_cast<Index>(codes.size()), closed_);
  for (Index row = 0; row < window.height; ++row) {
    std::copy_n(codes.begin() + row * window.width, window.width,
                codes_.begin() + (window.row + row) * grid_.width + window.column);
  }
  pixels_written_ += window.pixels();
}

MemoryFieldSink::MemoryFieldSink(const RasterGrid& grid, Index bands)
    : grid_(grid), values_(Spectra::Constant(grid.pixels(), bands, kMissingValue)) {}

void MemoryFieldSink::write(const Window& window, const Spectra& values) {
  check_write(grid_, window, values.rows(), closed_);
  if (values.cols() != values_.cols()) {
    throw IoError("memory map: " + std::to_string(values.cols()) + " bands written to a map of " +
                  std::to_string(values_.cols()));
  }
  for (Index row = 0; row < window.height; ++row) {
    values_.middleRows((window.row + row) * grid_.width + window.column, window.width) =
        values.middleRows(row * window.width, window.width);
  }
}

template <typename Scalar>
static float value_of(Scalar stored, const std::optional<double>& nodata) {
  const auto value = static_cast<float>(stored);
  const bool is_value = std::isfinite(value) && !(nodata && static_cast<double>(stored) == *nodata);
  return is_value ? value : kMissingValue;
}

ArrayScene::ArrayScene(std::string name, RasterGrid grid, BandTable bands, SceneArray array,
                       std::optional<double> nodata)
    : DescribedScene(std::move(name), std::move(grid), std::move(bands)), array_(array), nodata_(nodata) {}

ArrayScene::ArrayScene(std::string name, RasterGrid grid, BandTable bands, Spectra values)
    : ArrayScene(std::move(name), std::move(grid), std::move(bands), {}, std::nullopt) {
  values_ = std::move(values);
  array_ = {values_.data(), values_.cols(), grid_.width * values_.cols(), 1};
}

void ArrayScene::read(const Window& window, const Indices& bands, Spectra& values) {
  if (!inside(window, grid_)) {
    throw IoError(name_ + ": the window at column " + std::to_string(window.column) + ", row " +
                  std::to_string(window.row) + " reaches outside the scene");
  }
  const auto count = static_cast<Index>(bands.size());
  values.resize(window.pixels(), count);
  // Arrays come in any order of axes. Of bands and columns, the one with the smaller step is the inner loop.
  const bool bands_together = std::abs(array_.band_step) <= std::abs(array_.column_step);
  const auto read_row = [&](const auto* row, Index first) {
    const auto take = [&](Index column, Index k) {
      values(first + column, k) =
          value_of(row[column * array_.column_step + bands[static_cast<std::size_t>(k)] * array_.band_step], nodata_);
    };
    // In the order in which the values lie in memory.
    const Index outer = bands_together ? window.width : count;
    const Index inner = bands_together ? count : window.width;
    for (Index i = 0; i < outer; ++i) {
      for (Index j = 0; j < inner; ++j) {
        bands_together ? take(i, j) : take(j, i);
      }
    }
  };
  std::visit(
      [&](const auto* first) {
        const auto* const corner = first + window.column * array_.column_step + window.row * array_.row_step;
        for (Index row = 0; row < window.height; ++row) {
          read_row(corner + row * array_.row_step, row * window.width);
        }
      },
      array_.first);
}

}  // namespace parsimap
