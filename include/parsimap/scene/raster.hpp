// Rasters: where their pixels lie, and the contracts of everything that they are read from and written to. The files
// behind these contracts are those of other folders.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/samples/band.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/scene/window.hpp"

namespace parsimap {

// A place of a raster, counted in columns and rows from its upper left corner, and where it lies on the map.
struct ControlPoint {
  double column = 0;
  double row = 0;
  double x = 0;
  double y = 0;
  bool operator==(const ControlPoint&) const = default;
};

// Size in pixels and, where known, georeferencing in GDAL's terms.
struct RasterGrid {
  Index width = 0;
  Index height = 0;
  // x = g0 + column * g1 + row * g2, y = g3 + column * g4 + row * g5, of a pixel's upper left corner.
  std::optional<std::array<double, 6>> geotransform;
  std::string crs;  // WKT, empty where unknown
  // Where a raster has no geotransform: ground control points, in `crs`.
  std::vector<ControlPoint> control_points = {};

  [[nodiscard]] std::int64_t pixels() const { return std::int64_t{width} * height; }
};

// A part of the ground as large as a pixel, to compare what pixels of several scenes show.
struct GroundCell {
  // On a grid that all scenes share; or, of scenes without a place on the map, the first one that is a copy of the same
  // file.
  std::optional<std::uint32_t> copy = {};
  std::int32_t row = 0;
  std::int32_t column = 0;
  auto operator<=>(const GroundCell&) const = default;
};

// The map coordinates x, y of a place in the grid, counted in columns and rows from its upper left corner. A grid
// without geotransform has x = column and y = row.
inline std::array<double, 2> map_point(const RasterGrid& grid, double column, double row) {
  const std::array<double, 6> g = grid.geotransform.value_or(std::array<double, 6>{0, 1, 0, 0, 0, 1});
  return {g[0] + column * g[1] + row * g[2], g[3] + column * g[4] + row * g[5]};
}

// Strips of the whole grid.
inline std::vector<Window> row_strips(const RasterGrid& grid) { return row_strips({0, 0, grid.width, grid.height}); }

// Where the pixels of a scene in the sensor's own geometry lie on the map: a geometry lookup table (GLT), as products
// of imaging spectrometers have one.
class GeometryLookup {
 public:
  virtual ~GeometryLookup() = default;

  // A name for messages, usually the path.
  [[nodiscard]] virtual const std::string& name() const = 0;
  // The map grid, which has a geotransform.
  [[nodiscard]] virtual const RasterGrid& grid() const = 0;
  // The pixel of the scene (row * width of the scene + column) that each pixel of `window`, a window of the map grid,
  // shows; -1 where it shows none. Row-major. Not to be called from two threads at once. Throws IoError, and DataError
  // where the table points outside the scene.
  virtual void read(const Window& window, std::vector<std::int64_t>& pixels) = 0;
  // IoError when a file behind the table changed while it was read.
  virtual void check_unchanged() const {}
};

// The contract of anything that can be classified: a grid of pixels, bands, and spectra that are read window by window.
// A raster is stored in storage blocks (lines or tiles), which are decoded as a whole.

// The value of a spectrum where a scene has no data.
constexpr float kMissingValue = std::numeric_limits<float>::quiet_NaN();

class MaskedScene;

class SceneSource {
 public:
  virtual ~SceneSource() = default;

  // A name for messages, usually the path.
  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual const RasterGrid& grid() const = 0;
  [[nodiscard]] virtual const BandTable& bands() const = 0;
  // Width and height of the storage blocks, by default a row: windows made of whole blocks read fastest.
  [[nodiscard]] virtual Index block_width() const { return grid().width; }
  [[nodiscard]] virtual Index block_height() const { return 1; }
  // True where the storage knows that the window holds no data at all (a hole of a sparse mosaic); may be false for
  // an empty window.
  [[nodiscard]] virtual bool known_empty(const Window& /*window*/) const { return false; }
  // The values of `bands` (indices from 0) in `window`, pixels x bands, pixels in row-major order. A value that is
  // nodata, masked or infinite is NaN. Not to be called from two threads at once. Throws IoError.
  virtual void read(const Window& window, const Indices& bands, Spectra& values) = 0;
  // The table that says where the pixels lie on the map, of a scene in the sensor's own geometry that comes with one;
  // else null.
  [[nodiscard]] virtual GeometryLookup* lookup() { return nullptr; }
  // The scene itself where it is one behind a mask (scene/open_scene.hpp); else null.
  [[nodiscard]] virtual MaskedScene* masked() { return nullptr; }
  // To be called after the last read. IoError when a file behind the scene changed while it was read.
  virtual void check_unchanged() const {}
};

// A scene that keeps its name, grid, bands and storage blocks itself.
class DescribedScene : public SceneSource {
 public:
  DescribedScene(std::string name, RasterGrid grid, BandTable bands)
      : name_(std::move(name)), grid_(std::move(grid)), bands_(std::move(bands)), block_width_(grid_.width) {}

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const RasterGrid& grid() const override { return grid_; }
  [[nodiscard]] const BandTable& bands() const override { return bands_; }
  [[nodiscard]] Index block_width() const override { return block_width_; }
  [[nodiscard]] Index block_height() const override { return block_height_; }

 protected:
  std::string name_;
  RasterGrid grid_;
  BandTable bands_;
  Index block_width_;
  Index block_height_ = 1;
};

// A scene that is another scene but for something: the pixels that count, the bands, or the place on the map. What is
// not given here, and what a class derived from this does not say otherwise, is that of the scene behind it.
class SceneDecorator : public SceneSource {
 public:
  // The scene behind it, which must not be null.
  explicit SceneDecorator(std::shared_ptr<SceneSource> scene, std::optional<RasterGrid> grid = std::nullopt,
                          std::optional<BandTable> bands = std::nullopt)
      : scene_(std::move(scene)), grid_(std::move(grid)), bands_(std::move(bands)) {}

  [[nodiscard]] const std::string& name() const override { return scene_->name(); }
  [[nodiscard]] const RasterGrid& grid() const override { return grid_ ? *grid_ : scene_->grid(); }
  [[nodiscard]] const BandTable& bands() const override { return bands_ ? *bands_ : scene_->bands(); }
  [[nodiscard]] Index block_width() const override { return scene_->block_width(); }
  [[nodiscard]] Index block_height() const override { return scene_->block_height(); }
  [[nodiscard]] bool known_empty(const Window& window) const override { return scene_->known_empty(window); }
  void read(const Window& window, const Indices& bands, Spectra& values) override {
    scene_->read(window, bands, values);
  }
  [[nodiscard]] GeometryLookup* lookup() override { return scene_->lookup(); }
  void check_unchanged() const override { scene_->check_unchanged(); }

 protected:
  [[nodiscard]] SceneSource& behind() { return *scene_; }
  [[nodiscard]] const SceneSource& behind() const { return *scene_; }
  void replace(std::shared_ptr<SceneSource> scene) { scene_ = std::move(scene); }
  [[nodiscard]] const std::shared_ptr<SceneSource>& shared() const { return scene_; }

 private:
  std::shared_ptr<SceneSource> scene_;
  std::optional<RasterGrid> grid_;
  std::optional<BandTable> bands_;
};

// The contract of a raster of class codes: a map, or reference labels.
class ClassMapSource {
 public:
  virtual ~ClassMapSource() = default;

  // A name for messages, usually the path.
  [[nodiscard]] virtual const std::string& name() const = 0;
  [[nodiscard]] virtual const RasterGrid& grid() const = 0;
  // The codes that occur in the raster, without 0, ascending; a class without a name is named by its code.
  [[nodiscard]] virtual const ClassTable& classes() const = 0;
  // Sentences about names that were read otherwise than they stand in the file.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
  // The number of pixels whose code 0 counts as unlabelled, though nothing says that it is no class.
  [[nodiscard]] virtual std::int64_t unlabelled_zeros() const { return 0; }
  // True where the raster itself names its classes.
  [[nodiscard]] virtual bool has_names() const = 0;
  // The codes of `window` in row-major order, 0 where there is none. Not to be called from two threads at once.
  // Throws IoError.
  virtual void read(const Window& window, std::vector<std::uint16_t>& codes) = 0;
  // To be called after the last read. IoError when a file behind the raster changed while it was read.
  virtual void check_unchanged() const {}
};

// The contract of anything a map can be written to. Windows may come in any order and need not cover the grid: whoever
// writes leaves out windows that hold nothing. What is written is complete after close().

// Class codes, one per pixel, 0 = unclassified. Pixels never written are 0.
class ClassMapSink {
 public:
  virtual ~ClassMapSink() = default;
  // `codes` in row-major order of the window. Throws IoError.
  virtual void write(const Window& window, const std::vector<std::uint16_t>& codes) = 0;
  // Completes the output and checks it. Throws IoError. Called once, last.
  virtual void close() = 0;
};

// Real values in one or several bands, such as probabilities; NaN where there is none. Pixels never written are NaN.
class FieldSink {
 public:
  virtual ~FieldSink() = default;
  // `values` is pixels x bands in row-major order of the window. Throws IoError.
  virtual void write(const Window& window, const Spectra& values) = 0;
  virtual void close() = 0;
};

// The contract of segments: a division of a scene's grid, or of parts of it, into numbered sets of pixels, such as the
// objects of an image segmentation or the parcels of a register.
class SegmentSource {
 public:
  virtual ~SegmentSource() = default;

  // A name for messages, usually the path.
  [[nodiscard]] virtual const std::string& name() const = 0;
  // The number of the segment that each pixel of `window` lies in, in row-major order; 0 outside of all segments. A
  // pixel's number does not depend on the window. Not to be called from two threads at once. Throws IoError, and
  // DataError for a value that is no number of a segment.
  virtual void read(const Window& window, std::vector<std::int64_t>& numbers) = 0;
  // Pixels that segments have lost to others that they overlap, of all segments together.
  [[nodiscard]] virtual std::int64_t lost() const { return 0; }
  // To be called after the last read. IoError when a file behind the segments changed while it was read.
  virtual void check_unchanged() const {}
};

}  // namespace parsimap
