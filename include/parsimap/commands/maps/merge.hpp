// Joining the parts of a map, or of an experiment, that several processes have made.
#pragma once

#include <string>

#include "parsimap/commands/job.hpp"
#include "parsimap/report/run_record.hpp"

namespace parsimap {

// The options of `merge`, which joins the parts of a job that several processes have shared.
struct MergeOptions : JobOptions {
  std::string map;              // as the parts were made for, or the output folder of an experiment
  bool virtual_mosaic = false;  // names the parts in a VRT instead of copying them
  bool keep_parts = false;      // a VRT keeps them in any case
};

// Checks all parts and writes the map and its layers: the same bytes as map_scene() would. Then the parts are removed.
// A VRT has the name of the map, or of the layer, with the extension .vrt. The record is that of all parts: counts,
// times and stages are sums, the time of joining is a stage of its own, and memory is the most that any of them has
// taken. ConfigError: outputs that exist or cannot be written. DataError: there are no parts, or some are missing,
// damaged or of another plan (all of them are named), or another version of the program has made them. IoError.
MappingRecord merge_map(const MergeOptions& options, Listener& listener);

}  // namespace parsimap
