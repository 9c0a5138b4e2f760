#include "stac_item.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "parsimap/commands/input_files.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/samples/class_colours.hpp"

#include "../command_pages.hpp"

namespace parsimap {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

static std::string extension_schema(const std::string& name, const std::string& version) {
  return "https://stac-extensions.github.io/" + name + "/v" + version + "/schema.json";
}

// Names of classes in the extension are of letters, digits, - and _; their titles are what people read.
static Json classes_json(const ClassTable& classes, const MappingRecord& record) {
  const std::vector<Colour> colours = class_colours(classes);
  Json all = Json::array({{{"value", 0}, {"name", "Unclassified"}, {"nodata", true}}});
  for (std::size_t c = 0; c < classes.size(); ++c) {
    std::string name = classes[c].name;
    std::ranges::replace_if(
        name, [](unsigned char letter) { return std::isalnum(letter) == 0 && letter != '-' && letter != '_'; }, '_');
    std::array<char, 7> hex{};
    std::snprintf(hex.data(), hex.size(), "%02X%02X%02X", colours[c][0], colours[c][1], colours[c][2]);
    all.push_back({{"value", classes[c].code},
                   {"name", name.empty() ? "class_" + std::to_string(classes[c].code) : name},
                   {"title", classes[c].name},
                   {"color_hint", hex.data()},
                   {"count", record.classes[c].pixels}});
  }
  return all;
}

// The part of a ring whose longitudes are at most 180, or else above, in those of the earth.
static Json part_of(const Matrix& ring, bool west) {
  const double shift = west ? 0 : -360;
  Json part = Json::array();
  for (Index i = 0; i + 1 < ring.rows(); ++i) {
    const double from = ring(i, 0);
    const double to = ring(i + 1, 0);
    if ((from <= 180) == west) {
      part.push_back({from + shift, ring(i, 1)});
    }
    if ((from <= 180) != (to <= 180)) {
      const double share = (180 - from) / (to - from);
      part.push_back({180 + shift, ring(i, 1) + share * (ring(i + 1, 1) - ring(i, 1))});
    }
  }
  part.push_back(Json(part.front()));
  return part;
}

// An outline in degrees, as GeoJSON wants it (RFC 7946): cut where it crosses the antimeridian, where the western end
// of its box is larger than the eastern one.
static void add_outline(Matrix ring, double middle, Json& item) {
  // Around a pole longitudes go once around: all of them, from the corner that is farthest from the pole.
  double around = 0;
  for (Index i = 0; i + 1 < ring.rows(); ++i) {
    around += std::remainder(ring(i + 1, 0) - ring(i, 0), 360);
  }
  if (std::abs(around) > 180) {
    const bool north = ring(0, 1) > 0;
    const double from = north ? ring.col(1).minCoeff() : -90;
    const double to = north ? 90 : ring.col(1).maxCoeff();
    ring.col(0) << -180, 180, 180, -180, -180;
    ring.col(1) << from, from, to, to, from;
    middle = 0;
  }
  // Longitudes jump at the antimeridian in what is transformed from another reference system.
  constexpr double kJump = 190;
  for (double& longitude : ring.col(0)) {
    longitude -= std::abs(longitude - middle) > kJump ? std::copysign(360, longitude - middle) : 0;
  }
  ring.col(0).array() -= 360 * std::floor((ring.col(0).minCoeff() + 180) / 360);
  const double east = ring.col(0).maxCoeff();
  const bool crosses = east > 180;
  const Json whole = Json::array({part_of(ring, true)});
  item["geometry"] = {{"type", crosses ? "MultiPolygon" : "Polygon"},
                      {"coordinates", crosses ? Json::array({whole, Json::array({part_of(ring, false)})}) : whole}};
  item["bbox"] = {ring.col(0).minCoeff(), ring.col(1).minCoeff(), crosses ? east - 360 : east, ring.col(1).maxCoeff()};
}

// Where the raster lies; without a reference system or a geotransform nowhere, which the standard calls null.
static void add_place(const RasterGrid& grid, Json& item) {
  Json& properties = item["properties"];
  properties["proj:shape"] = {grid.height, grid.width};
  item["geometry"] = nullptr;
  if (!grid.geotransform || grid.crs.empty()) {
    return;
  }
  const std::array<double, 6>& g = *grid.geotransform;
  properties["proj:transform"] = {g[1], g[2], g[0], g[4], g[5], g[3]};
  properties["proj:wkt2"] = grid.crs;
  const std::string title = grid_text(grid).crs;
  properties["proj:code"] = title.starts_with("EPSG:") ? Json(title.substr(0, title.find(' '))) : Json(nullptr);
  Matrix corners(6, 2);
  const auto [middle_x, middle_y] =
      map_point(grid, static_cast<double>(grid.width) / 2, static_cast<double>(grid.height) / 2);
  corners.row(5) << middle_x, middle_y;
  for (Index i = 0; i < 5; ++i) {
    // Counterclockwise from the lower left one, to which the outline comes back.
    const auto [x, y] = map_point(grid, i == 1 || i == 2 ? static_cast<double>(grid.width) : 0,
                                  i == 2 || i == 3 ? 0 : static_cast<double>(grid.height));
    corners.row(i) << x, y;
  }
  try {
    transform_points(grid.crs, crs_from_epsg(4326), corners);
  } catch (const DataError&) {
    return;  // a local system, which lies nowhere on the earth
  }
  add_outline(corners.topRows(5), corners(5, 0), item);
}

static Json asset_of(const StacRaster& raster, const std::string& href, const ClassTable& classes) {
  const int largest = std::ranges::max(mapped<int>(classes, &ClassEntry::code));
  Json asset = {{"href", href}, {"title", raster.role}};
  if (const std::string extension = fs::path(href).extension(); extension == ".tif" || extension == ".tiff") {
    asset["type"] = "image/tiff; application=geotiff";
  }
  asset["roles"] = {"data"};
  asset["raster:sampling"] = "area";
  asset["file:size"] = bytes_of_file(raster.path).value_or(0);
  // A multihash: 12 stands for SHA-256, and 20 for its length of 32 bytes.
  asset["file:checksum"] = "1220" + sha256_of_file(raster.path);
  asset["bands"] = Json::array();
  for (const std::string& band : raster.bands) {
    asset["bands"].push_back({{"name", band}, {"data_type", "float32"}, {"nodata", "nan"}});
  }
  if (raster.bands.empty()) {
    asset["bands"].push_back({{"data_type", largest > 255 ? "uint16" : "uint8"}, {"nodata", 0}});
  }
  return asset;
}

std::string stac_item(const std::string& target, const RasterGrid& grid, const ClassTable& classes,
                      const std::vector<StacRaster>& rasters, const MappingRecord& record) {
  const fs::path folder = fs::absolute(target).lexically_normal().parent_path();
  const auto relative = [&](const std::string& path) {
    return fs::absolute(path).lexically_normal().lexically_relative(folder).string();
  };
  Json item = {
      {"type", "Feature"},
      {"stac_version", "1.1.0"},
      {"stac_extensions",
       {extension_schema("projection", "2.0.0"), extension_schema("raster", "2.0.0"),
        extension_schema("classification", "2.0.0"), extension_schema("processing", "1.2.0"),
        extension_schema("file", "2.1.0")}},
      {"id", fs::path(record.map).stem().string()},
      {"properties",
       {{"datetime", page_date() + "T00:00:00Z"},
        {"processing:level", "L4"},
        {"processing:software", {{"parsimap", PARSIMAP_VERSION}}},
        {"processing:lineage", "classes of a scene by parsimap classify, regularisation " + record.regularisation}}}};
  add_place(grid, item);
  Json& assets = item["assets"] = Json::object();
  for (const StacRaster& raster : rasters) {
    assets[raster.role] = asset_of(raster, relative(raster.target), classes);
  }
  assets[rasters.front().role]["classification:classes"] = classes_json(classes, record);
  item["links"] = {{{"rel", "derived_from"}, {"href", relative(record.scene)}, {"title", "scene"}},
                   {{"rel", "derived_from"},
                    {"href", relative(record.model)},
                    {"title", "model"},
                    {"mlm:name", fs::path(record.model).stem().string()},
                    {"processing:level", "L4"},
                    {"file:checksum", "1220" + sha256_of_file(record.model)}}};
  return item.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace parsimap
