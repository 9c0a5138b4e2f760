// Mapping many scenes with one model: a map each, and one map of them all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/commands/map_scene.hpp"
#include "parsimap/core/shard.hpp"

namespace parsimap {

// What `classify` does with one scene, or with several. Of several, `scene` says how each is read, without a path, and
// `map` is not used. Layers and the report are the ends of names then: "confidence.tif" stands for the file
// FOLDER/SCENE_confidence.tif.
struct ClassifyOptions : MapOptions {
  std::vector<std::string> scenes = {};         // several scenes
  std::optional<std::string> scene_table = {};  // table of further ones, with masks (read_scene_list())
  std::optional<std::string> output_folder =
      {};                                  // the maps are FOLDER/SCENE_map.tif; it is made where its parent exists
  std::optional<std::string> mosaic = {};  // map of all scenes
  std::optional<std::string> like = {};    // raster whose grid the mosaic has; unset: as mosaic_grid() makes one
  // One part of the map (map_shard()). Of several scenes its share of them: maps that are there already, by the records
  // FOLDER/SCENE_record.json, are left.
  std::optional<Shard> shard = {};
};

// Whether the options name several scenes, by a list or a table.
bool has_several_scenes(const ClassifyOptions& options);
// ConfigError: options of one scene and of several together.
void check_scenes(const ClassifyOptions& options);

// The names that outputs of the scenes begin with: those of their files or folders without extension, with that of the
// folder around them before it where several scenes are called the same. ConfigError where this does not tell them
// apart.
std::vector<std::string> scene_names(const std::vector<SceneInput>& scenes);

// Classifies every scene by itself, as map_scene(), and brings the maps to one grid: where they overlap, the most
// confident pixel counts. A scene that fails is told of in the result and leaves nothing behind; the others are done.
// ConfigError: neither folder nor mosaic, options that belong to one scene alone (segments), a mosaic of a share of the
// scenes, outputs that cannot be written. DataError: the model cannot be read; maps without a place cannot make a
// mosaic. IoError: the mosaic cannot be written.
ScenesRecord map_scenes(const ClassifyOptions& options, Listener& listener);

}  // namespace parsimap
