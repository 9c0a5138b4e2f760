#include "parsimap/commands/simulate.hpp"

#include <filesystem>
#include <memory>
#include <vector>

#include "parsimap/commands/command.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/map_output.hpp"
#include "parsimap/gdal/vector/vector_output.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/json/simulation_spec.hpp"
#include "parsimap/report/info_report.hpp"
#include "parsimap/simulation/simulated_layout.hpp"
#include "parsimap/simulation/simulation.hpp"
#include "parsimap/simulation/simulation_spec.hpp"

#include "job_frame.hpp"

namespace parsimap {
namespace {

namespace fs = std::filesystem;

struct SimulationOutputs {
  SimulationOutputs(OutputSet& set, const SimulateOptions& options) {
    set.make_folder(options.output_folder);
    const auto in_folder = [&](const char* name) { return (fs::path(options.output_folder) / name).string(); };
    spec_target = in_folder("spec.json");
    std::error_code absent;
    // A specification that is already spec.json of this folder is an input and must not be staged as an output.
    const bool copies_onto_itself = fs::equivalent(spec_target, options.spec, absent);
    envi = &stage_raster(set, "output", in_folder("scene.img"), {});
    // The two scenes have a base name in common on purpose; the files beside them do not meet.
    geotiff = &set.stage("output", in_folder("scene.tif"), {in_folder("scene.tif"), in_folder("scene.tif.aux.xml")});
    reference = &stage_raster(set, "output", in_folder("reference.tif"), {});
    polygons = &stage_vector(set, "output", in_folder("training.gpkg"));
    if (!copies_onto_itself) {
      spec = &set.stage("output", spec_target);
    }
  }

  [[nodiscard]] std::vector<std::string> files() const {
    return {envi->target, geotiff->target, reference->target, polygons->target, spec_target};
  }

  const StagedOutput* envi = nullptr;
  const StagedOutput* geotiff = nullptr;
  const StagedOutput* reference = nullptr;
  const StagedOutput* polygons = nullptr;
  const StagedOutput* spec = nullptr;  // null when the specification is in the folder already
  std::string spec_target;
};

std::string crs_of(int epsg) {
  return naming<ConfigError>("/epsg: ", [&] { return epsg == 0 ? std::string() : crs_from_epsg(epsg); });
}

// Writes the rasters and counts the reference's pixels.
std::vector<ClassPixels> write_rasters(const Simulation& simulation, const SimulationOutputs& outputs,
                                       Listener& listener) {
  const Progress progress = listener.progress("simulating");
  constexpr Index kValuesAtOnce = Index{1} << 24U;
  const RasterGrid& grid = simulation.grid();
  OutputOptions format;
  // Drivers compress much after they have reported it, which takes about three times as long as reading the file back,
  // the second half.
  format.progress = [writing = writing_progress(listener)](double fraction) {
    writing(fraction < 0.5 ? 0 : (1 + fraction) / 2);
  };
  const std::unique_ptr<FieldSink> envi = create_scene(*outputs.envi, grid, simulation.bands(), format);
  const std::unique_ptr<FieldSink> geotiff = create_scene(*outputs.geotiff, grid, simulation.bands(), format);
  const auto reference = create_class_map(*outputs.reference, grid, simulation.class_table(), {});
  // Windows of whole rows with about 16 million values (64 MB in single precision) at once. The values of a pixel
  // depend only on the seed and its position, so that the division into windows has no influence on the scene.
  const Index pixels = kValuesAtOnce / static_cast<Index>(simulation.bands().size());
  std::vector<ClassPixels> classes = without_pixels(simulation.class_table());
  Spectra spectra;
  std::vector<std::uint16_t> codes;
  for (const Window& window : row_strips({0, 0, grid.width, grid.height}, pixels)) {
    simulation.spectra(window, spectra);
    simulation.reference(window, codes);
    envi->write(window, spectra);
    geotiff->write(window, spectra);
    reference->write(window, codes);
    for (const std::uint16_t code : codes) {
      if (code > 0) {
        // Codes of a simulation are 1 to K in the order of its classes; 0 is a gap without a class.
        ++classes[code - 1U].pixels;
      }
    }
    report_done(progress, window.row + window.height, grid.height);
  }
  geotiff->close();
  envi->close();
  reference->close();
  return classes;
}

void write_training(const Simulation& simulation, const StagedOutput& output, const Progress& progress) {
  // The split, train or test, is an attribute of each polygon: both kinds are in one file and are selected by --where.
  const auto polygons = mapped<ClassPolygon>(simulation.polygons(progress), [](const SimulatedPolygon& polygon) {
    return ClassPolygon{polygon.ring, polygon.class_name, polygon.split};
  });
  write_polygons(output, simulation.grid().crs, "class", polygons);
}

}  // namespace

SimulationRecord simulate_scene(const SimulateOptions& options, Listener& listener) {
  Job job(options, listener);
  const SimulationSpec spec = read_simulation_spec(options.spec);
  // Rules that need more than the file's text come back without its name.
  const Simulation simulation =
      naming<ConfigError>(options.spec + ": ", [&] { return Simulation(spec, crs_of(spec.epsg)); });
  // The specification is read and checked before the outputs are staged. Scene and reference are generated window by
  // window and written at once; polygons are placed afterwards, because they need the complete layout.
  const SimulationOutputs outputs(job.outputs(), options);
  SimulationRecord record;
  listener.plan({{"simulating", 14}, {"writing", 7}, {"writing", 1.5}, {"placing polygons", 0.5}});
  record.classes = write_rasters(simulation, outputs, listener);
  write_training(simulation, *outputs.polygons, listener.progress("placing polygons"));
  if (outputs.spec != nullptr) {
    write_text(*outputs.spec, read_text_file(options.spec, kLargestConfiguration));
  }
  job.publish();
  record.spec = options.spec;
  record.files = outputs.files();
  record.width = spec.width;
  record.height = spec.height;
  record.bands = spec.bands;
  record.seed = spec.seed;
  record.seconds = job.seconds();
  return record;
}

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
      .tool = true,
  };
}

Command simulate_command() { return command_of(simulate_scene, simulation_json, simulation_text); }

}  // namespace parsimap
