#include "command_line.hpp"

#include <boost/program_options.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <sstream>

#include "parsimap/core/error.hpp"

#include "options_file.hpp"
#include "suggestion.hpp"

namespace parsimap {
namespace {

namespace po = boost::program_options;

void check_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos) {
    throw ConfigError("'" + text + "' must have the form KEY=VALUE");
  }
}

po::options_description described(const std::string& title, const std::vector<OptionSyntax>& options) {
  constexpr unsigned kLineWidth = 100;
  po::options_description description(title, kLineWidth, kLineWidth / 2);
  for (const OptionSyntax& option : options) {
    const std::string names = option.short_name == '\0' ? option.name : option.name + "," + option.short_name;
    const std::string help = full_help(option);
    switch (option.kind) {
      case OptionKind::flag:
        description.add_options()(names.c_str(), po::bool_switch(), help.c_str());
        break;
      case OptionKind::integer:
      case OptionKind::text:
        description.add_options()(names.c_str(), po::value<std::string>()->value_name(option.value_name), help.c_str());
        break;
      case OptionKind::list:
        description.add_options()(names.c_str(), po::value<std::vector<std::string>>()->value_name(option.value_name),
                                  help.c_str());
        break;
    }
  }
  return description;
}

struct Words {
  po::variables_map options;
  std::vector<std::string> arguments;
};

Words split(const CommandSyntax& syntax, const std::vector<OptionSyntax>& options,
            const std::vector<std::string>& words) {
  const po::options_description description = described("", options);
  // Abbreviated names would change their meaning with every new option.
  const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  Words result;
  try {
    const po::parsed_options parsed = po::command_line_parser(words).options(description).style(style).run();
    po::store(parsed, result.options);
    for (const po::option& option : parsed.options) {
      if (option.position_key >= 0) {
        result.arguments.push_back(option.value.front());
      }
    }
  } catch (const po::unknown_option& error) {
    std::vector<std::string> names;
    for (const OptionSyntax& option : options) {
      names.push_back("--" + option.name);
    }
    const auto suggestion = closest(error.get_option_name(), names);
    throw ConfigError("unknown option '" + error.get_option_name() + "'" +
                      (suggestion ? "; did you mean '" + *suggestion + "'?"
                                  : "; 'parsimap " + syntax.name + " --help' lists the options"));
  } catch (const po::error& error) {
    throw ConfigError(error.what());
  }
  return result;
}

OptionValue value_of(const OptionSyntax& option, const po::variable_value& given) {
  if (option.kind == OptionKind::flag) {
    return given.as<bool>();
  }
  if (option.kind != OptionKind::list) {
    return parse_option_value(option, given.as<std::string>());
  }
  const auto& entries = given.as<std::vector<std::string>>();
  for (const std::string& entry : entries) {
    parse_option_value(option, entry);
  }
  return entries;
}

// No choices are every choice.
bool is_among(const std::vector<std::string>& choices, const std::string& text) {
  return choices.empty() || std::find(choices.begin(), choices.end(), text) != choices.end();
}

std::string one_of(const std::vector<std::string>& choices) {
  std::string words;
  for (const std::string& choice : choices) {
    words += (words.empty() ? "one of " : ", ") + choice;
  }
  return words;
}

template <typename T>
const T* find_value(const std::map<std::string, OptionValue>& options, const std::string& name) {
  const auto found = options.find(name);
  return found == options.end() ? nullptr : &std::get<T>(found->second);
}

// The arguments that `count` words are for: all of them, or those that no option stands in for.
std::vector<ArgumentSyntax> expected_arguments(const CommandSyntax& syntax, std::size_t count,
                                               const OptionValues& values) {
  std::vector<ArgumentSyntax> left = syntax.arguments;
  std::erase_if(left, [&](const ArgumentSyntax& argument) {
    return std::any_of(argument.instead.begin(), argument.instead.end(),
                       [&](const std::string& option) { return values.has(option); });
  });
  return count <= left.size() ? left : syntax.arguments;
}

void assign_arguments(const CommandSyntax& syntax, const std::vector<std::string>& words, OptionValues& values) {
  const std::string hint = "; 'parsimap " + syntax.name + " --help' shows the usage";
  const std::vector<ArgumentSyntax> arguments = expected_arguments(syntax, words.size(), values);
  if (words.size() > arguments.size()) {
    throw ConfigError("argument '" + words[arguments.size()] + "' is one too many" + hint);
  }
  if (words.size() < arguments.size()) {
    throw ConfigError("argument " + arguments[words.size()].name + " is missing" + hint);
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].empty()) {
      throw ConfigError("argument " + arguments[i].name + " is empty" + hint);
    }
    const std::vector<std::string>& choices = arguments[i].choices;
    if (!is_among(choices, words[i])) {
      throw ConfigError("argument " + arguments[i].name + " is '" + words[i] + "'; it must be " + one_of(choices));
    }
    values.set_argument(arguments[i].name, words[i]);
  }
}

}  // namespace

std::string name_in_words(const std::string& name) {
  std::string words;
  for (const char character : name) {
    const bool gap = character == '-' || character == '_';
    const auto code = static_cast<unsigned char>(character);
    words += gap ? ' ' : static_cast<char>(words.empty() ? std::toupper(code) : std::tolower(code));
  }
  return words;
}

std::string argument_form(const ArgumentSyntax& argument) {
  return argument.instead.empty() ? argument.name : "[" + argument.name + "]";
}

const std::vector<OptionSyntax>& common_options() {
  static const std::vector<OptionSyntax> options = {
      {.name = "help", .short_name = 'h', .help = "Print this help", .only_command_line = true},
      {.name = "version", .help = "Print the program's version", .only_command_line = true},
      {.name = "quiet", .short_name = 'q', .help = "No progress and no messages, only results and errors"},
      {.name = "progress",
       .kind = OptionKind::text,
       .value_name = "STYLE",
       .help = "Progress on standard error: auto (a bar if that is a terminal), bar, or json (one object per line)",
       .default_value = "auto",
       .choices = {"auto", "bar", "json"}},
      {.name = "threads",
       .kind = OptionKind::integer,
       .value_name = "N",
       .help = "Threads to compute with, 0 for all processors; results do not depend on it; unset: as many as the "
               "environment variable SLURM_CPUS_PER_TASK says, or 0",
       .most = kMostThreads},
      {.name = "json", .help = "Print one JSON document instead of readable text"},
      {.name = "options-file",
       .kind = OptionKind::text,
       .value_name = "FILE",
       .help =
           "Read options from a JSON object with the option names as keys; options on the command line replace them",
       .only_command_line = true,
       .file = {{FileContent::document}, false, {".json"}}},
      {.name = "overwrite", .help = "Replace outputs that exist"},
      {.name = "config",
       .kind = OptionKind::list,
       .value_name = "KEY=VALUE",
       .help = "Set a configuration option of GDAL; never from an options file",
       .check = check_setting,
       .only_command_line = true,
       .label = "Settings of GDAL"},
  };
  return options;
}

std::vector<OptionSyntax> all_options(const CommandSyntax& syntax) {
  std::vector<OptionSyntax> options = syntax.options;
  options.insert(options.end(), common_options().begin(), common_options().end());
  return options;
}

bool OptionValues::flag(const std::string& name) const {
  const bool* value = find_value<bool>(options_, name);
  return value != nullptr && *value;
}

std::optional<std::int64_t> OptionValues::integer(const std::string& name) const {
  const std::int64_t* value = find_value<std::int64_t>(options_, name);
  return value != nullptr ? std::optional(*value) : std::nullopt;
}

std::optional<std::string> OptionValues::text(const std::string& name) const {
  const std::string* value = find_value<std::string>(options_, name);
  return value != nullptr ? std::optional(*value) : std::nullopt;
}

std::vector<std::string> OptionValues::list(const std::string& name) const {
  const auto* value = find_value<std::vector<std::string>>(options_, name);
  return value != nullptr ? *value : std::vector<std::string>();
}

std::vector<std::pair<std::string, std::string>> OptionValues::as_text() const {
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& [name, value] : options_) {
    if (const auto* flag = std::get_if<bool>(&value)) {
      result.emplace_back(name, *flag ? "true" : "false");
    } else if (const auto* number = std::get_if<std::int64_t>(&value)) {
      result.emplace_back(name, std::to_string(*number));
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      result.emplace_back(name, *text);
    } else {
      for (const std::string& entry : std::get<std::vector<std::string>>(value)) {
        result.emplace_back(name, entry);
      }
    }
  }
  return result;
}

std::string expectation(const OptionSyntax& option) {
  if (option.kind != OptionKind::integer) {
    return option.choices.empty() ? "a text" : one_of(option.choices);
  }
  if (option.most == std::numeric_limits<std::int64_t>::max()) {
    return "an integer of at least " + std::to_string(option.least);
  }
  return "an integer from " + std::to_string(option.least) + " to " + std::to_string(option.most);
}

OptionValue parse_option_value(const OptionSyntax& option, const std::string& text) {
  if (option.kind == OptionKind::integer) {
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size() || value < option.least || value > option.most) {
      throw ConfigError("--" + option.name + " is '" + text + "'; it must be " + expectation(option));
    }
    return value;
  }
  if (option.check) {
    try {
      option.check(text);
    } catch (const ConfigError& error) {
      throw ConfigError("--" + option.name + ": " + error.what());
    }
  } else if (!may_be(option, text)) {
    throw ConfigError("--" + option.name + " is '" + text + "'; it must be " + expectation(option));
  }
  return text;
}

OptionValues parse_command_line(const CommandSyntax& syntax, const std::vector<std::string>& arguments) {
  const std::vector<OptionSyntax> options = all_options(syntax);
  const Words words = split(syntax, options, arguments);
  OptionValues values;
  for (const OptionSyntax& option : options) {
    const po::variable_value& given = words.options[option.name];
    if (!given.empty() && !given.defaulted()) {
      values.set(option.name, value_of(option, given));
    }
  }
  if (values.flag("help") || values.flag("version")) {
    return values;
  }
  if (const auto path = values.text("options-file")) {
    for (auto& [name, value] : read_options_file(*path, options)) {
      values.set(name, std::move(value));
    }
  }
  assign_arguments(syntax, words.arguments, values);
  for (const OptionSyntax& option : options) {
    if (!option.default_value.empty()) {
      values.set(option.name, parse_option_value(option, option.default_value));
    }
  }
  return values;
}

bool may_be(const OptionSyntax& option, const std::string& text) { return is_among(option.choices, text); }

std::string full_help(const OptionSyntax& option) {
  std::string help = option.help;
  if (!option.default_value.empty()) {
    help += " (default " + option.default_value + ")";
  }
  return option.kind == OptionKind::list ? help + " (may be repeated)" : help;
}

std::string help_text(const CommandSyntax& syntax) {
  std::ostringstream text;
  text << "Usage: parsimap " << syntax.name;
  std::size_t widest = 0;
  for (const ArgumentSyntax& argument : syntax.arguments) {
    text << ' ' << argument_form(argument);
    widest = std::max(widest, argument.name.size());
  }
  text << " [options]\n\n" << syntax.details << "\n\nArguments:\n";
  for (const ArgumentSyntax& argument : syntax.arguments) {
    text << "  " << argument.name << std::string(widest - argument.name.size() + 2, ' ') << argument.help << '\n';
  }
  if (!syntax.options.empty()) {
    text << '\n' << described("Options", syntax.options);
  }
  text << '\n' << described("Common options", common_options());
  return text.str();
}

}  // namespace parsimap
