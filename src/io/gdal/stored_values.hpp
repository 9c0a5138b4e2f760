// What the numbers stored in the bands of a raster mean: which of them stand for nothing, and the scale of the others.
#pragma once

#include <gdal_priv.h>

#include <cstdint>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/samples/band.hpp"

namespace parsimap::gdal {

// One band. The nodata value is held as every type in which it may be compared.
struct StoredBand {
  StoredBand(GDALRasterBand& band, const Band& known);

  GDALDataType type;
  bool has_nodata = false;
  double nodata = 0;
  std::int64_t signed_nodata = 0;
  std::uint64_t unsigned_nodata = 0;
  double scale;
  double offset;
};

// The type to read bands in such that a nodata value is compared as it is stored: GDT_Float32 where that holds all of
// their values, GDT_Int64 and GDT_UInt64 where all bands are of that type, else GDT_Float64.
GDALDataType reading_type(const std::vector<StoredBand>& bands);

// Turns stored numbers into values of spectra: float, double, std::int64_t or std::uint64_t, as reading_type() says.
template <typename Value>
class Cleaner {
 public:
  // `chosen` are indices into `bands`.
  Cleaner(const std::vector<StoredBand>& bands, const Indices& chosen);

  // `source` and `target` are pixels x chosen bands and may be the same array. NaN where a number is nodata or where
  // scale * number + offset is not finite as float.
  void clean(const Value* source, Index pixels, float* target) const;

 private:
  template <bool Scaled>
  void clean_as(const Value* source, Index pixels, float* target) const;

  std::vector<Value> nodata_;
  std::vector<std::uint8_t> has_nodata_;
  std::vector<double> scale_;
  std::vector<double> offset_;
  bool scaled_ = false;
};

}  // namespace parsimap::gdal
