#include "commands.hpp"

#include <pybind11/stl.h>

#include "parsimap/core/error.hpp"
#include "parsimap/options/command_line.hpp"

#include "errors.hpp"

namespace parsimap::python {
namespace {

namespace py = pybind11;

// What the errors of `work` say has the names of the listener.
void with_named_errors(const CommandListener& listener, const std::function<void()>& work) {
  try {
    work();
  } catch (const ConfigError& error) {
    throw ConfigError(listener.with_names(error.what()));
  } catch (const DataError& error) {
    throw DataError(listener.with_names(error.what()));
  } catch (const IoError& error) {
    throw IoError(listener.with_names(error.what()));
  }
}

// ConfigError: the value does not fit into 64 bits.
std::int64_t integer_of(const std::string& name, const py::handle& value) {
  int overflow = 0;
  const long long integer = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (overflow != 0) {
    throw ConfigError("--" + name + " is " + py::str(value).cast<std::string>() +
                      "; a whole number must lie between -2^63 and 2^63");
  }
  return integer;
}

// TypeError: a value that no option can have.
OptionValue option_value(const std::string& name, const py::handle& value) {
  if (py::isinstance<py::bool_>(value)) {
    return value.cast<bool>();
  }
  if (py::isinstance<py::int_>(value)) {
    return integer_of(name, value);
  }
  if (py::isinstance<py::float_>(value)) {
    return value.cast<double>();
  }
  if (py::isinstance<py::list>(value)) {
    return value.cast<std::vector<std::string>>();
  }
  if (!py::isinstance<py::str>(value) && !py::isinstance<py::bytes>(value)) {
    throw py::type_error(name + " is of type " + py::str(py::type::of(value).attr("__name__")).cast<std::string>() +
                         "; it must be a number, a text or a sequence of texts");
  }
  return value.cast<std::string>();
}

GivenValues given_values(const PythonCall& call) {
  GivenValues values;
  for (const auto& [key, value] : call.options) {
    const auto name = key.cast<std::string>();
    values.options.emplace(name, option_value(name, value));
  }
  for (const auto& [name, value] : call.arguments) {
    values.arguments.emplace(name.cast<std::string>(), value.cast<std::string>());
  }
  return values;
}

const char* kind_name(Event::Kind kind) {
  switch (kind) {
    case Event::Kind::message:
      return "message";
    case Event::Kind::warning:
      return "warning";
    case Event::Kind::progress:
      break;
  }
  return "progress";
}

}  // namespace

std::string WorkListener::with_names(std::string text) const {
  for (const auto& [path, name] : names_) {
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path, at + name.size())) {
      text.replace(at, path.size(), name);
    }
  }
  return text;
}

const Command& command_called(const std::string& name) {
  for (const Command& command : commands()) {
    if (command.name == name) {
      return command;
    }
  }
  throw py::value_error("there is no command '" + name + "'");
}

py::str run_work(const CommandSyntax& syntax, const PythonCall& call, const std::vector<std::string>& may_be_missing,
                 const std::function<void(CommandListener&)>& work) {
  const GivenValues values = given_values(call);
  BackgroundWork background;
  WorkListener listener(background, call.names);
  const auto body = [&] {
    with_named_errors(listener, [&] {
      store_checked(syntax, values, may_be_missing);
      work(listener);
    });
  };
  background.run(
      body, [&](const Event& event) { call.hear(kind_name(event.kind), python_text(event.text), event.fraction); });
  return python_text(listener.document());
}

}  // namespace parsimap::python
