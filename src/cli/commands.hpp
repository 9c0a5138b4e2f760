// The commands of the program.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "command_line.hpp"
#include "command_listener.hpp"

namespace parsimap {

struct Command {
  CommandSyntax syntax;
  // Runs with values that parse_command_line() gave for `syntax`. Throws ConfigError, DataError, IoError.
  void (*run)(const OptionValues& values, CommandListener& listener);
};

Command train_command();
Command classify_command();
Command merge_command();
Command assess_command();
Command inspect_command();
Command suggest_command();
Command report_command();
Command info_command();
Command simulate_command();
Command run_command();
Command usage_command();

// All of them, in the order of --help.
const std::vector<Command>& commands();

}  // namespace parsimap
