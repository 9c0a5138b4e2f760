#include "content_sum.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "parsimap/core/random.hpp"

#include "dataset.hpp"
#include "stored_values.hpp"

namespace parsimap {
namespace {

// Odd factors, so that multiplication modulo 2^64 maps different places, and different values, to different numbers.
// The first is 2^64 divided by the golden ratio, which spreads consecutive places evenly.
constexpr std::uint64_t kPlaceStep = 0x9e3779b97f4a7c15;
constexpr std::uint64_t kValueStep = 0xd6e8feb86659fd93;
// Storage of single rows is read this many rows at a time, and larger blocks in parts.
constexpr Index kFewestReadRows = 64;
constexpr Index kMostColumns = 4096;

std::uint64_t bits_of(float value) {
  value += 0.0F;  // -0 is 0
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

bool is_code(double value) { return value >= 0 && value <= 65535 && value == std::floor(value); }

// The values of a window in single precision, which holds codes as they are. False where they cannot be read, or one is
// no code while not `real`.
bool read_values(GDALRasterBand& band, const Window& window, bool real, std::vector<float>& values) {
  values.resize(static_cast<std::size_t>(window.pixels()));
  const GDALDataType type = band.GetRasterDataType();
  if (real || type == GDT_Byte || type == GDT_UInt16) {
    return read_window(band, window, values.data(), GDT_Float32);
  }
  // Others are read as they are stored, so that a value that is not a code is found before it is rounded.
  std::vector<double> stored(values.size());
  if (!read_window(band, window, stored.data(), GDT_Float64) || !std::ranges::all_of(stored, is_code)) {
    return false;
  }
  values.assign(stored.begin(), stored.end());
  return true;
}

bool add_band(GDALDataset& dataset, int number, bool real, ContentSum& sum, const Progress& progress) {
  GDALRasterBand& band = *dataset.GetRasterBand(number);
  // Blocks that the file does not hold have the fill value, which counts for nothing, and are passed over.
  const Coverage coverage(dataset, {number});
  int block_width = 0;
  int block_height = 0;
  band.GetBlockSize(&block_width, &block_height);
  const Index width = std::min<Index>(block_width, kMostColumns);
  const Index height = std::clamp<Index>(block_height, kFewestReadRows, kMostColumns);
  std::vector<float> values;
  for (const Window& window : tiles_of({0, 0, band.GetXSize(), band.GetYSize()}, width, height)) {
    if (!coverage.empty(window)) {
      if (!read_values(band, window, real, values)) {
        return false;
      }
      sum.add(window, number - 1, 1, values.data());
    }
    if (progress && window.column + window.width == band.GetXSize()) {
      const auto rows = static_cast<double>(window.row + window.height);
      progress((number - 1 + rows / band.GetYSize()) / dataset.GetRasterCount());
    }
  }
  return true;
}

}  // namespace

void ContentSum::add(const Window& window, int first, int count, const float* values) {
  // A value equal to the fill value adds nothing. Blocks that a sparse file does not store have the sum of blocks that
  // are stored and full of it.
  const auto fill = static_cast<float>(fill_);
  for (Index row = 0; row < window.height; ++row) {
    // Every value is hashed together with its place in the raster, row-major and with the bands of a pixel in a row.
    // The sum of the hashes, modulo 2^64, is the same in whatever order windows come.
    const auto pixel = static_cast<std::uint64_t>(std::int64_t{window.row + row} * width_ + window.column);
    std::uint64_t place = (pixel * static_cast<std::uint64_t>(bands_) + static_cast<std::uint64_t>(first)) * kPlaceStep;
    for (Index column = 0; column < window.width; ++column) {
      for (int band = 0; band < count; ++band) {
        const float value = *values++;
        const std::uint64_t at = place + static_cast<std::uint64_t>(band) * kPlaceStep;
        const bool same = value == fill || (std::isnan(value) && std::isnan(fill));
        sum_ += same ? 0 : hashed(at ^ (bits_of(value) * kValueStep));
      }
      place += static_cast<std::uint64_t>(bands_) * kPlaceStep;
    }
  }
}

void ContentSum::add(const Window& window, const void* values, GDALDataType type) {
  const auto count = window.pixels() * bands_;
  std::vector<float> converted(static_cast<std::size_t>(count));
  GDALCopyWords64(values, type, GDALGetDataTypeSizeBytes(type), converted.data(), GDT_Float32, sizeof(float), count);
  add(window, 0, bands_, converted.data());
}

std::optional<std::uint64_t> content_sum(GDALDataset& dataset, double fill, bool real, const Progress& progress) {
  ContentSum sum(dataset.GetRasterXSize(), dataset.GetRasterCount(), fill);
  for (int number = 1; number <= dataset.GetRasterCount(); ++number) {
    if (!add_band(dataset, number, real, sum, progress)) {
      return std::nullopt;
    }
  }
  return sum.sum();
}

}  // namespace parsimap
