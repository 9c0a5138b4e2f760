// Which pixels `classify` leaves unclassified although they have values.
#pragma once

#include <vector>

#include "parsimap/mapping/classify_scene.hpp"

#include "command_line.hpp"

namespace parsimap {

// --reject and --reject-novelty, numbers above 0 and at most 1; ConfigError for others.
std::vector<OptionSyntax> reject_option_syntax();

// Sets the two limits.
void read_reject_options(const OptionValues& values, MappingOptions& options);

}  // namespace parsimap
