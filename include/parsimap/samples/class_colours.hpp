// The colours in which classes are shown.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "parsimap/samples/class_table.hpp"

namespace parsimap {

// One colour per class: its own where it has one, otherwise a customary one for what its name means (such as water),
// and otherwise one of a palette (Okabe and Ito 2008, then Tol 2021 "muted", then those of a cube of colours that
// differ most). Colours that are chosen differ from all others of the table, also for people with colour blindness, as
// long as there are such. The same table always gets the same colours.
std::vector<Colour> class_colours(const ClassTable& classes);

// The colour that files write as "#rrggbb", or as three numbers from 0 to 255 with commas between them, which ENVI puts
// into braces; nothing for another text.
std::optional<Colour> parse_colour(std::string_view text);

}  // namespace parsimap
