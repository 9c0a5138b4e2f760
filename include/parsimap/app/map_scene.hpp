// Mapping the classes of a scene with a model.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/app/input_files.hpp"
#include "parsimap/app/listener.hpp"
#include "parsimap/io/gdal/map_output.hpp"
#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/mapping/map_layer.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

struct MapOptions {
  SceneInput scene;
  std::string model;                     // file of a model
  bool resample = false;                 // compute bands that the scene lacks from those that it has
  std::vector<ColourRule> colours = {};  // of the classes, instead of the model's
  MappingOptions mapping = {};           // memory, threads, what is rejected, regularisation
  // Regularise as the model says (SpatialRecord), unless segments are judged; mapping.regularisation is none then.
  bool regularise_by_model = false;
  std::string map;                              // class raster to write; not used by map_into()
  std::map<MapLayer, std::string> layers = {};  // rasters to write beside it
  // Raster of segment numbers on the scene's grid, or polygons: the pixels of each are judged together.
  std::optional<std::string> segments = {};
  std::optional<std::string> segments_out = {};  // vector file of the segments as they were judged
  OutputOptions format = {};                     // of all rasters; its progress is not used
  std::optional<std::string> report = {};        // page of HTML
  bool overwrite = false;
  std::vector<OptionFile> option_files = {};                     // no output may replace them
  std::vector<std::pair<std::string, std::string>> record = {};  // names and values of options that the page shows
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

}  // namespace parsimap
