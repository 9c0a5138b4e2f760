// A file of options, as --options-file reads it, with the options of every command.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "parsimap/commands/command.hpp"
#include "parsimap/options/command_line.hpp"

#include "fuzz/document_mutator.hpp"
#include "fuzz/target.hpp"

PARSIMAP_FUZZ_DOCUMENTS(json)

namespace parsimap::fuzz {
namespace {

// Those of all commands; where several have an option of one name, that of the first.
std::vector<OptionSyntax> all_commands_options() {
  std::vector<OptionSyntax> all;
  std::set<std::string> names;
  static std::vector<CommandCall> calls;  // the options refer to their fields
  for (const Command& command : commands()) {
    calls.push_back(command.call());
    for (const OptionSyntax& option : all_options(calls.back().syntax)) {
      if (names.insert(option.name).second) {
        all.push_back(option);
      }
    }
  }
  return all;
}

// What a file sets, the command line can set as well.
void check(const OptionSyntax& option, const OptionValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    require(parse_option_value(option, std::to_string(*number)) == value, "a number is in its range");
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    require(parse_option_value(option, *text) == value, "a text is one that may be");
  } else {
    const OptionKind kind = option.field.kind;
    const std::size_t index = kind == OptionKind::list ? 4U : kind == OptionKind::number ? 2U : 0U;
    require(value.index() == index, "a value is of the option's kind");
  }
}

}  // namespace

void run_input(std::string_view input) {
  static const std::vector<OptionSyntax> options = all_commands_options();
  static MemoryFile file;
  std::map<std::string, OptionValue> values;
  if (!accepted([&] { values = read_options_file(file.hold(input), options); })) {
    return;
  }
  for (const OptionSyntax& option : options) {
    if (const auto found = values.find(option.name); found != values.end()) {
      check(option, found->second);
    }
  }
}

}  // namespace parsimap::fuzz
