#include "parsimap/scene/geometry_tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

constexpr Index kMostAcross = 20;  // control points of a row or a column

class TableLookup final : public GeometryLookup {
 public:
  TableLookup(std::unique_ptr<SceneSource> table, Index width, Index height)
      : table_(std::move(table)), width_(width), height_(height) {
    if (table_->bands().size() < 2 || !table_->grid().geotransform) {
      throw DataError(table_->name() + " is no geometry lookup table: " +
                      (table_->bands().size() < 2 ? "it has fewer than two bands, columns and rows"
                                                  : "it does not say where its pixels lie on the map"));
    }
  }

  [[nodiscard]] const std::string& name() const override { return table_->name(); }
  [[nodiscard]] const RasterGrid& grid() const override { return table_->grid(); }

  void read(const Window& window, std::vector<std::int64_t>& pixels) override {
    table_->read(window, {0, 1}, values_);
    pixels.resize(static_cast<std::size_t>(values_.rows()));
    for (Index i = 0; i < values_.rows(); ++i) {
      pixels[static_cast<std::size_t>(i)] = pixel_of(values_(i, 0), values_(i, 1), window, i);
    }
  }
  void check_unchanged() const override { table_->check_unchanged(); }

 private:
  [[nodiscard]] std::int64_t pixel_of(float column, float row, const Window& window, Index i) const {
    if (std::isnan(column) || std::isnan(row) || column == 0 || row == 0) {
      return -1;
    }
    const float c = std::abs(column);
    const float r = std::abs(row);
    if (c != std::floor(c) || r != std::floor(r) || c > static_cast<float>(width_) || r > static_cast<float>(height_)) {
      throw DataError("the geometry lookup table " + name() + " is wrong at column " +
                      std::to_string(window.column + i % window.width) + ", row " +
                      std::to_string(window.row + i / window.width) + ": it shows the pixel in column " + text_of(c) +
                      ", row " + text_of(r) + " (from 1) of a scene of " + std::to_string(width_) + " x " +
                      std::to_string(height_) + " pixels");
    }
    return (static_cast<std::int64_t>(r) - 1) * width_ + static_cast<std::int64_t>(c) - 1;
  }

  static std::string text_of(float number) {
    return number == std::floor(number) && number < 1e9F ? std::to_string(static_cast<std::int64_t>(number))
                                                         : std::to_string(number);
  }

  std::unique_ptr<SceneSource> table_;
  Index width_;
  Index height_;
  Spectra values_;
};

// At most kMostAcross numbers from 0 to length - 1, evenly spread, with the first and the last.
std::vector<Index> spread(Index length) {
  const Index count = std::min(length, kMostAcross);
  std::vector<Index> places;
  for (Index i = 0; i < count; ++i) {
    places.push_back(count == 1 ? 0 : i * (length - 1) / (count - 1));
  }
  return places;
}

}  // namespace

std::unique_ptr<GeometryLookup> table_lookup(std::unique_ptr<SceneSource> table, Index width, Index height) {
  return std::make_unique<TableLookup>(std::move(table), width, height);
}

std::vector<ControlPoint> control_points(Index width, Index height, const ReadPositions& read) {
  std::vector<ControlPoint> points;
  std::vector<double> x;
  std::vector<double> y;
  for (const Index row : spread(height)) {
    read(row, x, y);
    for (const Index column : spread(width)) {
      const double own_x = x.at(static_cast<std::size_t>(column));
      const double own_y = y.at(static_cast<std::size_t>(column));
      if (std::isfinite(own_x) && std::isfinite(own_y)) {
        points.push_back({static_cast<double>(column) + 0.5, static_cast<double>(row) + 0.5, own_x, own_y});
      }
    }
  }
  return points;
}

}  // namespace parsimap
