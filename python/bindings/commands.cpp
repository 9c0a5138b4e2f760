#include "commands.hpp"

#include "parsimap/core/error.hpp"

#include "cli/shared_options.hpp"
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

std::string JobListener::with_names(std::string text) const {
  for (const auto& [path, name] : names_) {
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path, at + name.size())) {
      text.replace(at, path.size(), name);
    }
  }
  return text;
}

const Command& command_called(const std::string& name) {
  for (const Command& command : commands()) {
    if (command.syntax.name == name) {
      return command;
    }
  }
  throw py::value_error("there is no command '" + name + "'");
}

py::str run_command(const Command& command, const CommandCall& call,
                    const std::function<void(const OptionValues&, CommandListener&)>& work) {
  Job job;
  JobListener listener(job, call.names);
  const auto body = [&] {
    with_named_errors(listener, [&] {
      const OptionValues values = parse_command_line(command.syntax, call.words);
      apply_settings(values);
      work(values, listener);
    });
  };
  job.run(body, [&](const Event& event) { call.hear(kind_name(event.kind), python_text(event.text), event.fraction); });
  return python_text(listener.document());
}

}  // namespace parsimap::python
