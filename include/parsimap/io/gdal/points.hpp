// Pixels written as points at their centres, with fields: a CSV table (columns X and Y in front), or one layer in the
// vector format of the extension (.gpkg, .geojson ...).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "parsimap/scene/raster_grid.hpp"

namespace parsimap {

enum class PointFieldKind { integer, real, text };

struct PointField {
  std::string name;
  PointFieldKind kind = PointFieldKind::text;
};

// Of the field's kind; std::monostate for none.
using PointValue = std::variant<std::monostate, std::int64_t, double, std::string>;

class PointSink {
 public:
  virtual ~PointSink() = default;

  // The centre of the pixel row * width + column, with as many values as there are fields. Without a geotransform x
  // counts columns and y rows. Throws IoError, as do the others.
  virtual void add(std::int64_t pixel, const std::vector<PointValue>& values) = 0;
  // Everything is on disk afterwards, under a temporary name.
  virtual void close() = 0;
  // Puts the closed file in place.
  virtual void commit() = 0;
};

// ConfigError: as check_output() for the target, an extension of no vector format.
void check_points_target(const std::string& path, bool overwrite);

// Errors as check_points_target(), and IoError.
std::unique_ptr<PointSink> create_points(const std::string& path, const RasterGrid& grid,
                                         const std::vector<PointField>& fields, bool overwrite);

}  // namespace parsimap
