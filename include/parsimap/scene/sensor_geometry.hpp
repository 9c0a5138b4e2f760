// A scene in the geometry of its sensor as the map shows it, with its labels.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// The lookup of a table whose first band is the column and whose second band is the row of a pixel of the scene, both
// counted from 1. A pixel of the map shows nothing where a band is 0 or has no value. A negative number means the pixel
// of the number without its sign, which fills a gap beside it. The scene has `width` x `height` pixels. DataError: the
// table does not have two bands, or its grid no geotransform.
std::unique_ptr<GeometryLookup> table_lookup(std::unique_ptr<SceneSource> table, Index width, Index height);

// Why such a table is not that of a scene of this size, as "its columns go up to ..."; empty where it may be. Rows of
// the table that are spread over it are read.
std::string lookup_misfit(SceneSource& table, Index width, Index height);

// Reads the map coordinates of the centres of a row of pixels; NaN where a pixel has none.
using ReadPositions = std::function<void(Index row, std::vector<double>& x, std::vector<double>& y)>;

// Control points of a scene of `width` x `height` pixels: a regular choice of at most 20 x 20 of them, the outermost
// included. Pixels without a position give none.
std::vector<ControlPoint> control_points(Index width, Index height, const ReadPositions& read);

// The scene as it is, with a lookup().
std::unique_ptr<SceneSource> scene_with_lookup(std::unique_ptr<SceneSource> scene,
                                               std::unique_ptr<GeometryLookup> lookup);

// The scene on the grid of the lookup: each pixel of the map has the spectrum of the pixel that it shows (nearest
// neighbour, nothing is mixed), NaN where it shows none. Name and bands are those of `scene`. What is read of the scene
// at once is bounded, however its pixels are turned on the map.
std::unique_ptr<SceneSource> orthorectify(std::unique_ptr<SceneSource> scene, std::unique_ptr<GeometryLookup> lookup);

// The labels of the pixels of a scene, from `labels` on the map grid of the lookup: a pixel of the scene has the label
// of the map's pixels that show it. Where these differ it is dropped and counted as conflicting; where they agree it
// belongs to the region of the first of them. Regions of which the map shows nothing count as outside, and classes keep
// their entries. DataError as the lookup's read(), and where no label is left.
LabelledPixels carry_labels(LabelledPixels labels, GeometryLookup& lookup);

// For each of these pixels of the scene, which ascend, the first pixel of the map that shows it, -1 where none does.
std::vector<std::int64_t> map_pixels(GeometryLookup& lookup, const std::vector<std::int64_t>& pixels);

}  // namespace parsimap
