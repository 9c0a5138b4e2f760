// The tables that come with a scene in the sensor's own geometry: which of its pixels the map shows (a geometry lookup
// table, GLT), and where each of its pixels lies.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parsimap/scene/geometry_lookup.hpp"
#include "parsimap/scene/scene_source.hpp"

namespace parsimap {

// The lookup of a table whose first band is the column and whose second band is the row of a pixel of the scene, both
// counted from 1. A pixel of the map shows nothing where a band is 0 or has no value. A negative number means the pixel
// of the number without its sign, which fills a gap beside it. The scene has `width` x `height` pixels. DataError: the
// table does not have two bands, or its grid no geotransform.
std::unique_ptr<GeometryLookup> table_lookup(std::unique_ptr<SceneSource> table, Index width, Index height);

// Reads the map coordinates of the centres of a row of pixels; NaN where a pixel has none.
using ReadPositions = std::function<void(Index row, std::vector<double>& x, std::vector<double>& y)>;

// Control points of a scene of `width` x `height` pixels: a regular choice of at most 20 x 20 of them, the outermost
// included. Pixels without a position give none.
std::vector<ControlPoint> control_points(Index width, Index height, const ReadPositions& read);

}  // namespace parsimap
