// Fields of an options struct as options see them: what kind of value they hold, how it is stored and read as text.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "parsimap/core/record_fields.hpp"

namespace parsimap {

enum class OptionKind {
  flag,     // without a value; true or false in an options file
  integer,  // a whole number in [least, most] of the option
  number,   // a real number in the range of the field
  text,
  list  // text, may be repeated; an array in an options file
};

using OptionValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;

// A value as the texts of which a command line would have one for each.
std::vector<std::string> value_texts(const OptionValue& value);

// The numbers above or from `least` to `most`.
struct NumberRange {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool above = false;  // `least` itself is not one
  [[nodiscard]] bool contains(double value) const;
  // "a number above 0 and at most 1", "a number of at least 0".
  [[nodiscard]] std::string text() const;
};

// Refers to the field: it must not outlive the options struct.
struct Field {
  OptionKind kind = OptionKind::flag;
  std::function<void(const OptionValue&)> store{};      // of the kind
  std::function<std::optional<OptionValue>()> value{};  // none: unset
  std::function<void(const std::string&)> check{};      // of a text or of each in a list; throws ConfigError
  NumberRange range{};                                  // of a number
  bool optional = true;                                 // it may be unset; otherwise it has a default
};

// A field whose values options hold as `Held`: parse() makes the one of the other, print() the other way round.
template <typename Held, typename Target, typename Parse, typename Print>
Field held_as(OptionKind kind, Target& target, Parse parse, Print print) {
  return {.kind = kind,
          .store = [&target, parse](const OptionValue& value) { target = parse(std::get<Held>(value)); },
          .value = [&target, print]() -> std::optional<OptionValue> {
            if constexpr (is_optional<Target>) {
              return target ? std::optional<OptionValue>(print(*target)) : std::nullopt;
            } else {
              return OptionValue(print(target));
            }
          },
          .optional = is_optional<Target>};
}

Field bound(bool& flag);
Field bound(std::string& text);  // empty: unset
Field bound(std::optional<std::string>& text);
Field bound(std::vector<std::string>& list, std::function<void(const std::string&)> check = {});
Field bound(std::optional<double>& number, const NumberRange& range);

template <std::integral T, typename Target>
Field whole_number(Target& target) {
  return held_as<std::int64_t>(
      OptionKind::integer, target, [](std::int64_t value) { return static_cast<T>(value); },
      [](T value) { return static_cast<std::int64_t>(value); });
}

template <std::integral T>
Field bound(T& number) {
  return whole_number<T>(number);
}

template <std::integral T>
Field bound(std::optional<T>& number) {
  return whole_number<T>(number);
}

// A field whose values have texts: parse(text) gives the value or throws ConfigError, print(value) the text, which is
// to_string() unless something else is said.
template <typename T, typename Parse, typename Print>
Field bound(T& field, Parse parse, Print print) {
  Field result = held_as<std::string>(OptionKind::text, field, parse, print);
  result.check = [parse](const std::string& text) { parse(text); };
  return result;
}

template <typename T, typename Parse>
requires(!std::same_as<T, std::vector<std::string>> && !std::same_as<T, std::optional<double>>) Field
    bound(T& field, Parse parse) {
  return bound(field, parse, [](const auto& value) { return to_string(value); });
}

// The options of a command, described once: each option is bound to the field that keeps its value. The command line,
// options files, help, the manual page, completion, dialogs and Python's parameters are made of these descriptions, and
// so are the settings that a model keeps, the settings that the parts of one map share, and the list of input files.

enum class FileContent { raster, vector, document, folder };

// Which file a value names.
struct FileSyntax {
  std::vector<FileContent> contents{};    // each is possible; none: the value is not the name of a file or folder
  bool written = false;                   // by the command; otherwise it is read
  std::vector<std::string> extensions{};  // the usual ones, the first before others, as in ".html"; none: any
};

// What an option changes.
enum class Effect {
  result,  // what is in the outputs
  run      // how the work is done, or which outputs there are: threads, memory, reports
};

struct OptionSyntax {
  std::string name{};  // long name without dashes
  char short_name = '\0';
  std::string value_name{};  // for --help, as in "NAME"; empty: as value_name() says
  std::string help{};        // one sentence
  Field field{};             // where its value is kept
  // Words that a text may be, or begin with where one ends in ':', as in "scree:". Of a field without a check they are
  // all it may be.
  std::vector<std::string> choices{};
  std::int64_t least = 0;  // of an integer
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  bool only_command_line = false;  // not a key of an options file
  std::string label{};             // for dialogs; empty: the name in words
  FileSyntax file{};
  // The files that a value names which is more than the name of a file; unset: the value, where `file` has contents.
  std::function<std::vector<std::string>()> files{};
  bool names_field = false;  // a field of the vector file that is among the arguments
  bool basic = false;        // dialogs and --help show it at once; others are folded away, or shown by --help all
  Effect effect = Effect::result;
  std::string former{};  // what replaces it, of a former name that still works but is not listed
  std::string group{};   // heading under which lists of many options show it
};

struct ArgumentSyntax {
  std::string name{};  // as in "SCENE"
  std::string help{};
  Field field{};
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
  std::vector<OptionSyntax> options{};  // of this command alone
  std::vector<OptionSyntax> common{};   // those that every command has
  bool tool = false;                    // for methods and scripts: overviews list it apart
};

// The options under a heading.
std::vector<OptionSyntax> grouped(const std::string& group, std::vector<OptionSyntax> options);
// The options without former names.
std::vector<OptionSyntax> listed(std::vector<OptionSyntax> options);
// All options of both lists, in their order.
std::vector<OptionSyntax> joined(std::vector<OptionSyntax> first, const std::vector<OptionSyntax>& second);
// The command's own options followed by the common ones.
std::vector<OptionSyntax> all_options(const CommandSyntax& syntax);

// The name of an option or argument in words, as in "Class field" of class-field and "Output folder" of OUTPUT_FOLDER.
std::string name_in_words(const std::string& name);
// What stands for the value of an option in --help: "FILE" or "DIR" for that of a file or folder, "N" for a whole
// number, unless the description says something else; empty for a flag.
std::string value_name(const OptionSyntax& option);
// The option's default value as text; empty without one. Of a description that no value was stored through.
std::string default_text(const OptionSyntax& option);

// The value that `text` stands for. ConfigError: "--threads is 'two'; it must be an integer of at least 0".
OptionValue parse_option_value(const OptionSyntax& option, const std::string& text);
// The same of a text that is `shown` so at the place `where`, such as a path into a document.
OptionValue parse_option_value(const OptionSyntax& option, const std::string& text, const std::string& where,
                               const std::string& shown);
// "an integer of at least 1", "an integer from 1 to 9", "one of red, blue", "a text".
std::string expectation(const OptionSyntax& option);
// Whether `text` is one of the option's choices, or it has none.
bool may_be(const OptionSyntax& option, const std::string& text);

// Values by the names of options, and of arguments.
struct GivenValues {
  std::map<std::string, OptionValue> options{};
  std::map<std::string, std::string> arguments{};
};

// Stores the values in the fields of the description. All names must be in it, and the values of the kind of their
// option. ConfigError: as the parsers of the fields, with the name of the option.
void store_values(const CommandSyntax& syntax, const GivenValues& values);

// Names and values of options that have a value, by name; a list gives one pair for each entry, a flag that is not set
// none. Only options for which `wanted` holds.
using Settings = std::vector<std::pair<std::string, std::string>>;
Settings settings_of(const std::vector<OptionSyntax>& options,
                     const std::function<bool(const OptionSyntax&)>& wanted = {});

// The command and its values as words of a command line, those of options before arguments; without former names.
std::vector<std::string> command_words(const CommandSyntax& syntax);

// A file that an argument or option names.
struct NamedFile {
  std::string role;  // "SCENE" or "--mask"
  std::string path;
  FileSyntax syntax = {};
};

// All files that the values of arguments and options name, read and written.
std::vector<NamedFile> named_files(const CommandSyntax& syntax);

// The candidate that a misspelt word most likely stands for; none where all differ by more than a third of its letters.
std::optional<std::string> closest(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace parsimap
