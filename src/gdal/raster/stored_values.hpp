// Which of the numbers that a raster stores are values: what its layout, its mask and its nodata values say of them,
// and the scale of those that are.
#pragma once

#include <gdal_priv.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/samples/band.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// The nodata value of a band, if it has one, in double.
std::optional<double> nodata_of(GDALRasterBand& band);

// Where a sparse raster has no data, known from its layout without reading any of it.
class Coverage {
 public:
  // The coverage of `bands` (GDAL's numbers from 1) of a dataset that outlives this.
  Coverage(GDALDataset& dataset, std::vector<int> bands);

  // True when the layout says that no band has data anywhere in the window. IoError where a file cannot be read.
  [[nodiscard]] bool empty(const Window& window) const;
  // True when the layout says that the first band lacks data somewhere in the window.
  [[nodiscard]] bool has_holes(const Window& window) const;

 private:
  [[nodiscard]] int status(int band, const Window& window) const;
  [[nodiscard]] bool same_layout() const;

  GDALDataset& dataset_;
  std::vector<int> bands_;
  mutable std::optional<bool> same_layout_;  // found when it is first needed
};

// The masks of a dataset: by the number 0 what all bands share, a mask and alpha bands, and by the number of a band a
// mask of its own, as in mosaics.
class ValidityMask {
 public:
  explicit ValidityMask(GDALDataset& dataset);
  [[nodiscard]] bool present(int number) const { return masks_.contains(number); }
  // Makes `valid`, row-major over `window`, 0 where one of them masks the pixel. Throws IoError, which names `path`.
  void read(int number, const Window& window, const std::string& path, std::vector<float>& valid) const;

 private:
  std::map<int, std::vector<GDALRasterBand*>> masks_;
};

// What one band says of its numbers. The nodata value is held as every type in which it may be compared.
struct StoredBand {
  // `otherwise` is the nodata value of a band that declares none.
  StoredBand(GDALRasterBand& band, const Band& known, std::optional<double> otherwise = {});

  GDALDataType type;
  bool has_nodata = false;
  double nodata = 0;
  std::int64_t signed_nodata = 0;
  std::uint64_t unsigned_nodata = 0;
  double scale;
  double offset;
  // Numbers outside of this range are missing.
  double least = -HUGE_VAL;
  double most = HUGE_VAL;
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

  // `source` and `target` are pixels x chosen bands and may be the same array. The value is NaN where a number is
  // nodata or out of range, or where scale * number + offset is not finite as float.
  void clean(const Value* source, Index pixels, float* target) const;

 private:
  template <bool General>
  void clean_as(const Value* source, Index pixels, float* target) const;

  std::vector<Value> nodata_;
  std::vector<std::uint8_t> has_nodata_;
  std::vector<double> scale_;
  std::vector<double> offset_;
  std::vector<double> least_;
  std::vector<double> most_;
  bool general_ = false;  // where a band has a scale, an offset or a range
};

// Where the numbers of a raster lie in its file, where that holds those of a row in one piece: interleaved by pixel or
// by line. GDAL would cut them into a block for each band and row, and put those together again, which takes several
// times as long.
class RawRows {
 public:
  // Of ENVI and EHdr. Nothing where a band (GDAL's numbers from 1) lies otherwise, or is not of 16-bit integers or
  // floats in the order of this machine.
  static std::optional<RawRows> of(GDALDataset& dataset, const std::vector<int>& bands);

  // The numbers of some of the bands in `window` as floats: use(row of the window, numbers) for each row, pixels x
  // chosen bands, in memory that is used again. False where the file does not have them.
  bool read(const Window& window, const Indices& chosen, const std::function<void(Index, const float*)>& use);

 private:
  template <typename Stored>
  void widen(const char* pixel, Index pixels, const std::vector<std::ptrdiff_t>& places);

  VSILFILE* file_ = nullptr;
  GDALDataType type_ = GDT_Unknown;
  vsi_l_offset first_ = 0;              // byte of the first number of the first pixel
  std::vector<std::ptrdiff_t> places_;  // of the bands in bytes from there
  std::ptrdiff_t pixel_ = 0;            // bytes from one pixel to the next
  std::ptrdiff_t line_ = 0;
  std::vector<char> bytes_;
  std::vector<float> numbers_;  // of a row
};

}  // namespace parsimap
