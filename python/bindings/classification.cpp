// The command `classify` with a map in memory.
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "parsimap/commands/map_scene.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/json/records.hpp"
#include "parsimap/scene/memory_scene.hpp"

#include "commands.hpp"
#include "map_arrays.hpp"

namespace parsimap::python {
namespace {

namespace py = pybind11;

void refuse_file_options(const MapOptions& options) {
  if (options.format.format || !options.format.creation_options.empty()) {
    throw ConfigError(std::string("--") + (options.format.format ? "of" : "co") +
                      " belongs to a map that is written to a file");
  }
}

// The document and the arrays, by the names of the layers and "map". No file is written.
py::tuple classify(py::dict options, py::dict arguments, const std::vector<std::string>& layers, InputNames names,
                   py::object hear) {
  MapInMemory made(layers);
  MapOptions values;
  CommandSyntax syntax = describe(values);
  syntax.common = job_options(values);
  const py::str document = run_work(
      syntax, {std::move(options), std::move(arguments), std::move(names), std::move(hear)}, {"MAP"},
      [&](CommandListener& listener) {
        refuse_file_options(values);
        const auto make = [&](const RasterGrid& grid, const ClassTable& classes) { return made.make(grid, classes); };
        listener.result(mapping_json(map_into(values, make, listener)));
      });
  return py::make_tuple(document, made.take_arrays());
}

}  // namespace

void add_classification(py::module_& module) {
  module.def(
      "classify", &classify, py::arg("options"), py::arg("arguments"), py::arg("layers"), py::arg("names"),
      py::arg("hear"),
      "The document of `classify`, and a dict of the map and the layers asked for as arrays. No file is written.");
}

}  // namespace parsimap::python
