// The module _commands: the commands of the program, in this process.
#include <pybind11/stl.h>

#include "parsimap/app/train.hpp"
#include "parsimap/io/gdal/settings.hpp"
#include "parsimap/io/json/model_file.hpp"
#include "parsimap/io/json/records.hpp"

#include "cli/command_options.hpp"
#include "commands.hpp"
#include "errors.hpp"

namespace parsimap::python {
namespace {

namespace py = pybind11;

// The document of any command.
py::str run(const std::string& name, std::vector<std::string> words, InputNames names, py::object hear) {
  const Command& command = command_called(name);
  return run_command(command, {std::move(words), std::move(names), std::move(hear)}, command.run);
}

// The document, and the bytes of the model's file, which is written only where `write` says so: the words have a name
// for it in any case.
py::tuple train(std::vector<std::string> words, bool write, InputNames names, py::object hear) {
  std::string bytes;
  const py::str document = run_command(command_called("train"), {std::move(words), std::move(names), std::move(hear)},
                                       [&](const OptionValues& values, CommandListener& listener) {
                                         TrainOptions options = train_options(values, listener);
                                         if (!write) {
                                           options.model.clear();
                                         }
                                         const TrainResult result = train_scene(options, listener);
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
  module.def("run", &python::run, arg("command"), arg("words"), arg("names"), arg("hear"),
             "Runs a command with the words of a command line; its document as JSON.");
  module.def("train", &python::train, arg("words"), arg("write"), arg("names"), arg("hear"),
             "The document of `train`, and the content of the model's file, which is written only with `write`.");
}
