// A command with an option of every kind.
#pragma once

#include "cli/command_line.hpp"

namespace parsimap::test {

inline CommandSyntax paint_syntax() {
  return {
      .name = "paint",
      .summary = "Paint",
      .details = "Paints a wall.\n.Twice",
      .arguments = {{"WALL", "What to paint"}, {"FINISH", "How it looks", {"matt", "gloss"}}},
      .options = {{.name = "coats",
                   .kind = OptionKind::integer,
                   .value_name = "N",
                   .help = "How often",
                   .default_value = "2",
                   .least = 1,
                   .most = 9},
                  {.name = "colour",
                   .kind = OptionKind::text,
                   .value_name = "NAME",
                   .help = "Which colour",
                   .choices = {"red", "rose", "ral:"}},
                  {.name = "tin", .kind = OptionKind::list, .value_name = "FILE", .help = "Tin \\ can"},
                  {.name = "shed", .short_name = 's', .kind = OptionKind::text, .value_name = "DIR", .help = "Shed"},
                  {.name = "dry", .help = "Wait"}}};
}

}  // namespace parsimap::test
