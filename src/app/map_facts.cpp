#include "map_facts.hpp"

#include <sstream>

#include "parsimap/core/sha256.hpp"
#include "parsimap/io/gdal/file_digest.hpp"

#include "parts_folder.hpp"

namespace parsimap {
namespace {

std::string number_text(const std::optional<double>& value) {
  std::ostringstream text;
  value ? text << *value : text << "unset";
  return text.str();
}

std::string list_text(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& item : list) {
    text += (text.empty() ? "" : ", ") + item;
  }
  return text.empty() ? "unset" : text;
}

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
                    {"--variable", input.variable.value_or("unset")},
                    {"--quality", input.quality ? "'" + list_text(*input.quality) + "'" : "unset"},
                    {"--orthorectify", input.orthorectify ? "set" : "unset"},
                    {"--resample", options.resample ? "set" : "unset"},
                    {"--reject", number_text(options.mapping.reject)},
                    {"--reject-novelty", number_text(options.mapping.reject_novelty)},
                    {"--regularise", to_string(options.mapping.regularisation)},
                    {"--of", options.format.format.value_or("unset")},
                    {"--co", list_text(options.format.creation_options)},
                    {"the colours of the classes", colour_text(model.classes)}};
  for (const MapLayerDescription& layer : map_layers()) {
    const auto asked = options.layers.find(layer.layer);
    facts.emplace_back("--" + layer.option,
                       asked == options.layers.end() ? "unset" : planned_path(options.map, asked->second));
  }
  return facts;
}

}  // namespace parsimap
