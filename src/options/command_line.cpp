#include "parsimap/options/command_line.hpp"

#include <boost/program_options.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/json/json_text.hpp"

namespace parsimap {
namespace {

namespace po = boost::program_options;

constexpr std::size_t kMostOptions = 12;  // that --help describes without `all`

po::options_description described(const std::string& title, const std::vector<OptionSyntax>& options) {
  constexpr unsigned kLineWidth = 100;
  po::options_description description(title, kLineWidth, kLineWidth / 2);
  for (const OptionSyntax& option : options) {
    const std::string names = option.short_name == '\0' ? option.name : option.name + "," + option.short_name;
    const std::string help = full_help(option);
    if (option.field.kind == OptionKind::flag) {
      description.add_options()(names.c_str(), po::bool_switch(), help.c_str());
    } else if (option.field.kind == OptionKind::list) {
      description.add_options()(names.c_str(), po::value<std::vector<std::string>>()->value_name(value_name(option)),
                                help.c_str());
    } else {
      description.add_options()(names.c_str(), po::value<std::string>()->value_name(value_name(option)), help.c_str());
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
    // Words that are no option have a position and are the arguments, in their order.
    for (const po::option& option : parsed.options) {
      if (option.position_key >= 0) {
        result.arguments.push_back(option.value.front());
      }
    }
  } catch (const po::unknown_option& error) {
    const auto names = mapped<std::string>(options, [](const OptionSyntax& option) { return "--" + option.name; });
    // A mistyped name is answered with the most similar one, if any is similar enough.
    const auto suggestion = closest(error.get_option_name(), names);
    throw ConfigError("unknown option '" + error.get_option_name() + "'" +
                      (suggestion ? "; did you mean '" + *suggestion + "'?"
                                  : "; 'parsimap " + syntax.name + " --help' lists the options"));
  } catch (const po::error& error) {
    throw ConfigError(error.what());
  }
  return result;
}

// The arguments that `count` words are for: all of them, or those that no option stands in for.
std::vector<ArgumentSyntax> expected_arguments(const CommandSyntax& syntax, std::size_t count,
                                               const GivenValues& values) {
  std::vector<ArgumentSyntax> left = syntax.arguments;
  std::erase_if(left, [&](const ArgumentSyntax& argument) {
    return std::ranges::any_of(argument.instead,
                               [&](const std::string& option) { return values.options.contains(option); });
  });
  // If an option stands in for arguments and yet all of them were given, the full list is used, so that the command can
  // explain which inputs contradict each other.
  return count == syntax.arguments.size() ? syntax.arguments : left;
}

std::string usage_hint(const CommandSyntax& syntax) {
  return "; 'parsimap " + syntax.name + " --help' shows the usage";
}

void check_argument(const CommandSyntax& syntax, const ArgumentSyntax& argument, const std::string& value) {
  if (value.empty()) {
    throw ConfigError("argument " + argument.name + " is empty" + usage_hint(syntax));
  }
  const OptionSyntax choice{.choices = argument.choices};
  if (!may_be(choice, value)) {
    throw ConfigError("argument " + argument.name + " is '" + value + "'; it must be " + expectation(choice));
  }
}

void assign_arguments(const CommandSyntax& syntax, const std::vector<std::string>& words, GivenValues& values) {
  const std::vector<ArgumentSyntax> arguments = expected_arguments(syntax, words.size(), values);
  if (words.size() > arguments.size()) {
    throw ConfigError("argument '" + words[arguments.size()] + "' is one too many" + usage_hint(syntax));
  }
  if (words.size() < arguments.size()) {
    throw ConfigError("argument " + arguments[words.size()].name + " is missing" + usage_hint(syntax));
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    check_argument(syntax, arguments[i], words[i]);
    values.arguments.emplace(arguments[i].name, words[i]);
  }
}

bool is_set(const GivenValues& values, const std::string& flag) {
  const auto found = values.options.find(flag);
  return found != values.options.end() && std::get<bool>(found->second);
}

// A value of another type as one of the option's kind.
OptionValue converted(const OptionSyntax& option, const OptionValue& value) {
  // A list option takes a list or a single value; a flag takes true or false only; all others are parsed from the text
  // of the value.
  const bool is_list = std::holds_alternative<std::vector<std::string>>(value);
  if (option.field.kind == OptionKind::list) {
    const std::vector<std::string> entries = value_texts(value);
    for (const std::string& entry : entries) {
      parse_option_value(option, entry);
    }
    return entries;
  }
  if (is_list || std::holds_alternative<bool>(value) != (option.field.kind == OptionKind::flag)) {
    throw ConfigError("--" + option.name + " has a value of the wrong type; it must be " +
                      (option.field.kind == OptionKind::flag ? "true or false" : expectation(option)));
  }
  return option.field.kind == OptionKind::flag ? value : parse_option_value(option, value_texts(value).front());
}

OptionValue value_of(const OptionSyntax& option, const po::variable_value& given) {
  switch (option.field.kind) {
    case OptionKind::flag:
      return given.as<bool>();
    case OptionKind::list:
      return converted(option, given.as<std::vector<std::string>>());
    default:
      return parse_option_value(option, given.as<std::string>());
  }
}

}  // namespace

void parse_command_line(const CommandSyntax& syntax, const std::vector<std::string>& words) {
  const std::vector<OptionSyntax> options = all_options(syntax);
  const Words parts = split(syntax, options, words);
  GivenValues values;
  for (const OptionSyntax& option : options) {
    const po::variable_value& given = parts.options[option.name];
    // Flags that were not given have the default false and must not hide those of an options file.
    if (!given.empty() && !given.defaulted()) {
      values.options.emplace(option.name, value_of(option, given));
    }
  }
  if (!is_set(values, "help") && !is_set(values, "version")) {
    if (const auto path = values.options.find("options-file"); path != values.options.end()) {
      // merge() keeps the entries that exist: the command line has precedence over the file, also under another name.
      std::map<std::string, OptionValue> in_file = read_options_file(std::get<std::string>(path->second), options);
      for (const OptionSyntax& option : options) {
        if (!option.former.empty()) {
          const std::string replacement = option.former.substr(2, option.former.find(' ') - 2);
          in_file.erase(values.options.contains(option.name) ? replacement : "");
          in_file.erase(values.options.contains(replacement) ? option.name : "");
        }
      }
      values.options.merge(in_file);
    }
    assign_arguments(syntax, parts.arguments, values);
  }
  store_values(syntax, values);
}

void store_checked(const CommandSyntax& syntax, GivenValues values, const std::vector<std::string>& may_be_missing) {
  for (const OptionSyntax& option : all_options(syntax)) {
    if (const auto given = values.options.find(option.name); given != values.options.end()) {
      // Values of callers such as the Python package have types of their own. They are converted to the kind of the
      // option with the same rules as texts of the command line, so that a value is refused with the same message.
      given->second = converted(option, given->second);
    }
  }
  for (const ArgumentSyntax& argument : expected_arguments(syntax, 0, values)) {
    const auto given = values.arguments.find(argument.name);
    if (given != values.arguments.end()) {
      check_argument(syntax, argument, given->second);
    } else if (std::ranges::find(may_be_missing, argument.name) == may_be_missing.end()) {
      throw ConfigError("argument " + argument.name + " is missing");
    }
  }
  store_values(syntax, values);
}

std::string full_help(const OptionSyntax& option) {
  std::string help = option.help;
  if (const std::string value = default_text(option); !value.empty()) {
    help += " (default " + value + ")";
  }
  return option.field.kind == OptionKind::list ? help + " (may be repeated)" : help;
}

std::string argument_form(const ArgumentSyntax& argument) {
  return argument.instead.empty() ? argument.name : "[" + argument.name + "]";
}

std::vector<std::pair<std::string, std::vector<OptionSyntax>>> groups_of(const std::vector<OptionSyntax>& options) {
  std::vector<std::pair<std::string, std::vector<OptionSyntax>>> groups;
  for (const OptionSyntax& option : options) {
    const auto same = [&](const auto& group) { return group.first == option.group; };
    auto group = std::ranges::find_if(groups, same);
    if (group == groups.end()) {
      group = groups.insert(group, {option.group, {}});
    }
    group->second.push_back(option);
  }
  return groups;
}

std::string help_text(const CommandSyntax& syntax, bool all) {
  std::ostringstream text;
  text << "Usage: parsimap " << syntax.name;
  // The usage line shows all arguments, in brackets where an option may stand in for them; their descriptions are
  // aligned below.
  std::size_t widest = 0;
  for (const ArgumentSyntax& argument : syntax.arguments) {
    text << ' ' << argument_form(argument);
    widest = std::max(widest, argument.name.size());
  }
  text << " [options]\n\n" << syntax.details << "\n\nArguments:\n";
  for (const ArgumentSyntax& argument : syntax.arguments) {
    text << "  " << argument.name << std::string(widest - argument.name.size() + 2, ' ') << argument.help << '\n';
  }
  const std::vector<OptionSyntax> options = listed(syntax.options);
  std::vector<OptionSyntax> basic = options;
  std::erase_if(basic, [](const OptionSyntax& option) { return !option.basic; });
  if (!all && options.size() > kMostOptions) {
    // A page of fifty options hides the dozen that most users need.
    text << '\n'
         << described("Main options", basic) << "\n'parsimap " << syntax.name << " --help all' describes "
         << options.size() - basic.size() << " more options, and those of every command:\n ";
    for (const OptionSyntax& option : syntax.common) {
      text << " --" << option.name;
    }
    text << '\n';
    return text.str();
  }
  for (const auto& [group, own] : groups_of(options)) {
    text << '\n' << described(group.empty() ? "Options" : group, own);
  }
  text << '\n' << described("Common options", syntax.common);
  return text.str();
}

namespace {

using Json = nlohmann::ordered_json;

std::string pointer(const std::string& key) { return Json::json_pointer().operator/=(key).to_string(); }

Json parse(const std::string& text, const std::string& path) {
  try {
    check_json_form(text);
    return Json::parse(text);
  } catch (const ConfigError& error) {
    throw ConfigError(path + ": " + error.what());
  } catch (const Json::exception& error) {  // also of a number that no type can hold
    throw ConfigError(path + " is not JSON: " + error.what());
  }
}

OptionValue value_in_file(const OptionSyntax& option, const Json& json, const std::string& where) {
  const auto require = [&](bool holds, const std::string& place, const Json& part, const std::string& expected) {
    if (!holds) {
      throw ConfigError(place + " is " + line_of(part) + "; it must be " + expected);
    }
  };
  const auto parsed = [&](const Json& part, const std::string& place) {
    const std::string shown = line_of(part);
    return parse_option_value(option, part.is_string() ? part.get<std::string>() : shown, place, shown);
  };
  switch (option.field.kind) {
    case OptionKind::flag:
      require(json.is_boolean(), where, json, "true or false");
      return json.get<bool>();
    case OptionKind::integer:
      require(json.is_number_integer(), where, json, expectation(option));
      return parsed(json, where);
    case OptionKind::number:
      // A text, too: files for versions before 0.2.0 have one.
      require(json.is_number() || json.is_string(), where, json, expectation(option));
      return parsed(json, where);
    case OptionKind::text:
      require(json.is_string(), where, json, "a text");
      return parsed(json, where);
    case OptionKind::list:
      break;
  }
  require(json.is_array(), where, json, "an array of texts");
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string entry = where + "/" + std::to_string(i);
    require(json[i].is_string(), entry, json[i], "a text");
    entries.push_back(std::get<std::string>(parsed(json[i], entry)));
  }
  return entries;
}

[[noreturn]] void refuse_key(const std::string& path, const std::string& key,
                             const std::vector<OptionSyntax>& options) {
  // A file can set neither options that only make sense on a command line, such as --help, nor those that are dangerous
  // in a file.
  const auto names = mapped<std::string>(
      filtered(options, [](const OptionSyntax& option) { return !option.only_command_line; }), &OptionSyntax::name);
  std::string message = path + ": " + pointer(key) + " is not an option that a file can set; ";
  // GDAL options can name drivers, plug-ins and scripts that are executed. An options file may come from somebody else
  // together with data, so that it cannot set them.
  if (key == "config") {
    throw ConfigError(message + "it changes GDAL itself, which can run code that stands in a file; give it " +
                      "on the command line");
  }
  if (const auto suggestion = closest(key, names)) {
    throw ConfigError(message + "did you mean '" + *suggestion + "'?");
  }
  throw ConfigError(message + "it must be one of " + separated(names, ", "));
}

}  // namespace

std::map<std::string, OptionValue> read_options_file(const std::string& path,
                                                     const std::vector<OptionSyntax>& options) {
  return read_options(read_json_text(path, "options file"), path, options);
}

std::map<std::string, OptionValue> read_options(const std::string& text, const std::string& path,
                                                const std::vector<OptionSyntax>& options) {
  const Json json = parse(text, path);
  if (!json.is_object()) {
    throw ConfigError(path + " holds " + json.type_name() + "; it must be an object of options");
  }
  std::map<std::string, OptionValue> values;
  for (const auto& [key, value] : json.items()) {
    const auto option = std::ranges::find_if(options, [&name = key](const OptionSyntax& candidate) {
      return candidate.name == name && !candidate.only_command_line;
    });
    if (option == options.end()) {
      refuse_key(path, key, options);
    }
    // null means unset, as in documents of the program that list all options.
    if (!value.is_null()) {
      values.emplace(key, value_in_file(*option, value, path + ": " + pointer(key)));
    }
  }
  return values;
}

}  // namespace parsimap
