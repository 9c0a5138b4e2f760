#include "parsimap/scene/array_scene.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

template <typename Scalar>
float value_of(Scalar stored, const std::optional<double>& nodata) {
  const auto value = static_cast<float>(stored);
  const bool is_value = std::isfinite(value) && !(nodata && static_cast<double>(stored) == *nodata);
  return is_value ? value : std::numeric_limits<float>::quiet_NaN();
}

}  // namespace

ArrayScene::ArrayScene(std::string name, RasterGrid grid, BandTable bands, SceneArray array,
                       std::optional<double> nodata)
    : name_(std::move(name)), grid_(std::move(grid)), bands_(std::move(bands)), array_(array), nodata_(nodata) {}

void ArrayScene::read(const Window& window, const Indices& bands, Spectra& values) {
  if (window.column < 0 || window.row < 0 || window.column + window.width > grid_.width ||
      window.row + window.height > grid_.height) {
    throw IoError(name_ + ": the window at column " + std::to_string(window.column) + ", row " +
                  std::to_string(window.row) + " reaches outside the scene");
  }
  const auto count = static_cast<Index>(bands.size());
  values.resize(window.pixels(), count);
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
