// Small pictures of large rasters, in memory that does not grow with the raster: which part is shown, and its pixels.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/samples/band.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// Which part of a raster a small picture shows: the rectangle that holds data, reduced where it is large; or, where
// data lie in few and far places as in a mosaic of plots, a sheet of tiles with these places one beside the other.

// A rectangle of a picture that shows a window of the raster, reduced or as it is.
struct PictureTile {
  Window source;
  Index left = 0;  // in the picture
  Index top = 0;
  Index width = 0;
  Index height = 0;

  // The column and row of the raster in the middle of a pixel of the tile, counted from the tile's corner.
  [[nodiscard]] Index source_column(Index x) const { return source.column + (2 * x + 1) * source.width / (2 * width); }
  [[nodiscard]] Index source_row(Index y) const { return source.row + (2 * y + 1) * source.height / (2 * height); }
  bool operator==(const PictureTile&) const = default;
};

struct PictureLayout {
  Index width = 0;
  Index height = 0;
  std::vector<PictureTile> tiles;  // they do not overlap in the picture
  Index places = 1;                // with data: more than tiles where only some are shown

  // The pixels of the picture, row-major, that show a pixel of the raster (row * width + column there).
  [[nodiscard]] std::vector<Index> positions_of(std::int64_t pixel, Index raster_width) const;
  [[nodiscard]] Index pixels() const { return width * height; }
  bool operator==(const PictureLayout&) const = default;
};

inline constexpr Index kLongestPictureSide = 640;
inline constexpr std::size_t kMostPictureTiles = 30;

// The window as one tile, reduced to kLongestPictureSide pixels along its longer side at most.
PictureLayout picture_of(const Window& window);

// For every pixel of a window of the raster, row-major, whether it has data.
using DataTest = std::function<std::vector<bool>(const Window&)>;

// What to show of a raster. `coarse` is the picture of all of it, and `has_data` says which of its pixels have any.
// Where a twentieth of the rectangle around the data has data, the rectangle is shown; otherwise tiles of equal size
// around the places with data, those first that hold most of the `preferred` pixels of the raster (row * width +
// column), then those with the most data, and in the picture in the order of their rows. `test` is asked about small
// windows, so that the tiles fit their places closely. Where nothing has data, everything is shown.
PictureLayout choose_layout(const RasterGrid& grid, const PictureLayout& coarse, const std::vector<bool>& has_data,
                            const DataTest& test, const std::vector<std::int64_t>& preferred = {});

// The pixels of a picture are spread evenly over what it shows.

// Passes a class map on to another sink and keeps a quicklook of it.
class ClassMapQuicklook final : public ClassMapSink {
 public:
  // `target` is kept by the caller.
  ClassMapQuicklook(PictureLayout layout, ClassMapSink& target);

  void write(const Window& window, const std::vector<std::uint16_t>& codes) override;
  void close() override { target_.close(); }

  // The codes of the pixels of the picture, row-major; 0 where nothing was written.
  [[nodiscard]] const std::vector<std::uint16_t>& codes() const { return codes_; }

 private:
  PictureLayout layout_;
  ClassMapSink& target_;
  std::vector<std::uint16_t> codes_;
};

// Keeps a quicklook of a field of one band, of shares (confidence, novelty), and counts its values while it is written.
class FieldQuicklook final : public FieldSink {
 public:
  static constexpr Index kBins = 20;  // of [0, 1]; the last holds 1

  // Values are passed on to `target`, which is kept by the caller, unless it is null.
  FieldQuicklook(PictureLayout layout, FieldSink* target);

  // Values in [0, 1], or NaN, which is not counted.
  void write(const Window& window, const Spectra& values) override;
  void close() override;

  // The values of the pixels of the picture, row-major; NaN where nothing was written.
  [[nodiscard]] const std::vector<float>& values() const { return values_; }
  // The number of values in each bin.
  [[nodiscard]] const std::vector<std::int64_t>& counts() const { return counts_; }
  // The share of the values that lie in this bin or a later one; 0 where there are none.
  [[nodiscard]] double share_from(Index bin) const;

 private:
  PictureLayout layout_;
  FieldSink* target_;
  std::vector<float> values_;
  std::vector<std::int64_t> counts_;
};

// The bands shown as red, green and blue: those nearest to 650, 550 and 470 nm where all wavelengths are known and
// there are such within 100 nm, otherwise those at five, three and one sixths of the bands.
std::array<Index, 3> picture_bands(const BandTable& bands);

// Red, green, blue and opacity of every pixel of the picture, row-major.
struct ScenePicture {
  PictureLayout layout;
  std::vector<std::uint8_t> rgba;
};

// The part of a scene that has data, each band stretched between its 2nd and 98th percentile; transparent where one of
// them has no value. Of a sparse scene places with `preferred` pixels come first (choose_layout()). Reads single rows
// of three bands. Errors as read().
ScenePicture scene_picture(SceneSource& scene, const std::array<Index, 3>& bands,
                           const std::vector<std::int64_t>& preferred = {});

// The codes of every pixel of the picture, row-major.
struct ClassMapPicture {
  PictureLayout layout;
  std::vector<std::uint16_t> codes;
};

// The same for the part of a class map that is classified.
ClassMapPicture class_map_picture(ClassMapSource& map, const std::vector<std::int64_t>& preferred = {});

// The picture of a scene in a layout that is given, such as that of its map.
std::vector<std::uint8_t> scene_picture_in(const PictureLayout& layout, SceneSource& scene,
                                           const std::array<Index, 3>& bands);

}  // namespace parsimap
