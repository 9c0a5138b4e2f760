// The options of a command, declared once: the same list is parsed, printed by --help and `parsimap usage`, and gives
// the keys of --options-file.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace parsimap {

// The largest number that --threads takes.
inline constexpr std::int64_t kMostThreads = 1024;

enum class OptionKind {
  flag,     // without a value; true or false in an options file
  integer,  // a whole number in [least, most]
  text,
  list  // text, may be repeated; an array in an options file
};

enum class FileContent { raster, vector, document, folder };

// Which file a value names, for programs that offer the command line in their own way, such as a GIS with its dialogs.
struct FileSyntax {
  std::vector<FileContent> contents{};    // each is possible; none: the value is not the name of a file or folder
  bool written = false;                   // by the command; otherwise it is read
  std::vector<std::string> extensions{};  // the usual ones, the first before others, as in ".html"; none: any
};

struct OptionSyntax {
  std::string name{};  // long name without dashes
  char short_name = '\0';
  OptionKind kind = OptionKind::flag;
  std::string value_name{};     // for --help, as in "FILE"; empty for flags
  std::string help{};           // one sentence
  std::string default_value{};  // empty: unset
  // Words that a text may be, or begin with where one ends in ':', as in "scree:". Without a check they are all it may
  // be.
  std::vector<std::string> choices{};
  std::int64_t least = 0;
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::function<void(const std::string&)> check{};  // of a text or of each in a list; throws ConfigError
  bool only_command_line = false;                   // not a key of an options file
  std::string label{};                              // for dialogs; empty: the name in words
  FileSyntax file{};
  bool names_field = false;  // a field of the vector file that is among the arguments
  bool basic = false;        // dialogs show it at once and fold others away
};

struct ArgumentSyntax {
  std::string name{};  // as in "SCENE"
  std::string help{};
  std::vector<std::string> choices{};  // all that it may be; empty: the name of a file or folder
  FileSyntax file{};
  // Options any of which may say what the argument would: with one of them all such arguments may be left out together.
  std::vector<std::string> instead{};
};

struct CommandSyntax {
  std::string name{};
  std::string summary{};  // one line
  std::string details{};  // a paragraph for --help
  std::vector<ArgumentSyntax> arguments{};
  std::vector<OptionSyntax> options{};  // without the common ones
};

// The name of an option or argument in words, as in "Class field" of class-field and "Output folder" of OUTPUT_FOLDER.
std::string name_in_words(const std::string& name);

// The argument as usage shows it: in brackets where an option may stand in for it.
std::string argument_form(const ArgumentSyntax& argument);

// The options that every command has.
const std::vector<OptionSyntax>& common_options();
// The command's own options followed by the common ones.
std::vector<OptionSyntax> all_options(const CommandSyntax& syntax);

using OptionValue = std::variant<bool, std::int64_t, std::string, std::vector<std::string>>;

// Resolved values: command line before options file before defaults.
class OptionValues {
 public:
  // The argument or option must be one of the command's; `set` keeps a value that is there already.
  void set(const std::string& name, OptionValue value) { options_.emplace(name, std::move(value)); }
  void set_argument(const std::string& name, std::string value) { arguments_.emplace(name, std::move(value)); }

  // Whether the option was given or has a default.
  [[nodiscard]] bool has(const std::string& name) const { return options_.contains(name); }
  [[nodiscard]] bool flag(const std::string& name) const;
  [[nodiscard]] std::optional<std::int64_t> integer(const std::string& name) const;
  [[nodiscard]] std::optional<std::string> text(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> list(const std::string& name) const;
  [[nodiscard]] const std::string& argument(const std::string& name) const { return arguments_.at(name); }
  // False for an argument that an option stands in for.
  [[nodiscard]] bool has_argument(const std::string& name) const { return arguments_.contains(name); }
  // All options that have a value, as text; of a list, one pair per entry.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> as_text() const;

 private:
  std::map<std::string, OptionValue> options_;
  std::map<std::string, std::string> arguments_;
};

// The value that `text` stands for. ConfigError: "--threads is 'two'; it must be an integer of at least 0".
OptionValue parse_option_value(const OptionSyntax& option, const std::string& text);
// Whether `text` is one of the option's choices, or it has none.
bool may_be(const OptionSyntax& option, const std::string& text);
// "an integer of at least 1", "an integer from 1 to 9", "one of red, blue", "a text".
std::string expectation(const OptionSyntax& option);

// `arguments` are the words after the command's name. With --help or --version among them nothing else is required.
// ConfigError: unknown option, missing or surplus value or argument, a value out of range, and what an options file may
// throw (options_file.hpp).
OptionValues parse_command_line(const CommandSyntax& syntax, const std::vector<std::string>& arguments);

// The option's help with its default and whether it may be repeated.
std::string full_help(const OptionSyntax& option);
// The text of `parsimap COMMAND --help`.
std::string help_text(const CommandSyntax& syntax);

}  // namespace parsimap
