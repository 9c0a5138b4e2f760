// A command with an option of every kind.
#pragma once

#include "cli/command_line.hpp"

namespace parsimap::test {

inline CommandSyntax paint_syntax() {
  return {.name = "paint",
          .summary = "Paint",
          .details = "Paints a wall.\n.Twice",
          .arguments = {{.name = "WALL", .help = "What to paint", .file = {{FileContent::document}, true, {".wall"}}},
                        {"FINISH", "How it looks", {"matt", "gloss"}}},
          .options = {{.name = "coats",
                       .kind = OptionKind::integer,
                       .value_name = "N",
                       .help = "How often",
                       .default_value = "2",
                       .least = 1,
                       .most = 9,
                       .label = "Layers of paint",
                       .basic = true},
                      {.name = "colour",
                       .kind = OptionKind::text,
                       .value_name = "NAME",
                       .help = "Which colour",
                       .choices = {"red", "rose", "ral:"},
                       .names_field = true},
                      {.name = "tin",
                       .kind = OptionKind::list,
                       .value_name = "FILE",
                       .help = "Tin \\ can",
                       .file = {{FileContent::raster, FileContent::vector}}},
                      {.name = "shed",
                       .short_name = 's',
                       .kind = OptionKind::text,
                       .value_name = "DIR",
                       .help = "Shed",
                       .file = {{FileContent::folder}}},
                      {.name = "dry", .help = "Wait"}}};
}

}  // namespace parsimap::test
