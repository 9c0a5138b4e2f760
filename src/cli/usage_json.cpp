#include "usage_json.hpp"

#include <nlohmann/json.hpp>

#include <limits>

namespace parsimap {
namespace {

using Json = nlohmann::ordered_json;

std::string kind_name(OptionKind kind) {
  switch (kind) {
    case OptionKind::flag:
      return "flag";
    case OptionKind::integer:
      return "integer";
    case OptionKind::text:
      return "text";
    case OptionKind::list:
      break;
  }
  return "list";
}

std::string content_name(FileContent content) {
  switch (content) {
    case FileContent::raster:
      return "raster";
    case FileContent::vector:
      return "vector";
    case FileContent::document:
      return "document";
    case FileContent::folder:
      break;
  }
  return "folder";
}

Json to_json(const FileSyntax& file) {
  Json contents = Json::array();
  for (const FileContent content : file.contents) {
    contents.push_back(content_name(content));
  }
  return {{"contents", contents}, {"written", file.written}, {"extensions", file.extensions}};
}

Json to_json(const OptionSyntax& option) {
  Json json = {{"name", option.name},
               {"label", option.label.empty() ? name_in_words(option.name) : option.label},
               {"kind", kind_name(option.kind)},
               {"basic", option.basic},
               {"description", option.help}};
  if (!option.file.contents.empty()) {
    json["file"] = to_json(option.file);
  }
  if (option.names_field) {
    json["names_field"] = true;
  }
  if (!option.value_name.empty()) {
    json["value"] = option.value_name;
  }
  if (!option.default_value.empty()) {
    json["default"] = option.default_value;
  }
  if (!option.choices.empty()) {
    json["choices"] = option.choices;
  }
  if (option.kind == OptionKind::integer) {
    json["least"] = option.least;
    if (option.most != std::numeric_limits<std::int64_t>::max()) {
      json["most"] = option.most;
    }
  }
  return json;
}

Json to_json(const std::vector<OptionSyntax>& options) {
  Json list = Json::array();
  for (const OptionSyntax& option : options) {
    list.push_back(to_json(option));
  }
  return list;
}

Json to_json(const CommandSyntax& command) {
  Json arguments = Json::array();
  for (const ArgumentSyntax& argument : command.arguments) {
    Json json = {{"name", argument.name}, {"label", name_in_words(argument.name)}, {"description", argument.help}};
    if (!argument.file.contents.empty()) {
      json["file"] = to_json(argument.file);
    }
    if (!argument.choices.empty()) {
      json["choices"] = argument.choices;
    }
    if (!argument.instead.empty()) {
      json["instead"] = argument.instead;
    }
    arguments.push_back(json);
  }
  return {{"name", command.name},
          {"summary", command.summary},
          {"description", command.details},
          {"arguments", arguments},
          {"options", to_json(command.options)}};
}

}  // namespace

std::string usage_json(const std::vector<CommandSyntax>& commands) {
  Json list = Json::array();
  for (const CommandSyntax& command : commands) {
    list.push_back(to_json(command));
  }
  const Json json = {{"program", "parsimap"},
                     {"version", PARSIMAP_VERSION},
                     {"commands", list},
                     {"common_options", to_json(common_options())}};
  return json.dump(2) + "\n";
}

}  // namespace parsimap
