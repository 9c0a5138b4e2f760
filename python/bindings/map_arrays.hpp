// Maps in memory that become arrays of numpy without a copy.
#pragma once

#include <pybind11/numpy.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/mapping/map_layer.hpp"
#include "parsimap/scene/memory_scene.hpp"

namespace parsimap::python {

class MapInMemory {
 public:
  // `layers` are names of map_layers(). ConfigError: one of them is unknown.
  explicit MapInMemory(const std::vector<std::string>& layers);

  // The sinks of a map on this grid with these classes, which this keeps. To be called once.
  MapOutputs make(const RasterGrid& grid, const ClassTable& classes);

  // Under "map" the codes (rows x columns), under the names of layers their values (rows x columns x bands). Leaves
  // none here. The interpreter's lock must be held.
  pybind11::dict take_arrays();

 private:
  RasterGrid grid_;
  std::vector<const MapLayerDescription*> layers_;
  std::unique_ptr<MemoryClassMapSink> map_;
  std::map<std::string, MemoryFieldSink> sinks_;
};

}  // namespace parsimap::python
