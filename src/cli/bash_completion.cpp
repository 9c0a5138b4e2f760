#include "bash_completion.hpp"

namespace parsimap {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

std::vector<std::string> names(const OptionSyntax& option) {
  std::vector<std::string> result = {"--" + option.name};
  if (option.short_name != '\0') {
    result.push_back(std::string("-") + option.short_name);
  }
  return result;
}

std::string option_words(const CommandSyntax& command) {
  std::vector<std::string> words;
  for (const OptionSyntax& option : all_options(command)) {
    for (const std::string& name : names(option)) {
      words.push_back(name);
    }
  }
  return joined(words);
}

// What completes the option's value, a function of the script with its arguments.
std::string value_completion(const OptionSyntax& option) {
  if (!option.choices.empty()) {
    return "_parsimap_words '" + joined(option.choices) + "'";
  }
  if (option.value_name == "FILE" || option.value_name == "MAP") {
    return "_parsimap_paths -f";
  }
  return option.value_name == "DIR" ? "_parsimap_paths -d" : ":";
}

// One line of a case statement for every option with a value; `command` may be a pattern.
std::string value_cases(const std::string& command, const std::vector<OptionSyntax>& options) {
  std::string text;
  for (const OptionSyntax& option : options) {
    if (option.kind != OptionKind::flag) {
      text += "    " + command + "/--" + option.name + ") " + value_completion(option) + "; return ;;\n";
    }
  }
  return text;
}

std::string argument_choices(const CommandSyntax& command) {
  std::vector<std::string> words;
  for (const ArgumentSyntax& argument : command.arguments) {
    words.insert(words.end(), argument.choices.begin(), argument.choices.end());
  }
  return joined(words);
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

}  // namespace

std::string bash_completion(const std::vector<CommandSyntax>& commands) {
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
  values += value_cases("*", common_options());
  return std::string(kFunctions) + "  if ((COMP_CWORD == 1)); then\n    _parsimap_words '" + joined(first) +
         "'\n    return\n  fi\n  case $command/$previous in\n" + values + "  esac\n  case $command/$current in\n" +
         words + "    *) _parsimap_paths -f ;;\n  esac\n}\n\ncomplete -F _parsimap parsimap\n";
}

}  // namespace parsimap
