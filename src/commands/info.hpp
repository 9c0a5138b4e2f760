// The command `info`, which describes a scene, a spectral library or a model, and is one of the program alone.
#pragma once

#include "parsimap/commands/command.hpp"

namespace parsimap {

Command info_command();

}  // namespace parsimap
