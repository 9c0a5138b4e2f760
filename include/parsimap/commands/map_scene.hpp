// Mapping the classes of scenes with a model: one scene, many scenes, a part of a scene, and the parts joined.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/commands/job.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/gdal/raster/map_output.hpp"
#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

struct MapOptions : JobOptions {
  SceneInput scene;
  std::string model;                          // file of a model
  bool resample = false;                      // compute bands that the scene lacks from those that it has
  std::optional<std::string> colours = {};    // file of the classes' colours, instead of the model's
  std::optional<double> reject = {};          // least probability of a pixel that is labelled
  std::optional<double> reject_novelty = {};  // its largest novelty
  // Unset: as the model was trained for (SpatialRecord), unless there are segments.
  std::optional<Regularisation> regularise = {};
  std::string map;                              // class raster to write; not used by map_into()
  std::map<MapLayer, std::string> layers = {};  // rasters to write beside it
  // Raster of segment numbers on the scene's grid, or polygons: the pixels of each are classified together.
  std::optional<std::string> segments = {};
  std::optional<std::string> segments_out = {};  // vector file of the segments as they were classified
  OutputOptions format = {};                     // of all rasters; its progress is not used
  std::optional<std::string> report = {};        // page of HTML
};

// Classifies every pixel of the scene and writes the map with whatever else is asked for: all files, or none. That the
// map is empty is said to the listener.
// ConfigError: outputs that cannot be written or would replace an input, contradicting options. DataError: the scene or
// the model cannot be read, or the scene has not the model's bands. IoError: reading or writing fails on the way.
MappingRecord map_scene(const MapOptions& options, Listener& listener);

// Where a map is to go, once the grid of the scene and the classes of the model are known. What it makes is kept by the
// caller.
using MakeMapOutputs = std::function<MapOutputs(const RasterGrid& grid, const ClassTable& classes)>;

// The same map, written to what `make` makes instead of files, such as arrays in memory. It is neither closed nor
// published. Errors as map_scene(); ConfigError also where options name files beside the map.
MappingRecord map_into(const MapOptions& options, const MakeMapOutputs& make, Listener& listener);

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
// confident pixel counts. A scene that fails is reported in the result and leaves nothing behind; the others are done.
// ConfigError: neither folder nor mosaic, options that belong to one scene alone (segments), a mosaic of a share of the
// scenes, outputs that cannot be written. DataError: the model cannot be read; maps without a place cannot make a
// mosaic. IoError: the mosaic cannot be written.
ScenesRecord map_scenes(const ClassifyOptions& options, Listener& listener);

// Makes the part `shard` of the map and of its layers, in the folder MAP.parts, which merge_map() joins. Parts are
// whole rows of storage blocks. The first process writes a plan there that the others follow, such as the
// regularisation that was chosen from the whole scene; with shard.number 0 nothing but the plan is made. A part that is
// complete is left as it is. The part appears whole or not at all. ConfigError: as map_scene(); options that belong to
// the map as a whole (segments, report); the folder holds a plan or a part of another scene, model, version or options,
// unless these may be overwritten. DataError as map_scene(), and where the plan is damaged. IoError.
MappingRecord map_shard(const MapOptions& options, const Shard& shard, Listener& listener);

// Checks all parts and writes the map and its layers: the same bytes as map_scene() would. Then the parts are removed.
// A VRT has the name of the map, or of the layer, with the extension .vrt. The record is that of all parts: counts,
// times and stages are sums, the time of joining is a stage of its own, and memory is the most that any of them has
// taken. ConfigError: outputs that exist or cannot be written. DataError: there are no parts, or some are missing,
// damaged or of another plan (all of them are named), or another version of the program has made them. IoError.
MappingRecord merge_map(const MergeOptions& options, Listener& listener);

}  // namespace parsimap
