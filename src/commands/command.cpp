#include "parsimap/commands/command.hpp"

#include "parsimap/core/error.hpp"
#include "parsimap/options/usage.hpp"

#include "info.hpp"

namespace parsimap {
namespace {

struct UsageOptions : JobOptions {
  std::string format;
};

CommandSyntax describe(UsageOptions& options) {
  return {
      .name = "usage",
      .summary = "Print all commands and options for man, bash or a program",
      .details =
          "Prints all commands and options: as a manual page, as a script by which bash completes command\n"
          "lines, or as JSON for a program that calls this one.",
      .arguments = {{.name = "FORMAT",
                     .help = "man, bash or json",
                     .field = bound(options.format),
                     .choices = {"man", "bash", "json"}}},
      .tool = true,
  };
}

void run_usage(const UsageOptions& options, CommandListener& listener) {
  // Descriptions of options are bound to the fields of an options struct, from which they read their defaults. Each
  // call owns such a struct and must outlive its description.
  const auto calls = mapped<CommandCall>(commands(), [](const Command& command) { return command.call(); });
  const auto syntaxes = mapped<CommandSyntax>(calls, [](const CommandCall& call) { return call.syntax; });
  if (options.format == "json") {
    listener.result(usage_json(syntaxes));
  } else if (listener.json()) {
    throw ConfigError("--json is given, and FORMAT is '" + options.format + "'; it must be json");
  } else {
    listener.result(options.format == "man" ? manual_page(syntaxes) : bash_completion(syntaxes));
  }
}

}  // namespace

Command usage_command() { return command_of<UsageOptions>(run_usage); }

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {train_command(),  classify_command(), merge_command(),   sample_command(),
                                           assess_command(), inspect_command(),  suggest_command(), report_command(),
                                           info_command(),   simulate_command(), run_command(),     serve_command(),
                                           verify_command(), usage_command()};
  return all;
}

}  // namespace parsimap
