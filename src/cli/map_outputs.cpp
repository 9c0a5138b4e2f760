#include "map_outputs.hpp"

#include <filesystem>
#include <system_error>

#include "report_file.hpp"

namespace parsimap {
namespace {

void remove_all(const std::vector<std::string>& outputs) {
  std::error_code ignored;
  for (const std::string& output : outputs) {
    for (const NamedPath& file : scene_files("", output)) {
      std::filesystem::remove(file.path, ignored);
    }
  }
}

}  // namespace

std::vector<OptionSyntax> map_output_syntax() {
  std::vector<OptionSyntax> options;
  for (const MapLayerDescription& layer : map_layers()) {
    options.push_back({.name = layer.option, .kind = OptionKind::text, .value_name = "FILE", .help = layer.help});
  }
  options.push_back(
      {.name = "of",
       .kind = OptionKind::text,
       .value_name = "FORMAT",
       .help = "GDAL's name of the format of all outputs, such as GTiff, COG or ENVI; unset: by extension"});
  options.push_back({.name = "co",
                     .kind = OptionKind::list,
                     .value_name = "KEY=VALUE",
                     .help = "Creation option of the format, for all outputs"});
  options.push_back(report_option());
  return options;
}

MapFiles map_files(const OptionValues& values) {
  MapFiles files;
  files.map = values.argument("MAP");
  for (const MapLayerDescription& layer : map_layers()) {
    if (const auto path = values.text(layer.option)) {
      files.layers[layer.layer] = *path;
    }
  }
  files.output = {values.text("of"), values.list("co"), values.flag("overwrite")};
  files.report = values.text("report");
  return files;
}

std::vector<NamedPath> named_paths(const MapFiles& files) {
  std::vector<NamedPath> paths = {{"MAP", files.map}};
  for (const auto& [layer, path] : files.layers) {
    paths.push_back({"--" + map_layer(layer).option, path});
  }
  return paths;
}

MapFileSinks::MapFileSinks(const MapFiles& files, const RasterGrid& grid, const ClassTable& classes) : files_(files) {
  for (const auto& [layer, path] : files.layers) {
    fields_[layer] = {path, create_field(path, grid, map_layer(layer).bands(classes), files.output)};
  }
  map_ = create_class_map(files.map, grid, classes, files.output);
}

MapOutputs MapFileSinks::sinks() const {
  MapOutputs outputs{.map = map_.get()};
  for (const auto& [layer, field] : fields_) {
    outputs.layers[layer] = field.sink.get();
  }
  return outputs;
}

void MapFileSinks::write_report(const std::string& html) {
  report_ = stage_report(*files_.report, html, files_.output.overwrite);
}

void MapFileSinks::commit() {
  std::vector<std::string> appeared;
  const auto appear = [&](auto& output, const std::string& path) {
    std::error_code ignored;
    const bool fresh = !std::filesystem::exists(path, ignored);
    output.commit();
    if (fresh) {
      appeared.push_back(path);
    }
  };
  try {
    for (const auto& [layer, field] : fields_) {
      appear(*field.sink, field.path);
    }
    if (report_) {
      appear(*report_, *files_.report);
    }
    map_->commit();
  } catch (...) {
    remove_all(appeared);
    throw;
  }
}

}  // namespace parsimap
