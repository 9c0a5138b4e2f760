#include "parsimap/app/simulate.hpp"
#include "parsimap/io/json/records.hpp"
#include "parsimap/report/info_report.hpp"

#include "commands.hpp"
#include "shared_options.hpp"

namespace parsimap {
namespace {

CommandSyntax simulate_syntax() {
  return {
      .name = "simulate",
      .summary = "Make a synthetic scene with reference and training polygons",
      .details =
          "Draws a scene of classes with known subspaces from a JSON specification and writes scene.img (ENVI)\n"
          "and scene.tif with the same values, reference.tif, training.gpkg and a copy of the specification,\n"
          "spec.json. Equal specifications give equal scenes.",
      .arguments = {{.name = "SPEC",
                     .help = "Specification, a JSON file such as sample_data/spec.json",
                     .file = {{FileContent::document}, false, {".json"}}},
                    {.name = "OUTPUT_DIR",
                     .help = "Folder to write to; made when its parent exists",
                     .file = {{FileContent::folder}, true}}},
      .options = {},
  };
}

void run_simulate(const OptionValues& values, CommandListener& listener) {
  const SimulationRecord record = simulate_scene(
      {values.argument("SPEC"), values.argument("OUTPUT_DIR"), values.flag("overwrite"), option_files(values)},
      listener);
  listener.result(listener.json() ? simulation_json(record) : simulation_text(record));
}

}  // namespace

Command simulate_command() { return {simulate_syntax(), run_simulate}; }

}  // namespace parsimap
