#include "map_arrays.hpp"

#include <utility>

#include "parsimap/core/error.hpp"

namespace parsimap::python {
namespace {

namespace py = pybind11;

// An array of numpy that owns the values, without a copy.
template <typename Container, typename Scalar>
py::array owning_array(Container container, const Scalar* (*first)(const Container&), std::vector<py::ssize_t> shape) {
  auto kept = std::make_unique<Container>(std::move(container));
  const Scalar* const values = first(*kept);
  const py::capsule owner(kept.release(), [](void* pointer) { delete static_cast<Container*>(pointer); });
  return py::array_t<Scalar>(std::move(shape), values, owner);
}

py::array map_array(MemoryClassMapSink& sink, const RasterGrid& grid) {
  using Codes = std::vector<std::uint16_t>;
  return owning_array<Codes, std::uint16_t>(sink.take_codes(), [](const Codes& codes) { return codes.data(); },
                                            {grid.height, grid.width});
}

py::array layer_array(MemoryFieldSink& sink, const RasterGrid& grid) {
  Spectra values = sink.take_values();
  const Index bands = values.cols();
  return owning_array<Spectra, float>(std::move(values), [](const Spectra& kept) { return kept.data(); },
                                      {grid.height, grid.width, bands});
}

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

py::dict MapInMemory::take_arrays() {
  py::dict arrays;
  arrays["map"] = map_array(*map_, grid_);
  for (auto& [name, sink] : sinks_) {
    arrays[py::str(name)] = layer_array(sink, grid_);
  }
  return arrays;
}

}  // namespace parsimap::python
