// The module _commands: the commands of the program, in this process.
#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "parsimap/commands/maps/classify.hpp"
#include "parsimap/commands/training/train.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/report/mapping_report.hpp"
#include "parsimap/report/training_json.hpp"
#include "parsimap/report/training_report.hpp"
#include "parsimap/scene/memory_scene.hpp"

#include "arrays.hpp"
#include "commands.hpp"
#include "errors.hpp"
#include "map_arrays.hpp"

namespace parsimap::python {
namespace {

namespace py = pybind11;

// The document of any command.
py::str run(const std::string& name, py::dict options, py::dict arguments, InputNames names, py::object hear) {
  const CommandCall call = command_called(name).call();
  return run_work(call.syntax, {std::move(options), std::move(arguments), std::move(names), std::move(hear)}, {},
                  call.run);
}

// The document, and the bytes of the model's file, which is written only where the arguments name it.
py::tuple train(py::dict options, py::dict arguments, InputNames names, py::object hear) {
  std::string bytes;
  TrainOptions values;
  CommandSyntax syntax = describe(values);
  syntax.common = job_options(values);
  const py::str document =
      run_work(syntax, {std::move(options), std::move(arguments), std::move(names), std::move(hear)}, {"MODEL"},
               [&](CommandListener& listener) {
                 const TrainResult result = train_scene(values, listener);
                 bytes = model_bytes(result.model);
                 listener.result(training_json(result.model, result.record));
               });
  return py::make_tuple(document, py::bytes(bytes));
}

void refuse_file_options(const MapOptions& options) {
  if (options.format.format || !options.format.creation_options.empty()) {
    throw ConfigError(std::string("--") + (options.format.format ? "of" : "co") +
                      " belongs to a map that is written to a file");
  }
}

// The command `classify` with a map in memory: the document and the arrays, by the names of the layers and "map". No
// file is written.
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
}  // namespace parsimap::python

PYBIND11_MODULE(_commands, module) {
  namespace python = parsimap::python;
  using pybind11::arg;
  python::check_numpy();
  parsimap::initialise_gdal();
  module.doc() = "The commands of the program. Use the package parsimap, which this is a part of.";
  python::translate_errors();
  python::add_array_files(module);
  module.def("run", &python::run, arg("command"), arg("options"), arg("arguments"), arg("names"), arg("hear"),
             "Runs a command with options and arguments by their names; its document as JSON.");
  module.def("train", &python::train, arg("options"), arg("arguments"), arg("names"), arg("hear"),
             "The document of `train`, and the content of the model's file, which is written only if MODEL is given.");
  module.def(
      "classify", &python::classify, arg("options"), arg("arguments"), arg("layers"), arg("names"), arg("hear"),
      "The document of `classify`, and a dict of the map and the layers asked for as arrays. No file is written.");
}
