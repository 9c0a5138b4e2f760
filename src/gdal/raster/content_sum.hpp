// Checksums of rasters, by which a written one is compared with what should be in it.
#pragma once

#include <gdal_priv.h>

#include <cstdint>
#include <optional>

#include "parsimap/core/progress.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// A checksum of a raster that does not depend on the order in which its parts are seen: the sum, modulo 2^64, of a hash
// of every value together with its place. Values that are `fill` count for nothing, so that what is never written need
// not be seen. Rasters that differ have the same sum with a probability of 2^-64.
class ContentSum {
 public:
  // For rasters of `width` columns and `bands` bands.
  ContentSum(Index width, int bands, double fill) : width_(width), bands_(bands), fill_(fill) {}

  // Whole numbers from 0 to 65535, or real ones in single precision: pixels of a window x `count` bands from `first`
  // (from 0), row-major.
  void add(const Window& window, int first, int count, const float* values);
  // Likewise of all bands, in any of GDAL's types.
  void add(const Window& window, const void* values, GDALDataType type);

  [[nodiscard]] std::uint64_t sum() const { return sum_; }

 private:
  Index width_;
  int bands_;
  double fill_;
  std::uint64_t sum_ = 0;
};

// The sum of all bands of a raster, which is read block by block. Nothing where it cannot be read, or where it holds
// other than whole numbers from 0 to 65535 while not `real`.
std::optional<std::uint64_t> content_sum(GDALDataset& dataset, double fill, bool real, const Progress& progress = {});

}  // namespace parsimap
