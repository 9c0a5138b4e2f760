#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/json/json_text.hpp"
#include "parsimap/options/command_line.hpp"

namespace parsimap {
namespace {

using Json = nlohmann::ordered_json;

std::string pointer(const std::string& key) { return Json::json_pointer().operator/=(key).to_string(); }

// nlohmann keeps the last of equal keys; one of the two is a mistake.
Json parse(const std::string& text, const std::string& path) {
  // The keys of every object that is open, innermost last. The parser calls back before it stores a value, so that both
  // equal keys are seen.
  std::vector<std::set<std::string>> keys;
  const auto callback = [&](int, Json::parse_event_t event, Json& parsed) {
    if (event == Json::parse_event_t::object_start) {
      keys.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      keys.pop_back();
    } else if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second) {
      throw ConfigError("key '" + parsed.get<std::string>() + "' is there twice");
    }
    return true;
  };
  try {
    check_json_nesting(text);
    return Json::parse(text, callback);
  } catch (const ConfigError& error) {
    throw ConfigError(path + ": " + error.what());
  } catch (const Json::exception& error) {  // also of a number that no type can hold
    throw ConfigError(path + " is not JSON: " + error.what());
  }
}

class FileReader {
 public:
  explicit FileReader(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] OptionValue read(const OptionSyntax& option, const Json& json) const {
    const std::string where = path_ + ": " + pointer(option.name);
    switch (option.field.kind) {
      case OptionKind::flag:
        require(json.is_boolean(), where, json, "true or false");
        return json.get<bool>();
      case OptionKind::integer:
        require(in_range(option, json), where, json, expectation(option));
        return json.get<std::int64_t>();
      case OptionKind::number:
        // A text, too: files for versions before 0.2.0 have one.
        if (json.is_string()) {
          return number(option, json.get<std::string>(), where, json);
        }
        require(json.is_number() && option.field.range.contains(json.get<double>()), where, json, expectation(option));
        return json.get<double>();
      case OptionKind::text:
        require(json.is_string(), where, json, "a text");
        return checked(option, json, where);
      case OptionKind::list:
        break;
    }
    require(json.is_array(), where, json, "an array of texts");
    std::vector<std::string> entries;
    for (std::size_t i = 0; i < json.size(); ++i) {
      const std::string entry = where + "/" + std::to_string(i);
      require(json[i].is_string(), entry, json[i], "a text");
      entries.push_back(checked(option, json[i], entry));
    }
    return entries;
  }

 private:
  static void require(bool holds, const std::string& where, const Json& json, const std::string& expected) {
    if (!holds) {
      throw ConfigError(where + " is " + json.dump(-1, ' ', false, Json::error_handler_t::replace) + "; it must be " +
                        expected);
    }
  }

  static double number(const OptionSyntax& option, const std::string& text, const std::string& where,
                       const Json& json) {
    const std::optional<double> value = parse_number<double>(text);
    require(value && option.field.range.contains(*value), where, json, expectation(option));
    return *value;
  }

  static bool in_range(const OptionSyntax& option, const Json& json) {
    if (!json.is_number_integer()) {
      return false;
    }
    // Unsigned numbers above the range are refused before the conversion to a signed number, which would make them
    // negative.
    if (json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(option.most)) {
      return false;
    }
    return json.get<std::int64_t>() >= option.least && json.get<std::int64_t>() <= option.most;
  }

  static std::string checked(const OptionSyntax& option, const Json& json, const std::string& where) {
    auto text = json.get<std::string>();
    if (option.field.check) {
      try {
        option.field.check(text);
      } catch (const ConfigError& error) {
        throw ConfigError(where + ": " + error.what());
      }
    } else {
      require(may_be(option, text), where, json, expectation(option));
    }
    return text;
  }

  std::string path_;
};

[[noreturn]] void refuse_key(const std::string& path, const std::string& key,
                             const std::vector<OptionSyntax>& options) {
  // A file can set neither options that only make sense on a command line, such as --help, nor those that are dangerous
  // in a file.
  std::vector<std::string> names;
  for (const OptionSyntax& option : options) {
    if (!option.only_command_line) {
      names.push_back(option.name);
    }
  }
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
  message += "it must be one of ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    message += (i == 0 ? "" : ", ") + names[i];
  }
  throw ConfigError(message);
}

}  // namespace

std::map<std::string, OptionValue> read_options_file(const std::string& path,
                                                     const std::vector<OptionSyntax>& options) {
  const Json json = parse(read_json_text(path, "options file"), path);
  if (!json.is_object()) {
    throw ConfigError(path + " holds " + json.type_name() + "; it must be an object of options");
  }
  const FileReader reader(path);
  std::map<std::string, OptionValue> values;
  for (const auto& [key, value] : json.items()) {
    const auto option = std::find_if(options.begin(), options.end(), [&name = key](const OptionSyntax& candidate) {
      return candidate.name == name && !candidate.only_command_line;
    });
    if (option == options.end()) {
      refuse_key(path, key, options);
    }
    // null means unset, as in documents of the program that list all options.
    if (!value.is_null()) {
      values.emplace(key, reader.read(*option, value));
    }
  }
  return values;
}

}  // namespace parsimap
