// One page for training, map and accuracy, from what the three steps have written.
#pragma once

#include <string>

#include "parsimap/commands/input_files.hpp"
#include "parsimap/commands/job.hpp"

namespace parsimap {

struct ReportOptions : JobOptions {
  std::string model;          // file of a model
  std::string map;            // class raster
  std::string accuracy;       // document of `assess`, such as accuracy.json
  SceneInput scene = {};      // of the map, to be shown beside it; without a path: none
  LabelInput reference = {};  // to show where the map is right and wrong; without files: none
  std::string page;           // file to write
};

// Writes the page. That the accuracy is that of another map, or the reference another one, is said to the listener.
// ConfigError: the page cannot be written or would replace an input, or the options do not suit the reference.
// DataError: inputs that cannot be read, lie on different grids or do not fit together. IoError: reading or writing
// fails on the way.
void write_report(const ReportOptions& options, Listener& listener);

}  // namespace parsimap
