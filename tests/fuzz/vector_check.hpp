// Labels from a vector file, on a small grid in geographic coordinates.
#pragma once

#include <string>

#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/vector/labels.hpp"

#include "fuzz/scene_check.hpp"
#include "fuzz/target.hpp"

namespace parsimap::fuzz {

// Of classes by text, by number, with groups and in parts.
inline void check_vector_labels(const std::string& path) {
  static const RasterGrid grid = {16, 12, std::array<double, 6>{0, 1, 0, 12, 0, -1}, crs_from_epsg(4326)};
  const auto read = [&](const LabelOptions& options) {
    accepted([&] { check_labels(read_labels(path, options, grid, "scene"), grid); });
  };
  read({.class_field = "class", .where = {}, .group_field = "site"});
  read({.class_field = "code", .where = "code < 10", .separate_parts = true});
}

}  // namespace parsimap::fuzz
