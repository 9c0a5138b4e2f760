#include <string>
#include <vector>

#include "parsimap/core/error.hpp"

#include "bash_completion.hpp"
#include "commands.hpp"
#include "manual_page.hpp"
#include "usage_json.hpp"

namespace parsimap {
namespace {

CommandSyntax usage_syntax() {
  return {
      .name = "usage",
      .summary = "Print all commands and options for man, bash or a program",
      .details =
          "Prints all commands and options: as a manual page, as a script by which bash completes command\n"
          "lines, or as JSON for a program that calls this one.",
      .arguments = {{"FORMAT", "man, bash or json", {"man", "bash", "json"}}},
      .options = {},
  };
}

void run_usage(const OptionValues& values, CommandListener& listener) {
  std::vector<CommandSyntax> syntaxes;
  for (const Command& command : commands()) {
    syntaxes.push_back(command.syntax);
  }
  const std::string& format = values.argument("FORMAT");
  if (format == "json") {
    listener.result(usage_json(syntaxes));
  } else if (listener.json()) {
    throw ConfigError("--json is given, and FORMAT is '" + format + "'; it must be json");
  } else {
    listener.result(format == "man" ? manual_page(syntaxes) : bash_completion(syntaxes));
  }
}

}  // namespace

Command usage_command() { return {usage_syntax(), run_usage}; }

}  // namespace parsimap
