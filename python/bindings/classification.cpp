// The command `classify` with a map in memory.
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "parsimap/app/map_scene.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/io/json/records.hpp"
#include "parsimap/scene/memory_scene.hpp"

#include "cli/command_options.hpp"
#include "commands.hpp"
#include "map_arrays.hpp"

namespace parsimap::python {
namespace {

namespace py = pybind11;

void refuse_shards(const OptionValues& values) {
  for (const char* option : {"shard", "of", "co"}) {
    if (values.has(option)) {
      throw ConfigError(std::string("--") + option + " belongs to a map that is written to a file");
    }
  }
}

// The document and the arrays, by the names of the layers and "map". The words have a name for the map, which is not
// written.
py::tuple classify(std::vector<std::string> words, const std::vector<std::string>& layers, InputNames names,
                   py::object hear) {
  MapInMemory made(layers);
  const py::str document = run_command(
      command_called("classify"), {std::move(words), std::move(names), std::move(hear)},
      [&](const OptionValues& values, CommandListener& listener) {
        refuse_shards(values);
        MapOptions options = classify_options(values, listener);
        options.map.clear();
        const auto make = [&](const RasterGrid& grid, const ClassTable& classes) { return made.make(grid, classes); };
        listener.result(mapping_json(map_into(options, make, listener)));
      });
  return py::make_tuple(document, made.take_arrays());
}

}  // namespace

void add_classification(py::module_& module) {
  module.def(
      "classify", &classify, py::arg("words"), py::arg("layers"), py::arg("names"), py::arg("hear"),
      "The document of `classify`, and a dict of the map and the layers asked for as arrays. No file is written.");
}

}  // namespace parsimap::python
