#include "map_arrays.hpp"

#include "parsimap/core/error.hpp"

#include "arrays.hpp"

namespace parsimap::interface {
namespace {

const MapLayerDescription& layer_called(const std::string& name) {
  std::string known;
  for (const MapLayerDescription& layer : map_layers()) {
    if (layer.option == name) {
      return layer;
    }
    known += (known.empty() ? "" : ", ") + layer.option;
  }
  throw ConfigError("layer '" + name + "' is unknown; it must be one of " + known);
}

}  // namespace

MapInMemory::MapInMemory(const std::vector<std::string>& layers) {
  for (const std::string& name : layers) {
    layers_.push_back(&layer_called(name));
  }
}

MapOutputs MapInMemory::make(const RasterGrid& grid, const ClassTable& classes) {
  grid_ = grid;
  map_ = std::make_unique<MemoryClassMapSink>(grid);
  MapOutputs outputs{map_.get(), {}};
  for (const MapLayerDescription* layer : layers_) {
    const auto bands = static_cast<Index>(layer->bands(classes).size());
    outputs.layers[layer->layer] = &sinks_.try_emplace(layer->option, grid, bands).first->second;
  }
  return outputs;
}

void MapInMemory::take_arrays(std::map<std::string, parsimap_array>& arrays) {
  const auto first = [](const auto& values) { return values.data(); };
  arrays["map"] = owned_array(map_->take_codes(), PARSIMAP_UINT16, {grid_.height, grid_.width}, first);
  for (auto& [name, sink] : sinks_) {
    Spectra values = sink.take_values();
    const Index bands = values.cols();
    arrays[name] = owned_array(std::move(values), PARSIMAP_FLOAT32, {grid_.height, grid_.width, bands}, first);
  }
}

}  // namespace parsimap::interface
