#include "map_facts.hpp"

#include "parsimap/core/sha256.hpp"
#include "parsimap/gdal/raster/files.hpp"

#include "job_frame.hpp"
#include "map_job.hpp"
#include "parts_folder.hpp"

namespace parsimap {
namespace {

std::string colour_text(const ClassTable& classes) {
  std::string text;
  for (const ClassEntry& entry : classes) {
    text += (text.empty() ? "" : ", ") + std::to_string(entry.code);
    if (entry.colour) {
      const Colour& colour = *entry.colour;
      text += " " + std::to_string(colour[0]) + "/" + std::to_string(colour[1]) + "/" + std::to_string(colour[2]);
    }
  }
  return text;
}

// Every option that changes the map, set or not. Of input files there are digests, and layers are named as in the plan.
void add_settings(const MapOptions& options, const Model& model, MapFacts& facts) {
  MapOptions named = options;
  for (auto& [layer, path] : named.layers) {
    path = planned_path(options.map, path);
  }
  named.regularise = regularisation_of(options, model);
  for (const OptionSyntax& option : all_options(work_syntax(named))) {
    const bool input_file = !option.file.contents.empty() && !option.file.written;
    if (option.effect != Effect::result || input_file) {
      continue;
    }
    const std::optional<OptionValue> value = option.field.value();
    std::string text;
    for (const std::string& word : value ? value_texts(*value) : std::vector<std::string>{"unset"}) {
      text += (text.empty() ? "" : ", ") + word;
    }
    facts.emplace_back("--" + option.name, text);
  }
}

}  // namespace

MapFacts map_facts(const MapOptions& options, Index parts, const InputScene& scene, const Model& model) {
  const RasterGrid& grid = scene.source->grid();
  const SceneInput& input = options.scene;
  MapFacts facts = {{"the version of parsimap", PARSIMAP_VERSION},
                    {"the number of parts", std::to_string(parts)},
                    {"the size of the scene", std::to_string(grid.width) + " x " + std::to_string(grid.height)},
                    {"the digest of the scene", sampled_digest(scene.description.files)},
                    {"the digest of the mask", input.mask ? sampled_digest(files_of_input(*input.mask)) : "unset"},
                    {"the SHA-256 of the model", sha256_of_file(options.model)},
                    {"the colours of the classes", colour_text(model.classes)}};
  add_settings(options, model, facts);
  return facts;
}

}  // namespace parsimap
