// Colours of the classes in maps and reports.
#pragma once

#include <vector>

#include "parsimap/samples/class_table.hpp"

namespace parsimap {

// One colour per class: its own where it has one, otherwise from a list that the colour-blind can tell apart (Okabe and
// Ito 2008, then Tol 2021 "muted"), and for still more classes hues at golden-ratio steps. The same table always gets
// the same colours; a colour of the list that a class already has is passed over.
std::vector<Colour> class_colours(const ClassTable& classes);

}  // namespace parsimap
