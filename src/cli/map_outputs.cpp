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
  return {{.name = "probabilities",
           .kind = OptionKind::text,
           .value_name = "FILE",
           .help = "Also write the probability of every class, one band each"},
          {.name = "confidence",
           .kind = OptionKind::text,
           .value_name = "FILE",
           .help = "Also write the largest probability"},
          {.name = "decision-values",
           .kind = OptionKind::text,
           .value_name = "FILE",
           .help = "Also write the decision value of every class, one band each"},
          {.name = "novelty",
           .kind = OptionKind::text,
           .value_name = "FILE",
           .help = "Also write how unlike all classes a pixel is, 0 to 1; 5 % of known surfaces are above 0.95"},
          {.name = "of",
           .kind = OptionKind::text,
           .value_name = "FORMAT",
           .help = "GDAL's name of the format of all outputs, such as GTiff, COG or ENVI; unset: by extension"},
          {.name = "co",
           .kind = OptionKind::list,
           .value_name = "KEY=VALUE",
           .help = "Creation option of the format, for all outputs"},
          report_option()};
}

MapFiles map_files(const OptionValues& values) {
  MapFiles files;
  files.map = values.argument("MAP");
  files.probabilities = values.text("probabilities");
  files.confidence = values.text("confidence");
  files.decision_values = values.text("decision-values");
  files.novelty = values.text("novelty");
  files.output = {values.text("of"), values.list("co"), values.flag("overwrite")};
  files.report = values.text("report");
  return files;
}

std::vector<NamedPath> named_paths(const MapFiles& files) {
  std::vector<NamedPath> paths = {{"MAP", files.map}};
  const auto add = [&](const std::string& role, const std::optional<std::string>& path) {
    if (path) {
      paths.push_back({role, *path});
    }
  };
  add("--probabilities", files.probabilities);
  add("--confidence", files.confidence);
  add("--decision-values", files.decision_values);
  add("--novelty", files.novelty);
  return paths;
}

MapFileSinks::MapFileSinks(const MapFiles& files, const RasterGrid& grid, const ClassTable& classes) : files_(files) {
  std::vector<std::string> names;
  for (const ClassEntry& entry : classes) {
    names.push_back(entry.name);
  }
  probabilities_ = field(files.probabilities, grid, names, files.output);
  confidence_ = field(files.confidence, grid, {"confidence"}, files.output);
  decision_values_ = field(files.decision_values, grid, names, files.output);
  novelty_ = field(files.novelty, grid, {"novelty"}, files.output);
  map_ = create_class_map(files.map, grid, classes, files.output);
}

MapFileSinks::Field MapFileSinks::field(const std::optional<std::string>& path, const RasterGrid& grid,
                                        const std::vector<std::string>& bands, const OutputOptions& output) {
  return path ? Field{*path, create_field(*path, grid, bands, output)} : Field{};
}

MapOutputs MapFileSinks::sinks() const {
  return {map_.get(), probabilities_.sink.get(), confidence_.sink.get(), decision_values_.sink.get(),
          novelty_.sink.get()};
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
    for (const Field* field : {&probabilities_, &confidence_, &decision_values_, &novelty_}) {
      if (field->sink) {
        appear(*field->sink, field->path);
      }
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
