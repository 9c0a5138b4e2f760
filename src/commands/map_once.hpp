// A map of a whole scene that is made once, however often it is asked for: processes share out scenes, and are started
// again when they were killed.
#pragma once

#include <string>

#include "parsimap/commands/map_scene.hpp"

namespace parsimap {

// map_scene(), beside which the file `record` tells what the map was made of. Where it says that this very map is there
// and the files are of the sizes that they had, nothing is done but to tell. A map that was begun for the same job, by
// a process that was killed, is replaced. Errors as map_scene(), and none of a record that cannot be read.
MappingRecord map_once(const MapOptions& options, const std::string& record, Listener& listener);

}  // namespace parsimap
