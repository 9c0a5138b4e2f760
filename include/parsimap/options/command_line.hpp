// Words of a command line and keys of an options file as the values of a command's options.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/options/option.hpp"

namespace parsimap {

// Stores what `words`, those after the command's name, say: the command line before the options file before the
// defaults, which the fields hold already. With --help or --version among the words nothing but the common options of
// the console is stored, and nothing else is required.
// ConfigError: unknown option, missing or surplus value or argument, a value out of range, and as read_options_file().
void parse_command_line(const CommandSyntax& syntax, const std::vector<std::string>& words);

// Checks values that come from elsewhere, such as Python, and stores them; numbers may stand for texts and integers for
// numbers. Arguments in `may_be_missing` may be left out. ConfigError as parse_command_line().
void store_checked(const CommandSyntax& syntax, GivenValues values, const std::vector<std::string>& may_be_missing);

// The options in a JSON object whose keys are names of options; null stands for an option that is not given.
// ConfigError, with the JSON path of the wrong place: not an object, a key that is no option or is there twice, a value
// of the wrong kind or range. Options of GDAL are refused: a file may come from anywhere.
std::map<std::string, OptionValue> read_options_file(const std::string& path, const std::vector<OptionSyntax>& options);
// The same of such a text, which messages call `name`.
std::map<std::string, OptionValue> read_options(const std::string& text, const std::string& name,
                                                const std::vector<OptionSyntax>& options);

// The option's help with its default and whether it may be repeated.
std::string full_help(const OptionSyntax& option);
// The argument as usage shows it: in brackets where an option may stand in for it.
std::string argument_form(const ArgumentSyntax& argument);
// The text of `parsimap COMMAND --help`: of a command with more than a dozen options the basic ones. With `all`, as for
// --help all, every option, in groups.
std::string help_text(const CommandSyntax& syntax, bool all = false);
// The options of a list by their groups, in the order in which these appear.
std::vector<std::pair<std::string, std::vector<OptionSyntax>>> groups_of(const std::vector<OptionSyntax>& options);

}  // namespace parsimap
