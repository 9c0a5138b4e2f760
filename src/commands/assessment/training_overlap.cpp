#include "training_overlap.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "parsimap/core/file.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/raster/map_output.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/report/table.hpp"

namespace parsimap {

std::string model_of_map(const AssessOptions& options) {
  const std::string named = options.model ? "" : raster_metadata(options.map, kModelItem);
  return named.empty() ? options.model.value_or("")
                       : (std::filesystem::path(options.map).parent_path() / named).lexically_normal().string();
}

// The pixels of the map that hold the centres of training pixels, ascending; nothing where it is not known where these
// lie on the map. `scene` is the file of the scene that the map says it was made of.
static std::optional<std::vector<std::int64_t>> pixels_on_map(const TrainedScene& trained, const RasterGrid& map,
                                                              const std::string& scene) {
  std::vector<std::int64_t> pixels = pixels_of_runs(trained.runs);
  if (!trained.geotransform || !map.geotransform) {
    // Without coordinates only pixels of the same scene are known to be the same.
    const bool same = trained.geotransform == map.geotransform && trained.width == map.width &&
                      trained.height == map.height && base_name(trained.path) == base_name(scene);
    return same ? std::optional(pixels) : std::nullopt;
  }
  return pixels_on_grid({trained.width, trained.height, trained.geotransform, trained.crs}, pixels, map);
}

TrainingOverlap training_overlap(const AssessOptions& options, const RasterGrid& map, const Comparison& comparison,
                                 const LabelledPixels& reference, Listener& listener) {
  const std::string digest = raster_metadata(options.map, kModelDigestItem);
  TrainingOverlap overlap;
  overlap.model = model_of_map(options);
  const auto unknown = [&](const std::string& reason) {
    overlap.unknown = reason;
    return overlap;
  };
  if (overlap.model.empty()) {
    return unknown("the map does not name its model (--model)");
  }
  if (!options.model && !is_plain_file(overlap.model)) {
    return unknown("the model of the map, " + overlap.model + ", is not there (--model)");
  }
  if (!digest.empty() && sha256_of_file(overlap.model) != digest) {
    const std::string difference = overlap.model + " is not the model that the map was made with, by its SHA-256";
    if (!options.model) {
      return unknown(difference);
    }
    listener.warn("other-model", difference);
  }
  const Provenance provenance = load_model(overlap.model).provenance;
  std::vector<std::int64_t> training;
  for (const TrainedScene& trained : provenance.trained) {
    const auto pixels = pixels_on_map(trained, map, raster_metadata(options.map, kSceneItem));
    if (!pixels) {
      return unknown("without coordinates of the map and of " + trained.path + ", training pixels are not on the map");
    }
    add_all(training, *pixels);
  }
  if (training.empty() && provenance.trained.empty()) {
    return unknown(overlap.model + " does not contain the places of its training pixels");
  }
  std::ranges::sort(training);
  count_overlap(comparison, reference, training, overlap);
  return overlap;
}

}  // namespace parsimap
