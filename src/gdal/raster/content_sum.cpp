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

std::uint64_t bits_of(std::uint16_t value) { return value; }
std::uint64_t bits_of(float value) {
  value += 0.0F;  // -0 is 0
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

bool same(std::uint16_t value, std::uint16_t fill) { return value == fill; }
bool same(float value, float fill) { return value == fill || (std::isnan(value) && std::isnan(fill)); }

// The values of a window in the types in which written values are summed, whatever type the file stores. `buffer` is
// for values of other types. False where they cannot be read, or a code is not a whole number from 0 to 65535.
bool read_values(GDALRasterBand& band, const Window& window, std::vector<double>& /*buffer*/,
                 std::vector<float>& values) {
  return read_window(band, window, values.data(), GDT_Float32);
}
bool read_values(GDALRasterBand& band, const Window& window, std::vector<double>& buffer,
                 std::vector<std::uint16_t>& values) {
  // GDAL would round and clip other types to 16 bits. They are read in double precision, so that a value that is not a
  // code is found by comparing it with its conversion.
  const GDALDataType type = band.GetRasterDataType();
  if (type == GDT_Byte || type == GDT_UInt16) {
    return read_window(band, window, values.data(), GDT_UInt16);
  }
  buffer.resize(values.size());
  if (!read_window(band, window, buffer.data(), GDT_Float64)) {
    return false;
  }
  std::transform(buffer.begin(), buffer.end(), values.begin(),
                 [](double value) { return static_cast<std::uint16_t>(value >= 0 && value <= 65535 ? value : 0); });
  return std::equal(buffer.begin(), buffer.end(), values.begin(), [](double a, std::uint16_t b) { return a == b; });
}

template <typename Value>
bool add_band(GDALDataset& dataset, int number, ContentSum& sum, const Progress& progress) {
  GDALRasterBand& band = *dataset.GetRasterBand(number);
  // Blocks that the file does not hold have the fill value, which counts for nothing, and are passed over.
  const Coverage coverage(dataset, {number});
  int block_width = 0;
  int block_height = 0;
  band.GetBlockSize(&block_width, &block_height);
  const Index width = std::min<Index>(block_width, kMostColumns);
  const Index height = std::clamp<Index>(block_height, kFewestReadRows, kMostColumns);
  std::vector<double> buffer;
  std::vector<Value> values;
  for (const Window& window : tiles_of({0, 0, band.GetXSize(), band.GetYSize()}, width, height)) {
    if (!coverage.empty(window)) {
      values.resize(static_cast<std::size_t>(window.pixels()));
      if (!read_values(band, window, buffer, values)) {
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

template <typename Value>
void ContentSum::add(const Window& window, int first, int count, const Value* values) {
  // A value equal to the fill value adds nothing. Blocks that a sparse file does not store have the sum of blocks that
  // are stored and full of it.
  const auto fill = static_cast<Value>(fill_);
  for (Index row = 0; row < window.height; ++row) {
    // Every value is hashed together with its place in the raster, row-major and with the bands of a pixel in a row.
    // The sum of the hashes, modulo 2^64, is the same in whatever order windows come.
    const auto pixel = static_cast<std::uint64_t>(std::int64_t{window.row + row} * width_ + window.column);
    std::uint64_t place = (pixel * static_cast<std::uint64_t>(bands_) + static_cast<std::uint64_t>(first)) * kPlaceStep;
    for (Index column = 0; column < window.width; ++column) {
      for (int band = 0; band < count; ++band) {
        const Value value = *values++;
        const std::uint64_t at = place + static_cast<std::uint64_t>(band) * kPlaceStep;
        sum_ += same(value, fill) ? 0 : hashed(at ^ (bits_of(value) * kValueStep));
      }
      place += static_cast<std::uint64_t>(bands_) * kPlaceStep;
    }
  }
}

template void ContentSum::add(const Window&, int, int, const std::uint16_t*);
template void ContentSum::add(const Window&, int, int, const float*);

void ContentSum::add(const Window& window, const void* values, GDALDataType type, bool real) {
  // What is written is summed up in the type in which it is read back, so that both sums are of the same values.
  const GDALDataType wanted = real ? GDT_Float32 : GDT_UInt16;
  std::vector<std::uint8_t> converted;
  if (type != wanted) {
    const auto count = static_cast<std::size_t>(window.pixels()) * static_cast<std::size_t>(bands_);
    const int size = GDALGetDataTypeSizeBytes(wanted);
    converted.resize(count * static_cast<std::size_t>(size));
    GDALCopyWords64(values, type, GDALGetDataTypeSizeBytes(type), converted.data(), wanted, size,
                    static_cast<GPtrDiff_t>(count));
    values = converted.data();
  }
  if (real) {
    add(window, 0, bands_, static_cast<const float*>(values));
  } else {
    add(window, 0, bands_, static_cast<const std::uint16_t*>(values));
  }
}

std::optional<std::uint64_t> content_sum(GDALDataset& dataset, double fill, bool real, const Progress& progress) {
  ContentSum sum(dataset.GetRasterXSize(), dataset.GetRasterCount(), fill);
  const auto add = real ? add_band<float> : add_band<std::uint16_t>;
  for (int number = 1; number <= dataset.GetRasterCount(); ++number) {
    if (!add(dataset, number, sum, progress)) {
      return std::nullopt;
    }
  }
  return sum.sum();
}

}  // namespace parsimap
