// The option of commands that give class probabilities spatial context.
#pragma once

#include "parsimap/mapping/regularisation.hpp"

#include "command_line.hpp"

namespace parsimap {

// --regularise, "none" where it is not given.
OptionSyntax regularise_option();
Regularisation regularisation_of(const OptionValues& values);

}  // namespace parsimap
