#include "cube_reader.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "parsimap/scene/window.hpp"

#include "forwarded.hpp"

namespace parsimap {
namespace {

// Where the first row of the raster is in the array; other rasters have values of their own.
enum class RowOrder { not_compared, from_first, from_last, other };

// Reads as its dataset.
class CubeBand final : public ForwardedBand {
 public:
  using ForwardedBand::ForwardedBand;

 protected:
  CPLErr IRasterIO(GDALRWFlag flag, int x, int y, int width, int height, void* data, int columns, int rows,
                   GDALDataType type, GSpacing pixel, GSpacing line, GDALRasterIOExtraArg* extra) override {
    return poDS->RasterIO(flag, x, y, width, height, data, columns, rows, type, 1, &nBand, pixel, line, 0, extra);
  }
};

class CubeDataset final : public ForwardedDataset {
 public:
  CubeDataset(DatasetPtr raster, GdalCube cube)
      : ForwardedDataset(std::move(raster)),
        cube_(std::move(cube)),
        order_(cube_.same_rows ? RowOrder::from_first : RowOrder::not_compared) {
    ++open_;
    for (int number = 1; number <= dataset_->GetRasterCount(); ++number) {
      SetBand(number, new CubeBand(*dataset_->GetRasterBand(number)));
    }
  }
  ~CubeDataset() override { --open_; }

 protected:
  CPLErr IRasterIO(GDALRWFlag flag, int x, int y, int width, int height, void* data, int columns, int rows,
                   GDALDataType type, int count, int* bands, GSpacing pixel, GSpacing line, GSpacing band,
                   GDALRasterIOExtraArg* extra) override {
    const Window window{x, y, width, height};
    const auto [first, last] = std::minmax_element(bands, bands + count);
    if (flag == GF_Read && width == columns && height == rows && has_box(window, *first, *last)) {
      for (int row = 0; row < rows; ++row) {
        for (int i = 0; i < count; ++i) {
          copy_row(window, row, bands[i], static_cast<GByte*>(data) + row * line + i * band, type, pixel);
        }
      }
      return CE_None;
    }
    return dataset_->RasterIO(flag, x, y, width, height, data, columns, rows, type, count, bands, pixel, line, band,
                              extra);
  }

 private:
  // Values of the array as they are stored: the bands from `first` to `last` (GDAL's numbers) of a window, with the
  // steps from one column, row and band to the next.
  struct Box {
    Window window{0, 0, 0, 0};
    int first = 1;
    int last = 0;
    std::vector<GByte> values;
    std::vector<std::size_t> steps;
  };

  [[nodiscard]] GDALDataType stored() const { return cube_.array->GetDataType().GetNumericDataType(); }

  // False where the box is not readable from the array.
  bool has_box(const Window& window, int first, int last) {
    if (order_ == RowOrder::not_compared) {
      order_ = compared_order();
      box_.last = 0;  // that of the last comparison may be of the other order
    }
    const bool kept = box_.first <= first && last <= box_.last && around(box_.window, window) == box_.window;
    if (kept || order_ == RowOrder::other) {
      return kept;
    }
    // A single band is asked for where bands are read one by one.
    const Window blocks = blocks_of(window);
    const bool all = first == last && fits(blocks, nBands);
    return read_box(all || fits(blocks, last - first + 1) ? blocks : window, all ? 1 : first, all ? nBands : last);
  }

  // The storage blocks of the window as wholes, so that the next window of them need not be decoded again.
  [[nodiscard]] Window blocks_of(const Window& window) {
    int width = 0;
    int height = 0;
    GetRasterBand(1)->GetBlockSize(&width, &height);
    const Index column = window.column / width * width;
    const Index row = window.row / height * height;
    return overlap({column, row, (window.column + window.width - column + width - 1) / width * width,
                    (window.row + window.height - row + height - 1) / height * height},
                   {0, 0, nRasterXSize, nRasterYSize});
  }

  // Whether a box may be kept: all arrays that are open share the memory that GDAL may use for blocks.
  [[nodiscard]] bool fits(const Window& window, int bands) const {
    return window.pixels() * bands * GDALGetDataTypeSizeBytes(stored()) <= GDALGetCacheMax64() / open_;
  }

  bool read_box(const Window& window, int first, int last) {
    const std::size_t dimensions = cube_.array->GetDimensionCount();
    std::vector<GUInt64> start(dimensions, 0);
    std::vector<std::size_t> count(dimensions, 1);
    const auto choose = [&](std::size_t dimension, Index from, Index length) {
      start[dimension] = static_cast<GUInt64>(from);
      count[dimension] = static_cast<std::size_t>(length);
    };
    choose(cube_.x, window.column, window.width);
    choose(cube_.y, order_ == RowOrder::from_last ? nRasterYSize - window.row - window.height : window.row,
           window.height);
    if (cube_.band) {
      choose(*cube_.band, first - 1, last - first + 1);
    }
    box_.steps.assign(dimensions, 1);
    for (std::size_t i = dimensions - 1; i-- > 0;) {
      box_.steps[i] = box_.steps[i + 1] * count[i + 1];
    }
    const std::size_t bytes = box_.steps[0] * count[0] * static_cast<std::size_t>(GDALGetDataTypeSizeBytes(stored()));
    box_.last = 0;
    if (bytes > std::numeric_limits<int>::max()) {  // the steps from value to value are of this type in copy_row()
      return false;
    }
    box_.values.resize(bytes);
    box_.window = window;
    box_.first = first;
    const GDALExtendedDataType& type = cube_.array->GetDataType();
    box_.last = cube_.array->Read(start.data(), count.data(), nullptr, nullptr, type, box_.values.data()) ? last : 0;
    return box_.last > 0;
  }

  void copy_row(const Window& window, int row, int band, GByte* target, GDALDataType type, GSpacing pixel) const {
    const Index from_top = window.row + row - box_.window.row;
    const auto in_box =
        static_cast<std::size_t>(order_ == RowOrder::from_last ? box_.window.height - 1 - from_top : from_top);
    const std::size_t place = static_cast<std::size_t>(window.column - box_.window.column) * box_.steps[cube_.x] +
                              in_box * box_.steps[cube_.y] +
                              (cube_.band ? static_cast<std::size_t>(band - box_.first) * box_.steps[*cube_.band] : 0);
    const auto bytes = static_cast<std::size_t>(GDALGetDataTypeSizeBytes(stored()));
    GDALCopyWords(&box_.values[place * bytes], stored(), static_cast<int>(box_.steps[cube_.x] * bytes), target, type,
                  static_cast<int>(pixel), static_cast<int>(window.width));
  }

  // The drivers netCDF and HDF5 turn the rows upside down by rules that differ with their versions, so that the values
  // themselves say it: those of the first row, from the middle on, that differs from the one as far from the other end.
  // Scenes have rows without values at their ends rather than in the middle.
  RowOrder compared_order() {
    for (int row = nRasterYSize / 2 - 1; row >= 0; --row) {
      const bool first = same_row(row, RowOrder::from_first);
      const bool last = same_row(row, RowOrder::from_last);
      if (first != last) {
        return first ? RowOrder::from_first : RowOrder::from_last;
      }
      if (!first) {
        break;
      }
    }
    return RowOrder::other;
  }

  // Whether the raster has the numbers of the array in this order, in the first band and in the last.
  bool same_row(int row, RowOrder order) {
    order_ = order;
    const Window window{0, row, nRasterXSize, 1};
    return std::ranges::all_of(std::array{1, nBands}, [&](int band) {
      std::vector<double> shown(static_cast<std::size_t>(nRasterXSize));
      std::vector<double> stored(shown.size());
      if (!read_box(window, band, band) ||
          !read_window(*dataset_->GetRasterBand(band), window, shown.data(), GDT_Float64)) {
        return false;
      }
      copy_row(window, 0, band, reinterpret_cast<GByte*>(stored.data()), GDT_Float64, sizeof(double));
      return std::memcmp(shown.data(), stored.data(), shown.size() * sizeof(double)) == 0;  // also of NaN
    });
  }

  inline static std::atomic<int> open_ = 0;

  GdalCube cube_;
  RowOrder order_;
  Box box_;
};

}  // namespace

DatasetPtr read_at_once(DatasetPtr raster, GdalCube cube) {
  return DatasetPtr(new CubeDataset(std::move(raster), std::move(cube)));
}

}  // namespace parsimap
