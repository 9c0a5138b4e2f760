#include <optional>
#include <string>

#include "parsimap/app/input_files.hpp"
#include "parsimap/io/json/model_file.hpp"
#include "parsimap/io/json/records.hpp"
#include "parsimap/report/info_report.hpp"

#include "commands.hpp"
#include "shared_options.hpp"

namespace parsimap {
namespace {

CommandSyntax syntax() {
  return {
      .name = "info",
      .summary = "Describe a scene or a model",
      .details =
          "Of a scene: size, bands, wavelengths, bad bands, scale, georeferencing and storage. Of a model: classes, "
          "bands, kernel,\n"
          "how well every class was told apart, and from which inputs and options.",
      .arguments = {{.name = "FILE",
                     .help = "Raster that GDAL opens, MATLAB scene, or model file of 'parsimap train'",
                     .file = {{FileContent::raster, FileContent::document}}}},
      .options = {variable_option(), verbose_option()},
  };
}

SceneRecord describe(const std::string& path, const std::optional<std::string>& variable, Console& console) {
  const OpenScene opened = open_scene_file(path, {.variable = variable});
  const SceneDescription& description = opened.description;
  const std::unique_ptr<SceneSource>& scene = opened.source;
  if (!description.note.empty()) {
    console.message(description.note);
  }
  SceneRecord record;
  record.path = path;
  record.driver = description.driver;
  record.data_type = description.data_type;
  record.files = description.files;
  record.bytes = description.bytes;
  record.nodata = description.nodata;
  record.nodata_differs = description.nodata_differs;
  record.misfit_bad_band_entries = description.misfit_bad_band_entries;
  record.width = scene->grid().width;
  record.height = scene->grid().height;
  record.bands = scene->bands();
  record.geotransform = scene->grid().geotransform;
  record.crs = scene->grid().crs;
  return record;
}

void run(const OptionValues& values, Console& console) {
  const std::string& path = values.argument("FILE");
  if (is_model_file(path)) {
    const Model model = load_model(path);
    console.result(console.json() ? info_json(model, path) : model_text(model, path, values.flag("verbose")));
    return;
  }
  const SceneRecord record = describe(path, values.text("variable"), console);
  console.result(console.json() ? info_json(record) : scene_text(record));
}

}  // namespace

Command info_command() { return {syntax(), run}; }

}  // namespace parsimap
