// Mapping the classes of a scene with a model.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/commands/input_files.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/gdal/raster/map_output.hpp"
#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/report/dry_run_report.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/spatial/regularisation.hpp"

namespace parsimap {

struct MapOptions : JobOptions {
  SceneInput scene;
  std::string model;                          // file of a model
  bool resample = false;                      // compute bands that the scene lacks from those that it has
  std::optional<std::string> colours = {};    // file of the classes' colours, instead of the model's
  std::optional<double> reject = {};          // least probability of a pixel that is labelled
  std::optional<double> reject_novelty = {};  // its largest novelty
  std::optional<double> reject_outside = {};  // how unlike its class it may be at most
  std::optional<double> set_level = {};       // of prediction sets; unset: that of MappingOptions
  // Unset: as the model was trained for (SpatialRecord), unless there are segments.
  std::optional<Regularisation> regularise = {};
  std::string map;                              // class raster to write; not used by map_into()
  std::map<MapLayer, std::string> layers = {};  // rasters to write beside it
  // Raster of segment numbers on the scene's grid, or polygons: the pixels of each are classified together.
  std::optional<std::string> segments = {};
  std::optional<std::string> segments_out = {};  // vector file of the segments as they were classified
  std::optional<std::string> polygonise = {};    // GeoPackage of the areas of the classes
  std::optional<Index> least_pixels = {};        // of an area there; smaller ones join the largest beside them
  std::optional<std::string> stac = {};          // STAC item of the map and its layers
  OutputOptions format = {};                     // of all rasters; its progress is not used
  std::optional<std::string> report = {};        // page of HTML
};

// Classifies every pixel of the scene and writes the map with whatever else is asked for: all files, or none. That the
// map is empty is said to the listener.
// ConfigError: outputs that cannot be written or would replace an input, contradicting options. DataError: the scene or
// the model cannot be read, or the scene has not the model's bands. IoError: reading or writing fails on the way.
MappingRecord map_scene(const MapOptions& options, Listener& listener);

// What map_scene() would read, write and take; everything is checked and nothing written. Errors as map_scene() before
// it reads pixels.
DryRunRecord preview_map(const MapOptions& options, Listener& listener);

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

}  // namespace parsimap
