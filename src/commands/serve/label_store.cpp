#include "label_store.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/json/json_text.hpp"

namespace parsimap {

using Json = nlohmann::ordered_json;

// GDAL reads what is no geometry as a feature without one.
static void check_geometry(const Json& geometry, const std::string& name) {
  static const std::vector<std::string> kinds = {"Point",           "MultiPoint",   "LineString",
                                                 "MultiLineString", "MultiPolygon", "Polygon"};
  const std::string type = geometry.contains("type") && geometry["type"].is_string() ? geometry["type"] : Json("");
  if (std::ranges::find(kinds, type) == kinds.end() || !geometry.contains("coordinates") ||
      !geometry["coordinates"].is_array() || geometry["coordinates"].empty()) {
    throw ConfigError("the geometry of feature '" + name + "' has the type '" + type + "'; it must be one of " +
                      separated(kinds, ", ") + " with coordinates");
  }
}

static Json points_of(const Json& pixels, const RasterGrid& grid, const std::string& name) {
  Json points = Json::array();
  for (const Json& pixel : pixels) {
    const auto column = pixel[0].get<std::int64_t>();
    const auto row = pixel[1].get<std::int64_t>();
    if (column >= grid.width || row >= grid.height) {
      throw ConfigError("feature '" + name + "' has the pixel at column " + std::to_string(column) + ", row " +
                        std::to_string(row) + ", and the scene has " + std::to_string(grid.width) + " columns and " +
                        std::to_string(grid.height) + " rows");
    }
    const auto [x, y] = map_point(grid, static_cast<double>(column) + 0.5, static_cast<double>(row) + 0.5);
    points.push_back({x, y});
  }
  return {{"type", "MultiPoint"}, {"coordinates", std::move(points)}};
}

void LabelStore::change(const Json& request, const RasterGrid& grid) {
  if (request.value("clear", false)) {
    *this = {};
  }
  for (const std::string name : request.value("remove", Json::array())) {
    if (features_.erase(name) == 0) {
      throw ConfigError("feature '" + name + "' is to be removed, and there is none of that name");
    }
  }
  if (const std::string crs = request.value("crs", crs_); crs != crs_) {
    if (!features_.empty()) {
      throw ConfigError("crs is another one than that of the features; it may change while there are none");
    }
    if (!crs.empty() && crs_from_text(crs).empty()) {
      throw ConfigError("crs is '" + crs + "', which is no known reference system; such as EPSG:4326, or WKT");
    }
    crs_ = crs;
  }
  for (const Json& feature : request.value("set", Json::array())) {
    const std::string name = feature.at("feature");
    if (feature.contains("geometry") == feature.contains("pixels")) {
      throw ConfigError("feature '" + name + "' must have either a geometry or pixels");
    }
    if (feature.contains("pixels") && !crs_.empty()) {
      throw ConfigError("feature '" + name + "' has pixels of the scene, and the labels are in a crs of their own");
    }
    if (feature.contains("geometry")) {
      check_geometry(feature["geometry"], name);
    }
    const bool is_list = feature.contains("pixels");
    features_[name] = {feature.at("class"),
                       line_of(is_list ? points_of(feature["pixels"], grid, name) : feature["geometry"])};
  }
}

// The text of an object to its last brace, which is missing, with a further member.
static std::string with_member(const Json& object, const std::string& name, const std::string& value) {
  std::string text = line_of(object);
  text.pop_back();
  return text + ",\"" + name + "\":" + value;
}

std::string LabelStore::document(const RasterGrid& grid) const {
  // GDAL reads this member, which RFC 7946 has dropped, as EPSG codes and WKT; null leaves the place unknown, as it is
  // of a scene without a reference system.
  const std::string& crs = crs_.empty() ? grid.crs : crs_;
  Json document = {{"type", "FeatureCollection"}, {"name", "labels"}, {"crs", nullptr}};
  if (!crs.empty()) {
    document["crs"] = {{"type", "name"}, {"properties", {{"name", crs}}}};
  }
  std::string text = with_member(document, "features", "[");
  for (std::int64_t number = 0; const auto& [name, feature] : features_) {
    const Json rest = {
        {"type", "Feature"}, {"id", ++number}, {"properties", {{"class", feature.class_name}, {"feature", name}}}};
    text += (number > 1 ? "," : "") + with_member(rest, "geometry", feature.geometry) + "}";
  }
  return text + "]}\n";
}

std::string LabelStore::name(std::int64_t number) const {
  const bool known = number > 0 && number <= static_cast<std::int64_t>(features_.size());
  return known ? std::next(features_.begin(), number - 1)->first : "";
}

}  // namespace parsimap
