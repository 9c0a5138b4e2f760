#include "cube_scene.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/scene/open_scene.hpp"
#include "parsimap/scene/sensor_geometry.hpp"

namespace parsimap {
namespace {

// Decoded chunks that are kept of all arrays together.
constexpr std::int64_t kKeptBytes = std::int64_t{96} << 20;

// What is asked of one array: the bands of the result that lie in it, and the range of its bands that holds them.
struct ArrayRequest {
  std::vector<std::pair<Index, std::int64_t>> bands;  // band of the result, band of the array
  std::int64_t first = 0;
  std::int64_t count = 0;
};

// Reads windows of a scene from one or several arrays, each with its own order of rows, columns and bands. A read asks
// each array once for the smallest box that holds all bands wanted of it, because a chunk of the file is decoded as a
// whole anyway, and then picks the bands out of that box in memory.
class CubeScene final : public DescribedScene {
 public:
  CubeScene(std::shared_ptr<ArrayFile> file, RasterGrid grid, BandTable bands, CubeLayout layout)
      : DescribedScene(file->name(), std::move(grid), std::move(bands)),
        file_(std::move(file)),
        layout_(std::move(layout)) {
    // A block of the scene is a chunk of the first array, so that a loop over blocks decodes each chunk once.
    const CubeArray& first = layout_.arrays.front();
    const std::vector<std::int64_t>& chunk = first.array.chunk;
    if (!chunk.empty()) {
      block_width_ = std::clamp<Index>(chunk[first.axes.column], 1, grid_.width);
      block_height_ = std::clamp<Index>(chunk[first.axes.row], 1, grid_.height);
    }
    for (const CubeArray& cube : layout_.arrays) {
      keep_block(cube);
    }
  }

  void check_unchanged() const override { file_->check_unchanged(); }

  void read(const Window& window, const Indices& bands, Spectra& values) override {
    values.resize(window.pixels(), static_cast<Index>(bands.size()));
    // Rows x columns x bands without gaps is the order of `values` itself: such a window is read in place. Other orders
    // go through a buffer, in parts that keep it small.
    const std::vector<ArrayRequest> requests = requests_of(bands);
    if (is_stored_so(requests, bands)) {
      read_as_stored(window, requests.front(), values);
      return;
    }
    for (const Window& part : parts_to_read(window, largest<Index>(requests, &ArrayRequest::count, 1))) {
      read_part(part, requests, values, (part.row - window.row) * window.width);
    }
  }

 private:
  // Keeps the chunks of a storage block with all of its bands, which are read window by window.
  void keep_block(const CubeArray& cube) {
    const std::vector<std::int64_t>& chunk = cube.array.chunk;
    if (chunk.empty()) {
      return;
    }
    // Bytes of one chunk, times the number of chunks along the bands: this is what a window within one block decodes.
    // The product is computed in double, since lengths from a damaged file could overflow an integer. All arrays share
    // kKeptBytes.
    double bytes = static_cast<double>(cube.array.value_bytes);
    for (const std::int64_t length : chunk) {
      bytes *= static_cast<double>(length);
    }
    if (cube.axes.band) {
      const std::int64_t length = std::max<std::int64_t>(1, chunk[*cube.axes.band]);
      bytes *= static_cast<double>((cube.array.shape[*cube.axes.band] + length - 1) / length);
    }
    const auto most = static_cast<double>(kKeptBytes / static_cast<std::int64_t>(layout_.arrays.size()));
    file_->keep_decoded(cube.array, static_cast<std::int64_t>(std::min(bytes, most)));
  }

  // The bands are grouped by their arrays. The range of an array spans from the lowest to the highest of its bands,
  // with gaps read along.
  [[nodiscard]] std::vector<ArrayRequest> requests_of(const Indices& bands) const {
    std::vector<ArrayRequest> requests(layout_.arrays.size());
    for (std::size_t i = 0; i < bands.size(); ++i) {
      const CubeBand& band = layout_.bands.at(static_cast<std::size_t>(bands[i]));
      requests[band.array].bands.emplace_back(static_cast<Index>(i), band.index);
    }
    for (std::size_t a = 0; a < requests.size(); ++a) {
      // All bands say whether a pixel is missing.
      std::int64_t first = std::numeric_limits<std::int64_t>::max();
      std::int64_t last = -1;
      const auto widen = [&](std::int64_t index) {
        first = std::min(first, index);
        last = std::max(last, index);
      };
      for (const auto& [result, index] : requests[a].bands) {
        widen(index);
      }
      for (std::size_t b = 0; layout_.zeros_are_missing && b < layout_.bands.size(); ++b) {
        if (layout_.bands[b].array == a) {
          widen(layout_.bands[b].index);
        }
      }
      requests[a].first = last < 0 ? 0 : first;
      requests[a].count = last < 0 ? 0 : last - first + 1;
    }
    return requests;
  }

  // True where the numbers lie in the file as they are asked for.
  [[nodiscard]] bool is_stored_so(const std::vector<ArrayRequest>& requests, const Indices& bands) const {
    const ArrayRequest& only = requests.front();
    if (requests.size() > 1 || layout_.zeros_are_missing || layout_.arrays.front().axes != CubeAxes{} ||
        only.count != static_cast<std::int64_t>(bands.size())) {
      return false;
    }
    // The bands must be consecutive and in the order of the file: then the box that is read is the result itself.
    for (std::size_t i = 0; i < only.bands.size(); ++i) {
      if (only.bands[i].second != only.first + static_cast<std::int64_t>(i)) {
        return false;
      }
    }
    return !bands.empty();
  }

  void read_as_stored(const Window& window, const ArrayRequest& request, Spectra& values) {
    const CubeArray& cube = layout_.arrays.front();
    file_->read(cube.array, {window.row, window.column, request.first}, {window.height, window.width, request.count},
                values.data());
    for (Index i = 0; i < values.size(); ++i) {
      values.data()[i] = value_of(cube, values.data()[i]);
    }
  }

  void read_part(const Window& part, const std::vector<ArrayRequest>& requests, Spectra& values, Index first_pixel) {
    nonzero_.assign(static_cast<std::size_t>(part.pixels()), 0);
    for (std::size_t a = 0; a < requests.size(); ++a) {
      if (requests[a].count > 0) {
        read_array(part, a, requests[a], values, first_pixel);
      }
    }
    for (Index pixel = 0; layout_.zeros_are_missing && pixel < part.pixels(); ++pixel) {
      if (nonzero_[static_cast<std::size_t>(pixel)] == 0) {
        values.row(first_pixel + pixel).setConstant(kMissingValue);
      }
    }
  }

  void read_array(const Window& part, std::size_t index, const ArrayRequest& request, Spectra& values,
                  Index first_pixel) {
    const CubeArray& cube = layout_.arrays[index];
    const CubeAxes& axes = cube.axes;
    std::vector<std::int64_t> start(cube.array.shape.size(), 0);
    std::vector<std::int64_t> count(cube.array.shape.size(), 1);
    start[axes.row] = part.row;
    count[axes.row] = part.height;
    start[axes.column] = part.column;
    count[axes.column] = part.width;
    if (axes.band) {
      start[*axes.band] = request.first;
      count[*axes.band] = request.count;
    }
    buffer_.resize(static_cast<std::size_t>(part.pixels() * request.count));
    file_->read(cube.array, start, count, buffer_.data());
    // The buffer has the order of the file. The step along a dimension is the product of the lengths of the dimensions
    // behind it.
    const auto step = [&](std::size_t axis) {
      return std::accumulate(count.begin() + static_cast<Index>(axis) + 1, count.end(), std::int64_t{1},
                             std::multiplies<>());
    };
    // The index of a number is row * step(row) + column * step(column) + (band - first) * step(band), whatever the
    // order of the three dimensions in the file. An array without bands has the step 0.
    const std::int64_t band_step = axes.band ? step(*axes.band) : 0;
    for (Index pixel = 0; pixel < part.pixels(); ++pixel) {
      const float* numbers = &buffer_[static_cast<std::size_t>(pixel / part.width * step(axes.row) +
                                                               pixel % part.width * step(axes.column))];
      for (const auto& [result, band] : request.bands) {
        values(first_pixel + pixel, result) = value_of(cube, numbers[(band - request.first) * band_step]);
      }
    }
    if (layout_.zeros_are_missing) {
      note_numbers(part, index, request, {step(axes.row), step(axes.column), band_step});
    }
  }

  // Notes the pixels of which any band is not 0. All bands of the scene count, also those that were not asked for, so
  // that a pixel is missing or not whatever bands are read.
  // `steps` are from one row, column and band to the next.
  void note_numbers(const Window& part, std::size_t index, const ArrayRequest& request,
                    const std::array<std::int64_t, 3>& steps) {
    for (const CubeBand& band : layout_.bands) {
      if (band.array != index) {
        continue;
      }
      for (Index pixel = 0; pixel < part.pixels(); ++pixel) {
        const std::int64_t at =
            pixel / part.width * steps[0] + pixel % part.width * steps[1] + (band.index - request.first) * steps[2];
        nonzero_[static_cast<std::size_t>(pixel)] |=
            static_cast<std::uint8_t>(buffer_[static_cast<std::size_t>(at)] != 0);
      }
    }
  }

  static float value_of(const CubeArray& cube, float number) {
    // The fill value is compared in single precision, in which the numbers were read. The scale is applied in double,
    // as GDAL does it, so that a scene has the same values through both.
    if (!std::isfinite(number) || (cube.array.fill && number == static_cast<float>(*cube.array.fill))) {
      return kMissingValue;
    }
    const auto value = static_cast<float>(cube.scale * static_cast<double>(number) + cube.offset);
    return std::isfinite(value) ? value : kMissingValue;
  }

  std::shared_ptr<ArrayFile> file_;
  CubeLayout layout_;
  std::vector<float> buffer_;
  std::vector<std::uint8_t> nonzero_;
};

// A length of 0 is unknown and fits every dimension.
bool fits(const FileArray& array, const CubeAxes& axes, const AxisLengths& lengths) {
  const auto has = [&](std::size_t axis, std::int64_t length) { return length == 0 || array.shape[axis] == length; };
  return has(axes.row, lengths.rows) && has(axes.column, lengths.columns) && has(*axes.band, lengths.bands);
}

std::optional<CubeAxes> axes_by_name(const FileArray& array, const AxisNames& names) {
  const auto find = [&](const std::vector<std::string>& wanted) {
    const auto found =
        std::find_first_of(array.dimensions.begin(), array.dimensions.end(), wanted.begin(), wanted.end());
    return static_cast<std::size_t>(found - array.dimensions.begin());
  };
  const CubeAxes axes{find(names.row), find(names.column), find(names.band)};
  const std::size_t none = array.dimensions.size();
  return axes.row < none && axes.column < none && *axes.band < none ? std::optional(axes) : std::nullopt;
}

}  // namespace

std::unique_ptr<SceneSource> open_cube(std::shared_ptr<ArrayFile> file, RasterGrid grid, BandTable bands,
                                       CubeLayout layout) {
  return std::make_unique<CubeScene>(std::move(file), std::move(grid), std::move(bands), std::move(layout));
}

CubeAxes find_axes(const ArrayFile& file, const FileArray& array, const AxisNames& names, const AxisLengths& lengths,
                   const CubeAxes& usual) {
  const auto number = [](std::int64_t length) {
    return length == 0 ? std::string("any number of") : std::to_string(length);
  };
  const std::string looked_for = number(lengths.rows) + " rows, " + number(lengths.columns) + " columns and " +
                                 number(lengths.bands) + " bands, as other parts of the file say";
  if (array.shape.size() != 3 || array.values() == 0) {
    throw DataError(file.name() + ": " + array.text() + " is no cube of " + looked_for);
  }
  if (const std::optional<CubeAxes> named = axes_by_name(array, names)) {
    if (!fits(array, *named, lengths)) {
      throw DataError(file.name() + ": " + array.text() + ", of " + array.dimensions[0] + " x " + array.dimensions[1] +
                      " x " + array.dimensions[2] + ", does not have " + looked_for);
    }
    return *named;
  }
  // Without names of dimensions only their lengths tell which is which. The documented order comes first, because
  // lengths may agree by chance, as in a scene of as many rows as columns; then any order that fits alone.
  if (fits(array, usual, lengths)) {
    return usual;
  }
  std::vector<CubeAxes> fitting;
  for (const CubeAxes& axes : {CubeAxes{0, 1, 2}, CubeAxes{1, 2, 0}, CubeAxes{0, 2, 1}, CubeAxes{1, 0, 2},
                               CubeAxes{2, 1, 0}, CubeAxes{2, 0, 1}}) {
    if (fits(array, axes, lengths)) {
      fitting.push_back(axes);
    }
  }
  if (fitting.size() > 1) {
    // Pictures lie row by row unless the file says otherwise.
    std::erase_if(fitting, [](const CubeAxes& axes) { return axes.row > axes.column; });
  }
  if (fitting.size() != 1) {
    throw DataError(file.name() + ": " + array.text() +
                    (fitting.empty() ? " does not have " : " does not say which of its dimensions are its ") +
                    looked_for);
  }
  return fitting.front();
}

std::vector<Window> parts_to_read(const Window& window, Index numbers) {
  constexpr Index kMostNumbers = Index{1} << 22;
  return row_strips(window, kMostNumbers / numbers);
}

std::shared_ptr<ArrayFile> open_arrays(const std::string& path, bool named) {
  try {
    return is_hdf5_file(path) ? std::make_shared<ArrayFile>(path) : nullptr;
  } catch (const DataError&) {
    if (named) {
      throw;
    }
    return nullptr;
  }
}

std::vector<ControlPoint> positions_of(ArrayFile& file, const std::string& longitude_path,
                                       const std::string& latitude_path, const RasterGrid& grid) {
  const auto longitudes = file.find(longitude_path);
  const auto latitudes = file.find(latitude_path);
  if (!longitudes || !latitudes) {
    return {};
  }
  const std::vector<std::int64_t> shape = {grid.height, grid.width};
  for (const FileArray& array : {*longitudes, *latitudes}) {
    if (array.shape != shape) {
      throw DataError(file.name() + ": " + array.text() + " does not have the " + std::to_string(grid.height) +
                      " rows and " + std::to_string(grid.width) + " columns of the scene");
    }
  }
  // Positions are read row by row as control_points() asks for them; a complete table of doubles is not needed in
  // memory.
  const auto read_row = [&](const FileArray& array, Index row, std::vector<double>& values) {
    values.resize(static_cast<std::size_t>(grid.width));
    file.read(array, {row, 0}, {1, grid.width}, values.data());
    if (array.fill) {
      std::ranges::replace(values, *array.fill, std::numeric_limits<double>::quiet_NaN());
    }
  };
  return control_points(grid.width, grid.height, [&](Index row, std::vector<double>& x, std::vector<double>& y) {
    read_row(*longitudes, row, x);
    read_row(*latitudes, row, y);
  });
}

RasterGrid grid_of(const CubeArray& cube) {
  RasterGrid grid;
  grid.width = cube.array.shape[cube.axes.column];
  grid.height = cube.array.shape[cube.axes.row];
  return grid;
}

SceneDescription describe_arrays(const ArrayFile& file, const FileArray& array, const std::string& product) {
  SceneDescription description;
  description.driver = "HDF5";
  description.data_type = array.type;
  description.files = {file.name()};
  description.bytes = file.bytes();
  description.nodata = array.fill;
  description.product = product;
  return description;
}

}  // namespace parsimap
