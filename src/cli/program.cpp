#include "program.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <new>
#include <optional>

#include "parsimap/commands/command.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/system.hpp"
#include "parsimap/options/command_line.hpp"

#include "console.hpp"

namespace parsimap {
namespace {

constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kWrongUsage = 2;
constexpr int kDataRefused = 3;
constexpr int kStopped = 128;  // and the number of the signal

std::string usage() {
  const auto widest = largest<std::size_t>(commands(), [](const Command& command) { return command.name.size(); });
  std::string text =
      "Usage: parsimap COMMAND ...\n\n"
      "Classifies many-band scenes with parsimonious Mahalanobis kernels.\n\nCommands:\n";
  for (const bool tool : {false, true}) {
    text += tool ? "\nTools for methods and scripts:\n" : "";
    for (const Command& command : commands()) {
      const std::string& name = command.name;
      if (command.tool == tool) {
        text += "  " + name + std::string(widest - name.size() + 2, ' ') + command.summary + "\n";
      }
    }
  }
  return text + "\n'parsimap COMMAND --help' describes a command, 'parsimap --version' prints the version.\n";
}

std::string version() {
  return std::string("parsimap ") + PARSIMAP_VERSION + "\ninstructions: " + instruction_set() +
         "\nGDAL: " PARSIMAP_GDAL_VERSION "\n";
}

const Command& find_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (command.name == name) {
      return command;
    }
    names.push_back(command.name);
  }
  if (!name.empty() && name.front() == '-') {
    throw ConfigError("option '" + name + "' comes before the command; write 'parsimap COMMAND " + name + "'");
  }
  const auto suggestion = closest(name, names);
  throw ConfigError("unknown command '" + name + "'" + (suggestion ? "; did you mean '" + *suggestion + "'?" : ""));
}

class Program {
 public:
  Program(std::ostream& out, std::ostream& err, bool terminal) : out_(out), err_(err), terminal_(terminal) {}

  int run(const std::vector<std::string>& arguments) {
    const auto progress = std::ranges::find(arguments, "--progress");
    json_messages_ = std::ranges::find(arguments, "--progress=json") != arguments.end() ||
                     (arguments.end() - progress > 1 && *std::next(progress) == "json");
    try {
      return dispatch(arguments);
      // Exit codes: 2 for wrong usage, 3 for refused data, 1 for everything else (docs/commands.md).
    } catch (const ConfigError& error) {
      return fail(error.what(), kWrongUsage);
    } catch (const DataError& error) {
      return fail(error.what(), kDataRefused);
    } catch (const std::bad_alloc&) {
      return fail("there is not enough memory", kFailed);
    } catch (const std::exception& error) {
      return fail(error.what(), kFailed);
    }
  }

 private:
  int dispatch(const std::vector<std::string>& arguments) {
    if (arguments.empty()) {
      err_ << usage();
      return kWrongUsage;
    }
    if (arguments.front() == "--help" || arguments.front() == "-h") {
      Console(out_, err_, {}, steady_seconds).result(usage());
      return kDone;
    }
    if (arguments.front() == "--version") {
      Console(out_, err_, {}, steady_seconds).result(version());
      return kDone;
    }
    const Command* command = nullptr;
    try {
      // An unknown command is answered with the list of commands, other wrong usage with a sentence only, which would
      // otherwise scroll out of sight.
      command = &find_command(arguments.front());
    } catch (const ConfigError& error) {
      fail(error.what(), kWrongUsage);
      err_ << (json_messages_ ? "" : '\n' + usage());
      return kWrongUsage;
    }
    run_command(*command, {arguments.begin() + 1, arguments.end()});
    return kDone;
  }

  void run_command(const Command& command, const std::vector<std::string>& arguments) {
    const CommandCall call = command.call();
    parse_command_line(call.syntax, arguments);
    // The console exists from here on: its style of progress is an option of the command. Who asks for help wants to
    // read it.
    const bool asked = call.console->help || call.console->version;
    console_.emplace(out_, err_, asked ? ConsoleMode{} : mode_of(*call.console), steady_seconds);
    // --help and --version end the command before any argument is missed: parse_command_line() does not require
    // arguments with them.
    if (call.console->help) {
      // Of a call that nothing was stored in, so that defaults are shown.
      const bool all = std::ranges::find(arguments, "all") != arguments.end();
      console_->result(help_text(command.call().syntax, all));
    } else if (call.console->version) {
      console_->result(version());
    } else {
      call.run(*console_);
      console_->finish_progress();
    }
  }

  [[nodiscard]] ConsoleMode mode_of(const ConsoleOptions& options) const {
    ConsoleMode mode{options.quiet, options.json};
    if (options.progress == "json") {
      mode.progress = ProgressStyle::json;
    } else if (options.progress == "bar" || terminal_) {
      // A bar is drawn by default on a terminal only; in log files it would be unreadable.
      mode.progress = ProgressStyle::bar;
    }
    return mode;
  }

  int fail(const std::string& sentence, int code) {
    // Whoever stops reading the output makes it fail, which is no request to stop.
    const int signal = code == kFailed && stopping_signal() != SIGPIPE ? stopping_signal() : 0;
    if (!console_) {
      ConsoleMode mode;
      mode.progress = json_messages_ ? ProgressStyle::json : ProgressStyle::none;
      console_.emplace(out_, err_, mode, steady_seconds);
    }
    console_->failed(signal != 0            ? "interrupted"
                     : code == kWrongUsage  ? "wrong-usage"
                     : code == kDataRefused ? "data-refused"
                                            : "failed",
                     sentence);
    return signal != 0 ? kStopped + signal : code;
  }

  std::ostream& out_;
  std::ostream& err_;
  bool terminal_;
  bool json_messages_ = false;  // as far as is known before the options are read
  std::optional<Console> console_;
};

}  // namespace

int run_program(int argc, char** argv) {
  return_large_blocks();
  watch_signals();
  watch_memory();
  return Program(std::cout, std::cerr, isatty(STDERR_FILENO) != 0).run({argv + 1, argv + argc});
}

int run_program(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err) {
  return Program(out, err, false).run(arguments);
}

}  // namespace parsimap
