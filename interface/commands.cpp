// The commands of the program, in this process.
#include <string>
#include <utility>
#include <vector>

#include "parsimap/commands/command.hpp"
#include "parsimap/commands/maps/classify.hpp"
#include "parsimap/commands/training/train.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/options/command_line.hpp"
#include "parsimap/report/mapping_report.hpp"
#include "parsimap/report/training_json.hpp"

#include "errors.hpp"
#include "map_arrays.hpp"
#include "settings.hpp"
#include "work.hpp"

namespace parsimap::interface {
namespace {

// Hands on what a command says from its thread, and keeps the document that it ends with.
class WorkListener final : public CommandListener {
 public:
  WorkListener(parsimap_work& work, const Settings& settings) : work_(work), settings_(settings) {}

  [[nodiscard]] bool json() const override { return true; }
  void deliver(const std::string& document) override { document_ = with_names(document); }
  void before_publication() override { work_.wait_until_heard(); }
  Progress progress(const std::string& stage) override { return work_.progress(stage); }
  void message(const std::string& text) override { work_.say(PARSIMAP_MESSAGE, with_names(text)); }
  void warning(const std::string& text) override { work_.say(PARSIMAP_WARNING, with_names(text)); }
  [[nodiscard]] std::string with_names(std::string text) const override {
    for (const auto& [path, name] : settings_.names) {
      for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path, at + name.size())) {
        text.replace(at, path.size(), name);
      }
    }
    return text;
  }

  [[nodiscard]] const std::string& document() const { return document_; }

 private:
  parsimap_work& work_;
  const Settings& settings_;
  std::string document_;
};

const Command& command_called(const std::string& name) {
  for (const Command& command : commands()) {
    if (command.name == name) {
      return command;
    }
  }
  throw ConfigError("there is no command '" + name + "'");
}

// Stores the values of the call through `syntax`, does the work and adds its document. What errors say has the names of
// the listener. Arguments in `may_be_missing` may be left out.
void run(parsimap_work& self, const Settings& settings, const CommandSyntax& syntax,
         const std::vector<std::string>& may_be_missing, const std::function<void(CommandListener&)>& work) {
  WorkListener listener(self, settings);
  try {
    store_checked(syntax, settings.values, may_be_missing);
    work(listener);
  } catch (const ConfigError& error) {
    throw ConfigError(listener.with_names(error.what()));
  } catch (const DataError& error) {
    throw DataError(listener.with_names(error.what()));
  } catch (const IoError& error) {
    throw IoError(listener.with_names(error.what()));
  }
  self.arrays["document"] = text_array(listener.document());
}

template <typename Options>
CommandSyntax syntax_of(Options& options) {
  CommandSyntax syntax = describe(options);
  syntax.common = job_options(options);
  return syntax;
}

void train(parsimap_work& self, const Settings& settings) {
  TrainOptions values;
  run(self, settings, syntax_of(values), {"MODEL"}, [&](CommandListener& listener) {
    TrainResult result = train_scene(values, listener);
    listener.result(training_json(result.model, result.record));
    self.model = std::make_unique<Model>(std::move(result.model));
  });
}

void refuse_file_options(const MapOptions& options) {
  if (options.format.format || !options.format.creation_options.empty()) {
    throw ConfigError(std::string("--") + (options.format.format ? "of" : "co") +
                      " belongs to a map that is written to a file");
  }
}

void classify(parsimap_work& self, Settings settings) {
  MapInMemory made(list_called(settings, "layers"));
  settings.values.options.erase("layers");
  MapOptions values;
  run(self, settings, syntax_of(values), {"MAP"}, [&](CommandListener& listener) {
    refuse_file_options(values);
    const auto make = [&](const RasterGrid& grid, const ClassTable& classes) { return made.make(grid, classes); };
    listener.result(mapping_json(map_into(values, make, listener)));
    made.take_arrays(self.arrays);
  });
}

}  // namespace
}  // namespace parsimap::interface

using namespace parsimap;

void parsimap_run(parsimap_work* work, const char* command, const parsimap_settings* settings) {
  work->start([&] {
    return [name = std::string(command), given = interface::copied(settings)](parsimap_work& self) {
      const CommandCall call = interface::command_called(name).call();
      interface::run(self, given, call.syntax, {}, call.run);
    };
  });
}

void parsimap_train_scene(parsimap_work* work, const parsimap_settings* settings) {
  work->start(
      [&] { return [given = interface::copied(settings)](parsimap_work& self) { interface::train(self, given); }; });
}

void parsimap_classify_scene(parsimap_work* work, const parsimap_settings* settings) {
  work->start(
      [&] { return [given = interface::copied(settings)](parsimap_work& self) { interface::classify(self, given); }; });
}
