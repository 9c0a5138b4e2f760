// Maps in memory, which are handed out as arrays without a copy.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/mapping/map_layer.hpp"
#include "parsimap/parsimap.h"
#include "parsimap/scene/memory_scene.hpp"

namespace parsimap::interface {

class MapInMemory {
 public:
  // `layers` are names of map_layers(). ConfigError: one of them is unknown.
  explicit MapInMemory(const std::vector<std::string>& layers);

  // The sinks of a map on this grid with these classes, which this keeps. To be called once.
  MapOutputs make(const RasterGrid& grid, const ClassTable& classes);

  // Adds the codes (rows x columns) under "map", and under the names of layers their values (rows x columns x bands).
  // Leaves none here.
  void take_arrays(std::map<std::string, parsimap_array>& arrays);

 private:
  RasterGrid grid_;
  std::vector<const MapLayerDescription*> layers_;
  std::unique_ptr<MemoryClassMapSink> map_;
  std::map<std::string, MemoryFieldSink> sinks_;
};

}  // namespace parsimap::interface
