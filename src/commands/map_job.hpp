// What a whole map and a part of one have in common beside their files.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/commands/map_scene.hpp"
#include "parsimap/samples/spectral_library.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// DataError as load_model(), with a hint where the file is something else that the program knows.
Model load_or_explain(const std::string& path);

// Says that neighbours count because the model was trained for them, where that is so.
void tell_of_neighbours(const MapOptions& options, const Model& model, Listener& listener);

// What the options ask for; where they do not say, what the model was trained for.
Regularisation regularisation_of(const MapOptions& options, const Model& model);

// The options of the work: what the source keeps in memory by itself comes off what the windows may take.
MappingOptions mapping_of(const MapOptions& options, const InputScene& scene, const Model& model);

// A scene and the model that it is mapped with.
struct MapWork {
  MapOptions options;
  InputScene scene;
  Model model;
  std::optional<ResamplingFacts> resampled = {};
  std::unique_ptr<SegmentSource> segments = nullptr;
};

// Opens the scene and the model. ConfigError: options about segments that contradict others. Errors as
// open_input_scene() and load_or_explain().
MapWork open_work(const MapOptions& asked, Listener& listener);

// Fits the bands of the scene to the model, opens the segments, and colours the classes: after this outputs can be
// made. Errors as fit_bands() and open_segments().
void prepare(MapWork& work, Listener& listener);

// Errors as classify_scene().
MappingSummary classify(MapWork& work, const MapOutputs& outputs, Listener& listener);

// Every layer that there can be, with the file of those that are asked for.
std::vector<LayerFile> layer_files(const std::map<MapLayer, std::string>& layers);

// Names, counts and stages; the times of the whole are left to the caller.
MappingRecord record_of(const MapOptions& options, const Model& model, const MappingSummary& summary);

// Warns of a map without any class.
void warn_of_empty_map(const MappingRecord& record, Listener& listener);

}  // namespace parsimap
