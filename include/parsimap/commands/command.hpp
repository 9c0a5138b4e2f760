// The commands of the program: their options, described once, and their work with them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "parsimap/commands/assess.hpp"
#include "parsimap/commands/experiments/experiment.hpp"
#include "parsimap/commands/inspect.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/commands/maps/classify.hpp"
#include "parsimap/commands/maps/merge.hpp"
#include "parsimap/commands/report.hpp"
#include "parsimap/commands/sample.hpp"
#include "parsimap/commands/serve/serve.hpp"
#include "parsimap/commands/simulate.hpp"
#include "parsimap/commands/suggest.hpp"
#include "parsimap/commands/training/train.hpp"
#include "parsimap/commands/verify.hpp"
#include "parsimap/options/option.hpp"

namespace parsimap {

// How a command shows what it does, which is no matter of the work.
struct ConsoleOptions {
  bool help = false;
  bool version = false;
  bool quiet = false;             // no progress and no messages
  bool json = false;              // results are JSON documents
  std::string progress = "auto";  // or "bar" or "json"
};

// The options that every command has, in the order of --help.
std::vector<OptionSyntax> common_options(ConsoleOptions& console, JobOptions& job);
// Those of the work alone, without the console's.
std::vector<OptionSyntax> job_options(JobOptions& job);

// The options of each command, described and bound to the fields of its struct, which must outlive the description.
CommandSyntax describe(TrainOptions& options);
CommandSyntax describe(MapOptions& options);  // of one scene
CommandSyntax describe(ClassifyOptions& options);
CommandSyntax describe(MergeOptions& options);
CommandSyntax describe(SampleOptions& options);
CommandSyntax describe(AssessOptions& options);
CommandSyntax describe(InspectOptions& options);
CommandSyntax describe(SuggestOptions& options);
CommandSyntax describe(ReportOptions& options);
CommandSyntax describe(ExperimentOptions& options);
CommandSyntax describe(SimulateOptions& options);
CommandSyntax describe(ServeOptions& options);
CommandSyntax describe(VerifyOptions& options);

// Who runs a command: is informed of what it does, and takes the document that it ends with.
class CommandListener : public Listener {
 public:
  // Whether results are to be JSON documents.
  [[nodiscard]] virtual bool json() const = 0;
  // The document a command ends with, to which the warnings are added if it is JSON. IoError when it cannot be
  // delivered.
  void result(const std::string& document);
  // The same of a part of what a session answers, as it is.
  void answer(const std::string& bytes) { deliver(bytes); }

 protected:
  virtual void deliver(const std::string& document) = 0;
};

// One call of a command: its options, to be stored through `syntax`, and its work with them.
struct CommandCall {
  CommandSyntax syntax;
  // Throws ConfigError, DataError, IoError.
  std::function<void(CommandListener&)> run;
  ConsoleOptions* console = nullptr;  // kept by `run`
};

struct Command {
  std::function<CommandCall()> call;
  std::string name;
  std::string summary;
  bool tool = false;  // CommandSyntax::tool
};

// All of them, in the order of --help.
const std::vector<Command>& commands();

// The command whose options are an `Options`, which describe() describes.
template <typename Options>
Command command_of(const std::function<void(const Options&, CommandListener&)>& run) {
  Command command;
  command.call = [run] {
    struct Values {
      Options options;
      ConsoleOptions console;
    };
    const auto values = std::make_shared<Values>();
    CommandCall call{describe(values->options),
                     [run, values](CommandListener& listener) { run(values->options, listener); }, &values->console};
    call.syntax.common = common_options(values->console, values->options);
    return call;
  };
  const CommandSyntax syntax = command.call().syntax;
  command.name = syntax.name;
  command.summary = syntax.summary;
  command.tool = syntax.tool;
  return command;
}

// Of work whose record is printed as a JSON document or as text.
template <typename Options, typename Record>
Command command_of(Record (*work)(const Options&, Listener&), std::string (*json)(const Record&),
                   std::string (*text)(const Record&)) {
  return command_of<Options>([=](const Options& options, CommandListener& listener) {
    const Record record = work(options, listener);
    listener.result(listener.json() ? json(record) : text(record));
  });
}

Command train_command();
Command classify_command();
Command merge_command();
Command sample_command();
Command assess_command();
Command inspect_command();
Command suggest_command();
Command report_command();
Command simulate_command();
Command serve_command();
Command run_command();
Command verify_command();
Command usage_command();

}  // namespace parsimap
