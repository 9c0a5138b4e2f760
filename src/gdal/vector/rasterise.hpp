// From the geometries of features to the pixels they own.
#pragma once

#include <ogr_geometry.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/scene/raster.hpp"

#include "../raster/dataset.hpp"

namespace parsimap {

// Throws where features of the file at `path` could not be read: IoError where the system failed, else DataError.
void check_features_read(const ErrorCollector& errors, const std::string& path);

// A geometry whose curves are made straight, brought to another reference system (null: it stays in its own). Null
// where there is none, where it lies outside of the domain of the projection, which is outside of every scene, and
// where its coordinates are no numbers that can be computed with.
std::unique_ptr<OGRGeometry> placed_geometry(std::unique_ptr<OGRGeometry> geometry,
                                             OGRCoordinateTransformation* transformation);

// The members of a collection, however nested; a geometry that is no collection is its only part.
std::vector<const OGRGeometry*> parts_of(const OGRGeometry& geometry);

// The envelope of a geometry without points adds nothing to others, and meets no grid.
OGREnvelope envelope_of(const OGRGeometry& geometry);

// "x 0 to 10, y 0 to 20"
std::string extent_text(const OGREnvelope& extent);

class Rasteriser {
 public:
  // A grid without geotransform has x = column and y = row. DataError, with the name of the raster: its pixels have no
  // area.
  explicit Rasteriser(const RasterGrid& grid, const std::string& name = "the scene");

  // The column and row of a place in the grid's CRS, without the noise of a reprojection: an edge through the centres
  // of pixels means the same in any CRS.
  [[nodiscard]] std::array<double, 2> place_of(double x, double y) const;

  // row * width + column of the pixels of a geometry in the grid's CRS; a pixel may come twice when parts overlap.
  // Memory is bounded by that of a fixed number of pixels and of those found.
  [[nodiscard]] std::vector<std::int64_t> pixels_of(const OGRGeometry& geometry) const;

  // True when the geometry's envelope meets the grid.
  [[nodiscard]] bool touches(const OGRGeometry& geometry) const;

  // x from, y from, x to, y to of the grid.
  [[nodiscard]] OGREnvelope extent() const;

  // Columns and rows of an envelope in the grid's CRS, clipped to the grid; empty when outside.
  [[nodiscard]] Window window_of(const OGREnvelope& envelope) const;

 private:
  [[nodiscard]] OGREnvelope surroundings() const;
  // Appends those of a line or polygon, which lie in `window`.
  void add_shape(const OGRGeometry& shape, const Window& window, std::vector<std::int64_t>& pixels) const;

  RasterGrid grid_;
  double inverse_[6];
};

// Shapes that reach far beyond a scene. GDAL walks along a line pixel by pixel and counts columns in 32 bits: it takes
// minutes for a line whose end is a mistake, and fills a polygon wrongly that reaches beyond the columns it can count.
// So such shapes are refused or cut first.

// Whether every coordinate is a number that can be computed with.
bool has_usable_coordinates(const OGRGeometry& geometry);

// The part of a line or polygon in the box, or near its edge where a polygon goes round it: drawn inside of the box
// they are the same. Null for a shape that needs no cutting, because it lies in the box or is of another kind.
std::unique_ptr<OGRGeometry> part_in_box(const OGRGeometry& shape, const OGREnvelope& box);

// Which of many numbered shapes owns each pixel of a grid, as runs of pixels: memory goes with the length of the
// outlines of the shapes and not with their areas.
class PixelRuns {
 public:
  // A shape by its number, larger than those before, and its pixels (row * width + column) in any order, each at least
  // once.
  void add(std::int64_t number, std::vector<std::int64_t> pixels);
  // To be called once after the last shape: a pixel of several shapes belongs to the one that was added first.
  void settle();

  [[nodiscard]] bool empty() const { return runs_.empty(); }
  // Pixels that shapes have lost to an earlier one, of all shapes together.
  [[nodiscard]] std::int64_t lost() const { return lost_; }
  // The smallest window around the pixels, in a grid of this width.
  [[nodiscard]] Window window(Index width) const;
  // Writes the number of the owner of each of the pixels first .. first + count - 1 that has one.
  void fill(std::int64_t first, Index count, std::int64_t* numbers) const;

 private:
  struct Run {
    std::int64_t begin;
    std::int64_t end;  // the pixel behind the last one
    std::int64_t number;
  };

  void append(std::vector<Run>& runs, const Run& run) const;

  std::vector<Run> runs_;
  std::int64_t lost_ = 0;
};

}  // namespace parsimap
