#include "info.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "parsimap/commands/input_files.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/library/library_file.hpp"
#include "parsimap/report/info_report.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/report/training_json.hpp"

#include "common_options.hpp"
#include "job_frame.hpp"

namespace parsimap {
namespace {

struct InfoOptions : JobOptions {
  std::string path;  // of a scene, a library or a model
  std::optional<std::string> variable = {};
};

CommandSyntax describe(InfoOptions& options) {
  return {
      .name = "info",
      .summary = "Describe a scene, a spectral library or a model",
      .details =
          "Of a scene: size, bands, wavelengths, bad bands, scale, georeferencing and storage, and of a product its\n"
          "level and quality layers. Of a spectral library: spectra, bands, attributes and their values. Of a model:\n"
          "classes, bands, kernel, how well every class was separated, and the inputs and options of the training.",
      .arguments =
          {{.name = "FILE",
            .help =
                "Raster that GDAL opens, product, MATLAB scene, spectral library (file, or folder of single spectra), "
                "or model file of 'parsimap train'",
            .field = bound(options.path),
            .file = {{FileContent::raster, FileContent::document}}}},
      .options = {variable_option(options.variable), verbose_option(options.verbose)},
  };
}

std::vector<QualityRecord> quality_records(const OpenScene& scene) {
  // Without an option, choose_quality() gives the layers that other commands leave out by default.
  const std::vector<QualityLayer> left_out = choose_quality(scene.quality, std::nullopt, scene.source->name());
  return mapped<QualityRecord>(scene.quality, [&](const QualityLayer& layer) {
    const bool is_left_out = std::ranges::find(left_out, layer.name, &QualityLayer::name) != left_out.end();
    return QualityRecord{layer.name, layer.meaning, is_left_out};
  });
}

SceneRecord describe_scene(const std::string& path, const std::optional<std::string>& variable,
                           CommandListener& listener) {
  const OpenScene scene = open_scene_file(path, {.variable = variable});
  if (!scene.description.note.empty()) {
    listener.message(scene.description.note);
  }
  // Spectra are not read: everything follows from the description of the opened scene.
  SceneRecord record{path, scene.description, scene.source->grid(), scene.source->bands(), quality_records(scene), {}};
  if (scene.geometry != nullptr) {
    record.geometry = {scene.geometry->grid().width, scene.geometry->grid().height};
  }
  return record;
}

void run_info(const InfoOptions& options, CommandListener& listener) {
  const Job job(options, listener);
  // The kind of the file is found by its content: a model by its first bytes, a library by its form. Everything else is
  // opened as a scene, whose errors are the most informative for unknown files.
  if (is_model_file(options.path)) {
    const Model model = load_model(options.path);
    listener.result(listener.json() ? info_json(model, options.path)
                                    : model_text(model, options.path, options.verbose));
    return;
  }
  if (!options.variable && is_library(options.path)) {
    const SpectralLibrary library = read_library(options.path);
    std::ranges::for_each(library.notes, [&](const std::string& note) { listener.message(note); });
    listener.result(listener.json() ? info_json(library) : library_text(library, options.verbose));
    return;
  }
  const SceneRecord record = describe_scene(options.path, options.variable, listener);
  listener.result(listener.json() ? info_json(record) : scene_text(record));
}

}  // namespace

Command info_command() { return command_of<InfoOptions>(run_info); }

}  // namespace parsimap
