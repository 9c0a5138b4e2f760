#include "rasterise.hpp"

#include <gdal_alg.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "parsimap/core/error.hpp"

#include "dataset.hpp"

namespace parsimap::gdal {

namespace {

// What brings map coordinates to the pixels of a window.
struct Placement {
  const double* inverse;
  double column;
  double row;
};

// Reprojection leaves noise of some 1e-9 pixels; without it, an edge through pixel centres means the same in any CRS.
double without_noise(double coordinate) {
  constexpr double steps = 1 << 20;
  return std::round(coordinate * steps) / steps;
}

int to_window(void* argument, int, int count, double* x, double* y, double*, int* success) {
  const auto* placement = static_cast<const Placement*>(argument);
  for (int i = 0; i < count; ++i) {
    const double* g = placement->inverse;
    const double column = g[0] + x[i] * g[1] + y[i] * g[2];
    const double row = g[3] + x[i] * g[4] + y[i] * g[5];
    x[i] = without_noise(column) - placement->column;
    y[i] = without_noise(row) - placement->row;
    success[i] = TRUE;
  }
  return TRUE;
}

std::vector<std::uint8_t> burn(const OGRGeometry& geometry, const Window& window, Placement placement) {
  const auto width = static_cast<int>(window.width);
  const auto height = static_cast<int>(window.height);
  const ErrorCollector errors;
  GDALDriver* driver = GetGDALDriverManager()->GetDriverByName("MEM");
  const DatasetPtr canvas(driver->Create("", width, height, 1, GDT_Byte, nullptr));
  std::vector<std::uint8_t> mask(static_cast<std::size_t>(window.pixels()));
  int band = 1;
  double value = 1;
  OGRGeometryH handle = OGRGeometry::ToHandle(const_cast<OGRGeometry*>(&geometry));
  if (canvas == nullptr ||
      GDALRasterizeGeometries(canvas.get(), 1, &band, 1, &handle, &to_window, &placement, &value, nullptr, nullptr,
                              nullptr) != CE_None ||
      canvas->GetRasterBand(1)->RasterIO(GF_Read, 0, 0, width, height, mask.data(), width, height, GDT_Byte, 0, 0,
                                         nullptr) != CE_None) {
    throw IoError("a feature cannot be rasterised: " + errors.text());
  }
  return mask;
}

}  // namespace

std::vector<const OGRGeometry*> parts_of(const OGRGeometry& geometry) {
  if (OGR_GT_IsSubClassOf(wkbFlatten(geometry.getGeometryType()), wkbGeometryCollection) == 0) {
    return {&geometry};
  }
  std::vector<const OGRGeometry*> parts;
  for (const OGRGeometry* member : *geometry.toGeometryCollection()) {
    const std::vector<const OGRGeometry*> nested = parts_of(*member);
    parts.insert(parts.end(), nested.begin(), nested.end());
  }
  return parts;
}

Rasteriser::Rasteriser(const RasterGrid& grid) : grid_(grid) {
  const std::array<double, 6> transform = grid.geotransform.value_or(std::array<double, 6>{0, 1, 0, 0, 0, 1});
  std::copy(transform.begin(), transform.end(), forward_);
  if (GDALInvGeoTransform(forward_, inverse_) == 0) {
    throw DataError("the scene's geotransform cannot be inverted: pixels have no area.");
  }
}

Window Rasteriser::window_of(const OGRGeometry& geometry) const {
  OGREnvelope envelope;
  geometry.getEnvelope(&envelope);
  double left = HUGE_VAL;
  double top = HUGE_VAL;
  double right = -HUGE_VAL;
  double bottom = -HUGE_VAL;
  for (const double x : {envelope.MinX, envelope.MaxX}) {
    for (const double y : {envelope.MinY, envelope.MaxY}) {
      const double column = without_noise(inverse_[0] + x * inverse_[1] + y * inverse_[2]);
      const double row = without_noise(inverse_[3] + x * inverse_[4] + y * inverse_[5]);
      left = std::min(left, column);
      right = std::max(right, column);
      top = std::min(top, row);
      bottom = std::max(bottom, row);
    }
  }
  if (!(left < static_cast<double>(grid_.width) && right >= 0 && top < static_cast<double>(grid_.height) &&
        bottom >= 0)) {
    return {};
  }
  const auto clip = [](double value, Index limit) {
    return static_cast<Index>(std::clamp(value, 0.0, static_cast<double>(limit)));
  };
  const Index column = clip(std::floor(left), grid_.width);
  const Index row = clip(std::floor(top), grid_.height);
  return {column, row, clip(std::floor(right) + 1, grid_.width) - column,
          clip(std::floor(bottom) + 1, grid_.height) - row};
}

bool Rasteriser::touches(const OGRGeometry& geometry) const {
  return geometry.IsEmpty() == 0 && window_of(geometry).pixels() > 0;
}

OGREnvelope Rasteriser::extent() const {
  OGREnvelope envelope;
  for (const auto column : {0.0, static_cast<double>(grid_.width)}) {
    for (const auto row : {0.0, static_cast<double>(grid_.height)}) {
      envelope.Merge(forward_[0] + column * forward_[1] + row * forward_[2],
                     forward_[3] + column * forward_[4] + row * forward_[5]);
    }
  }
  return envelope;
}

void Rasteriser::add_pixels(const OGRGeometry& geometry, std::vector<std::int64_t>& pixels) const {
  // Part by part: GDAL fills all rings of a call by the even-odd rule, and parts may overlap.
  for (const OGRGeometry* part : parts_of(geometry)) {
    if (part->IsEmpty() != 0) {
      continue;
    }
    if (wkbFlatten(part->getGeometryType()) == wkbPoint) {
      add_point(*part->toPoint(), pixels);
    } else {
      add_shape(*part, pixels);
    }
  }
}

void Rasteriser::add_point(const OGRPoint& point, std::vector<std::int64_t>& pixels) const {
  const Window window = window_of(point);
  if (window.pixels() > 0) {
    pixels.push_back(std::int64_t{window.row} * grid_.width + window.column);
  }
}

void Rasteriser::add_shape(const OGRGeometry& geometry, std::vector<std::int64_t>& pixels) const {
  constexpr Index window_pixels = Index{1} << 22;
  const Window window = window_of(geometry);
  if (window.pixels() == 0) {
    return;
  }
  const Index rows = std::max<Index>(1, window_pixels / window.width);
  for (Index top = window.row; top < window.row + window.height; top += rows) {
    const Window strip{window.column, top, window.width, std::min(rows, window.row + window.height - top)};
    const std::vector<std::uint8_t> mask =
        burn(geometry, strip, {inverse_, static_cast<double>(strip.column), static_cast<double>(strip.row)});
    for (Index row = 0; row < strip.height; ++row) {
      for (Index column = 0; column < strip.width; ++column) {
        if (mask[static_cast<std::size_t>(row * strip.width + column)] != 0) {
          pixels.push_back(std::int64_t{strip.row + row} * grid_.width + strip.column + column);
        }
      }
    }
  }
}

}  // namespace parsimap::gdal
