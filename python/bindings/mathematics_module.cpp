// The module _mathematics, which needs no file but those of models, and its maps of scenes that are arrays.
#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/mapping/map_layer.hpp"
#include "parsimap/mapping/model_scene.hpp"
#include "parsimap/samples/band.hpp"
#include "parsimap/scene/memory_scene.hpp"

#include "arrays.hpp"
#include "background_work.hpp"
#include "errors.hpp"
#include "map_arrays.hpp"
#include "trained_model.hpp"

namespace parsimap::python {
namespace {

namespace py = pybind11;

// Without a rule: as the model asks for.
void set_rule(const TrainedModel& self, const std::optional<std::string>& rule, MappingOptions& options) {
  set_regularisation(self.model(), rule ? std::optional(parse_regularisation(*rule)) : std::nullopt, options);
}

Index reach(const TrainedModel& self, const std::optional<std::string>& rule, std::optional<double> pixel_metres) {
  MappingOptions options;
  set_rule(self, rule, options);
  return map_reach(self.model(), options.regularisation, pixel_metres);
}

py::dict classify(const TrainedModel& self, py::array scene, const std::array<int, 3>& order, const BandNames& bands,
                  std::optional<double> nodata, const std::vector<std::string>& layers,
                  const std::optional<std::string>& regularise, std::optional<double> reject,
                  std::optional<double> reject_novelty, std::optional<double> pixel_metres, int threads,
                  const py::object& progress) {
  const SceneArray array = scene_array(scene, order);
  RasterGrid grid;
  grid.height = scene.shape(order[0]);
  grid.width = scene.shape(order[1]);
  // The bands of an array without names are those of the model, in their order.
  BandTable table = band_table(bands, scene.shape(order[2]));
  if (bands.empty() && static_cast<Index>(table.size()) == self.model().scene_bands) {
    table = bands_by_place(table, self.model());
  }
  ArrayScene source("the scene", grid, std::move(table), array, nodata);
  MappingOptions options;
  options.threads = checked_threads(threads);
  options.reject = reject;
  options.reject_novelty = reject_novelty;
  set_rule(self, regularise, options);
  options.pixel_metres = pixel_metres;
  MapInMemory made(layers);
  const MapOutputs outputs = made.make(grid, self.model().classes);
  run_with_progress(progress,
                    [&](const Progress& report) { classify_scene(source, self.model(), outputs, options, report); });
  return made.take_arrays();
}

}  // namespace

void add_mapping(py::module_& module) {
  module.def("classify", &classify, py::arg("model"), py::arg("scene"), py::arg("order"), py::arg("bands"),
             py::arg("nodata"), py::arg("layers"), py::arg("regularise"), py::arg("reject"), py::arg("reject_novelty"),
             py::arg("pixel_metres"), py::arg("threads") = 0, py::arg("progress") = py::none(),
             "The class codes of an array of three dimensions and the layers asked for; `order` are its dimensions of "
             "rows, columns and bands.");
  module.def("map_reach", &reach, py::arg("model"), py::arg("regularise"), py::arg("pixel_metres"),
             "Pixels around one that have a say in its label.");
  module.def("wavelength_nanometres", &wavelength_nanometres, py::arg("value"), py::arg("unit"),
             "A wavelength in nanometres, or None where the unit is not one of lengths.");
}

}  // namespace parsimap::python

PYBIND11_MODULE(_mathematics, module) {
  module.doc() = "Training and prediction on arrays. Use the package parsimap, which this is a part of.";
  module.attr("__version__") = PARSIMAP_VERSION;
  parsimap::python::check_numpy();
  parsimap::python::translate_errors();
  parsimap::python::add_model(module);
  parsimap::python::add_training(module);
  parsimap::python::add_mapping(module);
}
