// A scene whose bands lie in arrays of a file, such as one array for each detector.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/gdal/hdf5/array_file.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// Which dimension of an array has which role.
struct CubeAxes {
  std::size_t row = 0;
  std::size_t column = 1;
  std::optional<std::size_t> band = 2;  // unset for an array of one band
  bool operator==(const CubeAxes&) const = default;
};

// An array and what makes values of the numbers in it: scale * number + offset.
struct CubeArray {
  FileArray array;
  CubeAxes axes;
  double scale = 1;
  double offset = 0;
};

struct CubeBand {
  std::size_t array = 0;   // index into CubeLayout::arrays
  std::int64_t index = 0;  // of the band in its array
};

struct CubeLayout {
  std::vector<CubeArray> arrays;  // of the same rows and columns
  std::vector<CubeBand> bands;    // as many as the band table has
  // A pixel has no values where the numbers of all bands are 0; a 0 in some of them is a value.
  bool zeros_are_missing = false;
};

// Numbers that are the fill value of their array are NaN, and so are infinite values. Windows made of whole chunks read
// fastest.
std::unique_ptr<SceneSource> open_cube(std::shared_ptr<ArrayFile> file, RasterGrid grid, BandTable bands,
                                       CubeLayout layout);

// The roles of the dimensions of an array of three. By their names where the file has names and each role has one of
// `names`; else by the lengths: `rows`, `columns` and `bands`, 0 where unknown. Where lengths fit several orders,
// `usual` is taken if it is among them, or that with rows before columns. DataError, which says what was looked for,
// where no order or several fit.
struct AxisNames {
  std::vector<std::string> row;
  std::vector<std::string> column;
  std::vector<std::string> band;
};
struct AxisLengths {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t bands = 0;
};
CubeAxes find_axes(const ArrayFile& file, const FileArray& array, const AxisNames& names, const AxisLengths& lengths,
                   const CubeAxes& usual);

// Parts of whole rows of the window to be read at once where numbers are not used as they lie in the file: so small
// that each has at most some million numbers, of which a pixel has `numbers`.
std::vector<Window> parts_to_read(const Window& window, Index numbers);

// The file where it is HDF5. Null where it is not, and where HDF5 cannot open it, unless it is `named` like a product
// of the kind that is looked for: DataError then.
std::shared_ptr<ArrayFile> open_arrays(const std::string& path, bool named);

// Control points of a scene whose file has longitudes and latitudes of all pixels at these paths; none where it has
// not. DataError where their shape is not that of the grid.
std::vector<ControlPoint> positions_of(ArrayFile& file, const std::string& longitudes, const std::string& latitudes,
                                       const RasterGrid& grid);

// Width and height of the pictures in an array.
RasterGrid grid_of(const CubeArray& cube);

// How a file with a product is described.
struct SceneDescription;
SceneDescription describe_arrays(const ArrayFile& file, const FileArray& array, const std::string& product);

}  // namespace parsimap
