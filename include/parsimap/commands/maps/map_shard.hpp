// Making one part of a map: several processes share the work.
#pragma once

#include "parsimap/commands/job.hpp"
#include "parsimap/commands/maps/classify.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/report/run_record.hpp"

namespace parsimap {

// Makes the part `shard` of the map and of its layers, in the folder MAP.parts, which merge_map() joins. Parts are
// whole rows of storage blocks. The first process writes a plan there that the others follow, such as the
// regularisation that was chosen from the whole scene; with shard.number 0 nothing but the plan is made. A part that is
// complete is left as it is. The part appears whole or not at all. ConfigError: as map_scene(); options that belong to
// the map as a whole (segments, report); the folder holds a plan or a part of another scene, model, version or options,
// unless these may be overwritten. DataError as map_scene(), and where the plan is damaged. IoError.
MappingRecord map_shard(const MapOptions& options, const Shard& shard, Listener& listener);

}  // namespace parsimap
