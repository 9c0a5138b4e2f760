// The module _commands: the commands of the program, in this process.
#include <pybind11/stl.h>

#include "parsimap/commands/train.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/json/records.hpp"

#include "commands.hpp"
#include "errors.hpp"

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

}  // namespace
}  // namespace parsimap::python

PYBIND11_MODULE(_commands, module) {
  namespace python = parsimap::python;
  using pybind11::arg;
  parsimap::initialise_gdal();
  module.doc() = "The commands of the program. Use the package parsimap, which this is a part of.";
  python::translate_errors();
  python::add_array_files(module);
  python::add_classification(module);
  module.def("run", &python::run, arg("command"), arg("options"), arg("arguments"), arg("names"), arg("hear"),
             "Runs a command with options and arguments by their names; its document as JSON.");
  module.def("train", &python::train, arg("options"), arg("arguments"), arg("names"), arg("hear"),
             "The document of `train`, and the content of the model's file, which is written only if MODEL is given.");
}
