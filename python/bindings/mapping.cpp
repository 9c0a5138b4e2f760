// Maps of scenes that are arrays.
#include <pybind11/stl.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/scene/array_scene.hpp"
#include "parsimap/scene/memory_scene.hpp"

#include "arrays.hpp"
#include "job.hpp"
#include "trained_model.hpp"

namespace parsimap::python {
namespace {

namespace py = pybind11;

using BandNames = std::vector<std::pair<std::string, std::optional<double>>>;  // name and wavelength, nanometres

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

BandTable band_table(const BandNames& names, Index count) {
  if (!names.empty() && static_cast<Index>(names.size()) != count) {
    throw py::value_error("bands must be one for every band of the scene");
  }
  BandTable bands(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < names.size(); ++k) {
    bands[k].name = names[k].first;
    bands[k].wavelength = names[k].second;
  }
  return bands;
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

py::dict classify(const TrainedModel& self, py::array scene, const std::array<int, 3>& order, const BandNames& bands,
                  std::optional<double> nodata, const std::vector<std::string>& layers, const std::string& regularise,
                  std::optional<double> reject, std::optional<double> reject_novelty,
                  std::optional<double> pixel_metres, int threads, const py::object& progress) {
  const SceneArray array = scene_array(scene, order);
  RasterGrid grid;
  grid.height = scene.shape(order[0]);
  grid.width = scene.shape(order[1]);
  ArrayScene source("the scene", grid, band_table(bands, scene.shape(order[2])), array, nodata);
  MappingOptions options;
  options.threads = checked_threads(threads);
  options.reject = reject;
  options.reject_novelty = reject_novelty;
  options.regularisation = parse_regularisation(regularise);
  options.pixel_metres = pixel_metres;
  MemoryClassMapSink map(grid);
  std::map<std::string, MemoryFieldSink> sinks;
  MapOutputs outputs{&map, {}};
  for (const std::string& name : layers) {
    const MapLayerDescription& layer = layer_called(name);
    const auto count = static_cast<Index>(layer.bands(self.model().classes).size());
    outputs.layers[layer.layer] = &sinks.try_emplace(name, grid, count).first->second;
  }
  MappingSummary summary;
  run_with_progress(
      progress, [&](const Progress& told) { summary = classify_scene(source, self.model(), outputs, options, told); });
  py::dict result;
  result["map"] = map_array(map, grid);
  for (auto& [name, sink] : sinks) {
    result[py::str(name)] = layer_array(sink, grid);
  }
  result["regularisation"] = to_string(summary.regularisation);
  return result;
}

}  // namespace

void add_mapping(py::module_& module) {
  module.def("classify", &classify, py::arg("model"), py::arg("scene"), py::arg("order"), py::arg("bands"),
             py::arg("nodata"), py::arg("layers"), py::arg("regularise"), py::arg("reject"), py::arg("reject_novelty"),
             py::arg("pixel_metres"), py::arg("threads") = 0, py::arg("progress") = py::none(),
             "The class codes of an array of three dimensions and the layers asked for; `order` are its dimensions of "
             "rows, columns and bands.");
}

}  // namespace parsimap::python
