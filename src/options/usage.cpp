#include "parsimap/options/usage.hpp"

#include <cmath>
#include <limits>
#include <regex>

#include "parsimap/core/text.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/json/json_text.hpp"
#include "parsimap/options/command_line.hpp"

namespace parsimap {

static std::string to_string(OptionKind kind) {
  static const Names<OptionKind> names = {{OptionKind::flag, "flag"},
                                          {OptionKind::integer, "integer"},
                                          {OptionKind::number, "number"},
                                          {OptionKind::text, "text"},
                                          {OptionKind::list, "list"}};
  return name_among(kind, names);
}

static std::string content_name(FileContent content) {
  static const Names<FileContent> names = {{FileContent::raster, "raster"},
                                           {FileContent::vector, "vector"},
                                           {FileContent::document, "document"},
                                           {FileContent::folder, "folder"}};
  return name_among(content, names);
}

// What documents say of options; they are not read back.

static void list_fields(const FileSyntax& file, Fields& field) {
  field("contents", mapped<std::string>(file.contents, content_name));
  PARSIMAP_FIELDS(file, written, extensions);
}

static void list_fields(const OptionSyntax& option, Fields& field) {
  PARSIMAP_FIELDS(option, name);
  field("label", option.label.empty() ? name_in_words(option.name) : option.label);
  field("kind", to_string(option.field.kind));
  PARSIMAP_FIELDS(option, basic);
  field("description", option.help);
  field.where("file", option.file, !option.file.contents.empty());
  field.where("names_field", true, option.names_field);
  field.where("group", option.group, !option.group.empty());
  field.where("former", option.former, !option.former.empty());
  field.where("value", value_name(option), !value_name(option).empty());
  field.where("default", default_text(option), !default_text(option).empty());
  field.where("choices", option.choices, !option.choices.empty());
  // Bounds are given only where they restrict a value; dialogs of QGIS use them for their fields.
  const bool whole = option.field.kind == OptionKind::integer;
  field.where("least", option.least, whole);
  field.where("most", option.most, whole && option.most != std::numeric_limits<std::int64_t>::max());
  const NumberRange& range = option.field.range;
  field.where("least", range.least, option.field.kind == OptionKind::number && std::isfinite(range.least));
  field.where("most", range.most, option.field.kind == OptionKind::number && std::isfinite(range.most));
}

static void list_fields(const ArgumentSyntax& argument, Fields& field) {
  PARSIMAP_FIELDS(argument, name);
  field("label", name_in_words(argument.name));
  field("description", argument.help);
  field.where("file", argument.file, !argument.file.contents.empty());
  field.where("choices", argument.choices, !argument.choices.empty());
  field.where("instead", argument.instead, !argument.instead.empty());
}

static void list_fields(const CommandSyntax& command, Fields& field) {
  PARSIMAP_FIELDS(command, name, summary);
  field("description", command.details);
  PARSIMAP_FIELDS(command, arguments, options);
  field.where("tool", true, command.tool);
}

// Hyphens are minus signs, so that a command can be copied from the page, and no line begins with a request.
static std::string escaped(const std::string& text) {
  // In roff a line that begins with a dot or an apostrophe is a request; \& is an invisible character that prevents it.
  // A backslash begins an escape and is written as \e.
  static const std::regex backslash(R"(\\)");
  static const std::regex hyphen("-");
  static const std::regex request("(^|\n)([.'])");
  const std::string result = std::regex_replace(std::regex_replace(text, backslash, "\\e"), hyphen, "\\-");
  return std::regex_replace(result, request, "$1\\&$2");
}

static std::string bold(const std::string& text) { return "\\fB" + escaped(text) + "\\fR"; }
static std::string italic(const std::string& text) { return "\\fI" + escaped(text) + "\\fR"; }

static std::string paragraph(const std::string& heading, const std::string& text) {
  return ".TP\n" + heading + "\n" + escaped(text) + "\n";
}

static std::string option_heading(const OptionSyntax& option) {
  std::string heading = option.short_name == '\0' ? "" : bold(std::string("-") + option.short_name) + ", ";
  heading += bold("--" + option.name);
  return option.field.kind == OptionKind::flag ? heading : heading + " " + italic(value_name(option));
}

static std::string option_list(const std::vector<OptionSyntax>& options) {
  std::string text;
  for (const auto& [group, own] : groups_of(listed(options))) {
    text += group.empty() ? "" : ".PP\n" + bold(group) + "\n";
    for (const OptionSyntax& option : own) {
      text += paragraph(option_heading(option), full_help(option));
    }
  }
  return text;
}

static std::string command_section(const CommandSyntax& command) {
  std::string text = ".SS parsimap " + escaped(command.name) + "\n" + bold("parsimap " + command.name);
  for (const ArgumentSyntax& argument : command.arguments) {
    text += " " + italic(argument_form(argument));
  }
  text += " [options]\n.PP\n" + escaped(command.details) + "\n";
  for (const ArgumentSyntax& argument : command.arguments) {
    text += paragraph(italic(argument.name), argument.help);
  }
  return text + option_list(command.options);
}

static std::vector<std::string> dashed_names(const OptionSyntax& option) {
  std::vector<std::string> result = {"--" + option.name};
  if (option.short_name != '\0') {
    result.push_back(std::string("-") + option.short_name);
  }
  return result;
}

static std::string option_words(const CommandSyntax& command) {
  std::vector<std::string> words;
  for (const OptionSyntax& option : listed(all_options(command))) {
    add_all(words, dashed_names(option));
  }
  return separated(words, " ");
}

// What completes the option's value, a function of the script with its arguments.
static std::string value_completion(const OptionSyntax& option) {
  if (!option.choices.empty()) {
    return "_parsimap_words '" + separated(option.choices, " ") + "'";
  }
  const std::vector<FileContent>& contents = option.file.contents;
  return contents.empty() ? ":" : contents.front() == FileContent::folder ? "_parsimap_paths -d" : "_parsimap_paths -f";
}

// One line of a case statement for every option with a value; `command` may be a pattern.
static std::string value_cases(const std::string& command, const std::vector<OptionSyntax>& options) {
  std::string text;
  for (const OptionSyntax& option : options) {
    if (option.field.kind != OptionKind::flag) {
      text += "    " + command + "/--" + option.name + ") " + value_completion(option) + "; return ;;\n";
    }
  }
  return text;
}

static std::string argument_choices(const CommandSyntax& command) {
  std::vector<std::string> words;
  for (const ArgumentSyntax& argument : command.arguments) {
    add_all(words, argument.choices);
  }
  return separated(words, " ");
}

// The word to complete is in current, the one before it in previous.
constexpr const char* kFunctions = R"(# Completion of parsimap for bash, made by 'parsimap usage bash'.

_parsimap_words() {
  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current")
  [[ ${COMPREPLY[0]} != *: ]] || compopt -o nospace 2>/dev/null
}

_parsimap_paths() {
  mapfile -t COMPREPLY < <(compgen "$1" -- "$current")
  compopt -o filenames 2>/dev/null
}

_parsimap() {
  local command=${COMP_WORDS[1]} current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
  # --option=value comes as three words.
  if [[ $current == "=" ]]; then
    current=
  elif [[ $previous == "=" ]]; then
    previous=${COMP_WORDS[COMP_CWORD-2]}
  fi
)";

std::string usage_json(const std::vector<CommandSyntax>& commands) {
  return document_text([&](Fields& field) {
    field("program", "parsimap");
    field("version", PARSIMAP_VERSION);
    field("commands", commands);
    // Common options are equal for all commands and are listed once.
    field("common_options", commands.front().common);
  });
}

std::string manual_page(const std::vector<CommandSyntax>& commands) {
  std::string text = std::string(".TH PARSIMAP 1 \"\" \"parsimap ") + PARSIMAP_VERSION + "\" \"User Commands\"\n";
  text += ".SH NAME\nparsimap \\- classify scenes of imaging spectrometers\n";
  text += ".SH SYNOPSIS\n" + bold("parsimap") + " " + italic("COMMAND") + " ...\n";
  text +=
      ".SH DESCRIPTION\n"
      "Turns a many\\-band scene and some labelled pixels into a class map and a report of its accuracy.\n"
      "Every class is separated from the rest by a support vector machine with a parsimonious Mahalanobis kernel.\n"
      "Results go to standard output, progress and messages to standard error. Outputs appear whole or not at all.\n";
  text += ".SH COMMANDS\n" + separated(commands, "", command_section);
  text += ".SH COMMON OPTIONS\nEvery command has these.\n" + option_list(commands.front().common);
  text += ".SH EXIT STATUS\n" + paragraph("0", "Done.") + paragraph("1", "Failed while running, or stopped.") +
          paragraph("2", "Wrong usage or configuration.") + paragraph("3", "Input data refused.");
  text += ".SH ENVIRONMENT\n" + paragraph(bold("PARSIMAP_DATA"), "Folder with the data of experiments.");
  return text + ".SH SEE ALSO\n.BR gdalinfo (1)\n";
}

std::string bash_completion(const std::vector<CommandSyntax>& commands) {
  // The script has two case statements: on the command and the word before the cursor, for values of options, and on
  // the command and the current word, for names of options and choices of arguments. File names are completed
  // otherwise.
  std::vector<std::string> first = {"--help", "--version"};
  std::string values;
  std::string words;
  for (const CommandSyntax& command : commands) {
    first.push_back(command.name);
    values += value_cases(command.name, command.options);
    const std::string choices = argument_choices(command);
    words += "    " + command.name + "/-*) _parsimap_words '" + option_words(command) + "' ;;\n";
    words += choices.empty() ? "" : "    " + command.name + "/*) _parsimap_words '" + choices + "' ;;\n";
  }
  values += value_cases("*", commands.front().common);
  return std::string(kFunctions) + "  if ((COMP_CWORD == 1)); then\n    _parsimap_words '" + separated(first, " ") +
         "'\n    return\n  fi\n  case $command/$previous in\n" + values + "  esac\n  case $command/$current in\n" +
         words + "    *) _parsimap_paths -f ;;\n  esac\n}\n\ncomplete -F _parsimap parsimap\n";
}

}  // namespace parsimap
