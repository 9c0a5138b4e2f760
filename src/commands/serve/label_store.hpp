// The labels of a session: features by their names, and the document that they are to commands.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <string>

#include "parsimap/scene/raster.hpp"

namespace parsimap {

class LabelStore {
 public:
  // A request `labels` that the schema allows; pixels become points at their centres. ConfigError: a feature with
  // neither or both of a geometry and pixels, a geometry that is none of GeoJSON, one to be removed that does not
  // exist, a pixel outside the grid, a reference system that is unknown, or another one than that of features.
  void change(const nlohmann::ordered_json& request, const RasterGrid& grid);

  [[nodiscard]] bool empty() const { return features_.empty(); }
  [[nodiscard]] std::size_t size() const { return features_.size(); }
  // GeoJSON: features in the order of their names, with the field `class` and numbers from 1. Equal labels make equal
  // documents, whatever changes have led to them.
  [[nodiscard]] std::string document(const RasterGrid& grid) const;
  // The name of the feature of a number; empty where there is none.
  [[nodiscard]] std::string name(std::int64_t number) const;

 private:
  struct Feature {
    std::string class_name;
    std::string geometry;  // GeoJSON; as text it is copied sooner, and written once
  };
  std::map<std::string, Feature> features_;
  std::string crs_;  // of the geometries; empty: that of the scene
};

}  // namespace parsimap
