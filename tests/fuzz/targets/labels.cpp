// Labels of pixels: vector files and regions of interest of ENVI.
#include "parsimap/gdal/vector/labels.hpp"

#include <string>
#include <vector>

#include "parsimap/gdal/raster/georeference.hpp"

#include "fuzz/scene_check.hpp"
#include "fuzz/target.hpp"
#include "fuzz/virtual_files.hpp"

namespace parsimap::fuzz {
namespace {

// Labels from a vector file, on a small grid in geographic coordinates.
// Of classes by text, by number, with groups and in parts.
void check_vector_labels(const std::string& path) {
  static const RasterGrid grid = {16, 12, std::array<double, 6>{0, 1, 0, 12, 0, -1}, crs_from_epsg(4326)};
  const auto read = [&](const LabelOptions& options) {
    accepted([&] { check_labels(read_labels(path, options, grid, "scene"), grid); });
  };
  read({.class_field = "class", .where = {}, .group_field = "site"});
  read({.class_field = "code", .where = "code < 10", .separate_parts = true});
}

// ---- geojson ----

// Labels as GeoJSON.
void run_geojson(std::string_view input) {
  [[maybe_unused]] static const bool ready = keep_drivers({"GeoJSON", "MEM"});
  const VirtualFile file("/vsimem/labels.geojson", input);
  check_vector_labels(file.path());
}

// ---- geopackage ----

// Labels as GeoPackage.
void run_geopackage(std::string_view input) {
  [[maybe_unused]] static const bool ready = keep_drivers({"GPKG", "MEM"});
  const VirtualFile file("/vsimem/labels.gpkg", input);
  check_vector_labels(file.path());
}

// ---- envi_roi ----

// Regions of interest of ENVI, as XML and as exported text.

// Coordinate systems that are looked up would reach other files, and the network.
bool names_a_system_elsewhere(std::string_view text) { return text.find("://") != std::string_view::npos; }

void run_envi_roi(std::string_view input) {
  [[maybe_unused]] static const bool ready = keep_drivers({"MEM"});
  if (names_a_system_elsewhere(input)) {
    return;
  }
  const RasterGrid grid = {16, 12, std::array<double, 6>{0, 1, 0, 12, 0, -1}, crs_from_epsg(4326)};
  const VirtualFile file("/vsimem/regions", input);
  accepted([&] { check_labels(read_labels(file.path(), {}, grid, "scene"), grid); });
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {
      {"geojson", run_geojson, Encoding::json},
      {"geopackage", run_geopackage},
      {"envi_roi", run_envi_roi},
  };
  return all;
}

}  // namespace parsimap::fuzz
