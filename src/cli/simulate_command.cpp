#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/staged_file.hpp"
#include "parsimap/io/gdal/crs.hpp"
#include "parsimap/io/gdal/map_output.hpp"
#include "parsimap/io/gdal/polygons.hpp"
#include "parsimap/io/gdal/settings.hpp"
#include "parsimap/io/json/records.hpp"
#include "parsimap/io/json/simulation_spec.hpp"
#include "parsimap/report/info_report.hpp"
#include "parsimap/simulation/simulation.hpp"

#include "commands.hpp"
#include "output_folder.hpp"
#include "paths.hpp"

namespace parsimap {
namespace {

namespace fs = std::filesystem;

CommandSyntax syntax() {
  return {
      .name = "simulate",
      .summary = "Make a synthetic scene with reference and training polygons",
      .details =
          "Draws a scene of classes with known subspaces from a JSON specification and writes scene.img (ENVI)\n"
          "and scene.tif with the same values, reference.tif, training.gpkg and a copy of the specification,\n"
          "spec.json. Equal specifications give equal scenes.",
      .arguments = {{"SPEC", "Specification, a JSON file such as sample_data/spec.json"},
                    {"OUTPUT_DIR", "Folder to write to; made when its parent exists"}},
      .options = {},
  };
}

struct Targets {
  std::string envi, geotiff, reference, polygons, spec;
  bool copy_spec = true;  // false when the specification is in the folder already

  [[nodiscard]] std::vector<std::string> rasters() const { return {envi, geotiff, reference}; }
};

Targets targets_in(const fs::path& folder, const std::string& spec) {
  Targets targets;
  targets.envi = (folder / "scene.img").string();
  targets.geotiff = (folder / "scene.tif").string();
  targets.reference = (folder / "reference.tif").string();
  targets.polygons = (folder / "training.gpkg").string();
  targets.spec = (folder / "spec.json").string();
  std::error_code ignored;
  targets.copy_spec = !fs::equivalent(targets.spec, spec, ignored);
  return targets;
}

std::string crs_of(int epsg) {
  try {
    return epsg == 0 ? std::string() : crs_from_epsg(epsg);
  } catch (const ConfigError& error) {
    throw ConfigError(std::string("/epsg: ") + error.what());
  }
}

std::string read_all(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

struct SceneSinks {
  std::unique_ptr<FieldSink> envi, geotiff;
  std::unique_ptr<ClassMapSink> reference;
};

// Writes everything and counts the reference's pixels.
std::vector<ClassPixels> generate(const Simulation& simulation, const SceneSinks& sinks, const Progress& progress) {
  constexpr Index kValuesAtOnce = Index{1} << 24U;
  const RasterGrid& grid = simulation.grid();
  const Index rows = std::max<Index>(1, kValuesAtOnce / (grid.width * static_cast<Index>(simulation.bands().size())));
  std::vector<ClassPixels> classes;
  for (const ClassEntry& entry : simulation.class_table()) {
    classes.push_back({entry.code, entry.name, 0});
  }
  Spectra spectra;
  std::vector<std::uint16_t> codes;
  for (Index row = 0; row < grid.height; row += rows) {
    const Window window{0, row, grid.width, std::min(rows, grid.height - row)};
    simulation.spectra(window, spectra);
    simulation.reference(window, codes);
    sinks.envi->write(window, spectra);
    sinks.geotiff->write(window, spectra);
    sinks.reference->write(window, codes);
    for (const std::uint16_t code : codes) {
      if (code > 0) {
        ++classes[code - 1U].pixels;
      }
    }
    progress(static_cast<double>(window.row + window.height) / static_cast<double>(grid.height));
  }
  return classes;
}

void write_training(const Simulation& simulation, const std::string& path, bool overwrite) {
  // The format keeps the date of the last change, which would make equal files differ.
  set_gdal_option("OGR_CURRENT_DATE", "2000-01-01T00:00:00.000Z");
  std::vector<ClassPolygon> polygons;
  for (SimulatedPolygon& polygon : simulation.polygons()) {
    polygons.push_back({std::move(polygon.ring), std::move(polygon.class_name), std::move(polygon.split)});
  }
  write_polygons(path, simulation.grid().crs, "class", polygons, overwrite);
}

// The rasters and the copy of the specification appear together, the polygons just before.
std::vector<ClassPixels> write_simulation(const Simulation& simulation, const std::string& spec_text,
                                          const Targets& targets, const OutputOptions& options, Console& console) {
  const SceneSinks sinks = {create_scene(targets.envi, simulation.grid(), simulation.bands(), options),
                            create_scene(targets.geotiff, simulation.grid(), simulation.bands(), options),
                            create_class_map(targets.reference, simulation.grid(), simulation.class_table(), options)};
  std::unique_ptr<StagedFile> copy;
  if (targets.copy_spec) {
    copy = std::make_unique<StagedFile>(targets.spec, options.overwrite);
    copy->stream() << spec_text;
  }
  std::vector<ClassPixels> classes = generate(simulation, sinks, console.progress("simulating"));
  write_training(simulation, targets.polygons, options.overwrite);
  sinks.envi->commit();
  sinks.geotiff->commit();
  sinks.reference->commit();
  if (copy) {
    copy->commit();
  }
  return classes;
}

void check_targets(const Targets& targets, const OutputOptions& options) {
  for (const std::string& raster : targets.rasters()) {
    check_output(raster, options);
  }
  check_target(targets.polygons, options.overwrite);
  if (targets.copy_spec) {
    check_target(targets.spec, options.overwrite);
  }
}

// Rules that need more than the file's text come back without its name.
Simulation simulation_of(const SimulationSpec& spec, const std::string& path) {
  try {
    return Simulation(spec, crs_of(spec.epsg));
  } catch (const ConfigError& error) {
    throw ConfigError(path + ": " + error.what());
  }
}

void run(const OptionValues& values, Console& console) {
  const std::string& spec_path = values.argument("SPEC");
  const double start = steady_seconds();
  const SimulationSpec spec = read_simulation_spec(spec_path);
  const Simulation simulation = simulation_of(spec, spec_path);
  const OutputOptions options{{}, {}, values.flag("overwrite")};
  const OutputFolder folder(values.argument("OUTPUT_DIR"));
  const Targets targets = targets_in(values.argument("OUTPUT_DIR"), spec_path);
  check_targets(targets, options);
  SimulationRecord record;
  record.classes = write_simulation(simulation, read_all(spec_path), targets, options, console);
  record.spec = spec_path;
  record.files = {targets.envi, targets.geotiff, targets.reference, targets.polygons, targets.spec};
  record.width = spec.width;
  record.height = spec.height;
  record.bands = spec.bands;
  record.seed = spec.seed;
  record.seconds = steady_seconds() - start;
  console.result(console.json() ? simulation_json(record) : simulation_text(record));
}

}  // namespace

Command simulate_command() { return {syntax(), run}; }

}  // namespace parsimap
