// Making a synthetic scene with reference and training polygons.
#pragma once

#include <string>

#include "parsimap/commands/job.hpp"
#include "parsimap/report/run_record.hpp"

namespace parsimap {

struct SimulateOptions : JobOptions {
  std::string spec;           // specification, a JSON file
  std::string output_folder;  // made when its parent exists
};

// Writes scene.img (ENVI) and scene.tif with the same values, reference.tif, training.gpkg and a copy of the
// specification, spec.json, unless the specification is that file: all of them, or none. Equal specifications give
// equal files.
// ConfigError: a specification that breaks a rule, outputs that cannot be written. IoError: writing fails on the way.
SimulationRecord simulate_scene(const SimulateOptions& options, Listener& listener);

}  // namespace parsimap
