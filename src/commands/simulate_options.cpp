#include "parsimap/commands/command.hpp"
#include "parsimap/json/records.hpp"
#include "parsimap/report/info_report.hpp"

namespace parsimap {
namespace {

void run_simulate(const SimulateOptions& options, CommandListener& listener) {
  const SimulationRecord record = simulate_scene(options, listener);
  listener.result(listener.json() ? simulation_json(record) : simulation_text(record));
}

}  // namespace

CommandSyntax describe(SimulateOptions& options) {
  return {
      .name = "simulate",
      .summary = "Make a synthetic scene with reference and training polygons",
      .details =
          "Draws a scene of classes with known subspaces from a JSON specification and writes scene.img (ENVI)\n"
          "and scene.tif with the same values, reference.tif, training.gpkg and a copy of the specification,\n"
          "spec.json. Equal specifications give equal scenes.",
      .arguments = {{.name = "SPEC",
                     .help = "Specification, a JSON file such as sample_data/spec.json",
                     .field = bound(options.spec),
                     .file = {{FileContent::document}, false, {".json"}}},
                    {.name = "OUTPUT_DIR",
                     .help = "Folder to write to; made when its parent exists",
                     .field = bound(options.output_folder),
                     .file = {{FileContent::folder}, true}}},
  };
}

Command simulate_command() { return command_of<SimulateOptions>(run_simulate); }

}  // namespace parsimap
