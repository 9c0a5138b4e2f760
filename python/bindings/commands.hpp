// The parts of the module _commands.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/commands/command.hpp"

#include "background_work.hpp"

namespace parsimap::python {

// Paths that mean nothing to a user, and what to call them in texts.
using InputNames = std::vector<std::pair<std::string, std::string>>;

// Hands on what a command says from the background, and keeps the document that it ends with.
class WorkListener final : public CommandListener {
 public:
  WorkListener(BackgroundWork& background, InputNames names) : background_(background), names_(std::move(names)) {}

  [[nodiscard]] bool json() const override { return true; }
  void deliver(const std::string& document) override { document_ = with_names(document); }
  Progress progress(const std::string& stage) override { return background_.progress(stage); }
  void message(const std::string& text) override { background_.say(Event::Kind::message, with_names(text)); }
  void warning(const std::string& text) override { background_.say(Event::Kind::warning, with_names(text)); }
  [[nodiscard]] std::string with_names(std::string text) const override;

  [[nodiscard]] const std::string& document() const { return document_; }

 private:
  BackgroundWork& background_;
  InputNames names_;
  std::string document_;
};

// A call of a command from Python.
struct PythonCall {
  pybind11::dict options;    // by their long names: bool, int, float, str, bytes, or a list of the latter
  pybind11::dict arguments;  // by their names, as "SCENE"
  InputNames names;
  pybind11::object hear;  // called with kind, text and fraction of every Event
};

// Stores the values of the call through `syntax`, and runs `work` in the background. Arguments in `may_be_missing` may
// be left out. Errors as store_checked() and those of the work, with names. Returns the document that the work has
// given to its listener.
pybind11::str run_work(const CommandSyntax& syntax, const PythonCall& call,
                       const std::vector<std::string>& may_be_missing,
                       const std::function<void(CommandListener&)>& work);

// The command of that name; ValueError where there is none.
const Command& command_called(const std::string& name);

// ArrayFile: an array under the name of a file.
void add_array_files(pybind11::module_& module);

}  // namespace parsimap::python
