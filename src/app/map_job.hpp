// What a whole map and a part of one have in common beside their files.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "parsimap/app/map_scene.hpp"

namespace parsimap {

// DataError as load_model(), with a hint where the file is something else that the program knows.
Model load_or_explain(const std::string& path);

// The files that a map is made from and written to.
std::vector<std::string> files_of(const MapOptions& options);

// The options with the regularisation that the model asks for where they leave it to the model, which is said to the
// listener: chosen from the scene, where the model is to be used with neighbours.
MapOptions following_model(MapOptions options, const Model& model, Listener& listener);

// The options of the work: what the source keeps in memory by itself comes off what the windows may take.
MappingOptions mapping_of(const MapOptions& options, const InputScene& scene, const Model& model);

// Every layer that there can be, with the file of those that are asked for.
std::vector<LayerFile> layer_files(const std::map<MapLayer, std::string>& layers);

// Names, counts and stages; the times of the whole are left to the caller.
MappingRecord record_of(const MapOptions& options, const Model& model, const MappingSummary& summary);

// Warns of a map without any class.
void warn_of_empty_map(const MappingRecord& record, Listener& listener);

}  // namespace parsimap
