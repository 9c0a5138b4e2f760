// A command with an option of every kind.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/options/option.hpp"

namespace parsimap::test {

struct PaintOptions {
  std::string wall;
  std::string finish;
  int coats = 2;
  std::optional<std::string> colour;
  std::vector<std::string> tins;
  std::optional<std::string> shed;
  std::optional<double> gloss;
  std::optional<std::string> tool;  // checked
  bool dry = false;
  // Common ones.
  bool help = false;
  bool quiet = false;
  std::optional<std::string> options_file;
  std::vector<std::string> config;
};

inline std::string checked_tool(const std::string& text) {
  if (text != "brush" && text != "comb") {
    throw ConfigError("tool '" + text + "' is not in the shed");
  }
  return text;
}

inline std::vector<OptionSyntax> paint_common(PaintOptions& options) {
  return {{.name = "help", .short_name = 'h', .help = "Help", .field = bound(options.help), .only_command_line = true},
          {.name = "quiet", .short_name = 'q', .help = "Say nothing", .field = bound(options.quiet)},
          {.name = "options-file",
           .value_name = "FILE",
           .help = "Read options",
           .field = bound(options.options_file),
           .only_command_line = true,
           .file = {{FileContent::document}}},
          {.name = "config",
           .value_name = "KEY=VALUE",
           .help = "Settings",
           .field = bound(options.config),
           .only_command_line = true}};
}

inline CommandSyntax paint_syntax(PaintOptions& options) {
  return {.name = "paint",
          .summary = "Paint",
          .details = "Paints a wall.\n.Twice",
          .arguments = {{.name = "WALL",
                         .help = "What to paint",
                         .field = bound(options.wall),
                         .file = {{FileContent::document}, true, {".wall"}}},
                        {.name = "FINISH",
                         .help = "How it looks",
                         .field = bound(options.finish),
                         .choices = {"matt", "gloss"}}},
          .options = {{.name = "coats",
                       .value_name = "N",
                       .help = "How often",
                       .field = bound(options.coats),
                       .least = 1,
                       .most = 9,
                       .label = "Layers of paint",
                       .basic = true},
                      {.name = "colour",
                       .value_name = "NAME",
                       .help = "Which colour",
                       .field = bound(options.colour),
                       .choices = {"red", "rose", "ral:"},
                       .names_field = true},
                      {.name = "tin",
                       .value_name = "FILE",
                       .help = "Tin \\ can",
                       .field = bound(options.tins),
                       .file = {{FileContent::raster, FileContent::vector}}},
                      {.name = "shed",
                       .short_name = 's',
                       .value_name = "DIR",
                       .help = "Shed",
                       .field = bound(options.shed),
                       .file = {{FileContent::folder}}},
                      {.name = "gloss",
                       .value_name = "G",
                       .help = "How much it shines",
                       .field = bound(options.gloss, NumberRange{.least = 0, .most = 1, .above = true}),
                       .effect = Effect::run},
                      {.name = "tool",
                       .value_name = "NAME",
                       .help = "Tool",
                       .field = bound(options.tool, checked_tool, [](const std::string& text) { return text; })},
                      {.name = "dry", .help = "Wait", .field = bound(options.dry)}},
          .common = paint_common(options)};
}

}  // namespace parsimap::test
