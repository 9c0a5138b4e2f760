// What a command did, as plain values: filled by the command, rendered as text, page and JSON.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/samples/band.hpp"
#include "parsimap/samples/spectral_library.hpp"
#include "parsimap/scene/open_scene.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/validation/label_forecast.hpp"

namespace parsimap {

// Name and wall-clock seconds of the stages of a run, in their order. Stages may overlap in time.
using StageSeconds = std::vector<std::pair<std::string, double>>;

// What a run took.
struct RunCost {
  double seconds = 0;
  StageSeconds stages = {};
  std::optional<std::int64_t> peak_memory_bytes = {};
};

// A scene that `train` has read.
struct TrainingSceneRecord {
  std::string scene;
  std::vector<std::string> labels;
  std::optional<std::string> mask;
  std::int64_t pixels = 0;                   // trained on
  std::optional<ResamplingFacts> resampled;  // to the bands of the first scene
};

// The labelled pixels that `train` keeps apart for testing.
struct TestRecord {
  std::string file;
  double share = 0;  // that was asked for
  std::string by;    // what its units are
  std::int64_t units = 0;
  std::int64_t pixels = 0;
  std::int64_t training_units = 0;
  std::int64_t training_pixels = 0;        // labelled ones, before --sampling
  double nearest = 0;                      // least distance of a test pixel from a training pixel
  double median_distance = 0;              // median of these distances of the test pixels
  std::string distance_unit;               // "m" or "pixels"
  std::vector<std::string> untested = {};  // classes of which no pixel is kept
};

// `train`, beside the model itself.
struct TrainingRecord : RunCost {
  std::string scene;                // the first; empty where spectral libraries are all there is
  std::vector<std::string> labels;  // its labels
  std::vector<TrainingSceneRecord> scenes;
  std::vector<std::string> libraries;
  std::optional<std::string> samples_out;
  std::string model;
  std::optional<std::string> report;
  std::int64_t invalid_pixels = 0;      // labelled, dropped: no value in a band used
  std::int64_t conflicting_pixels = 0;  // claimed by two classes, dropped
  std::int64_t outside_features = 0;    // features with no pixel on the grid
  std::optional<TestRecord> test = {};
};

struct ClassPixels {
  int code = 0;
  std::string name;
  std::int64_t pixels = 0;
};

// The classes before any pixel is counted.
inline std::vector<ClassPixels> without_pixels(const ClassTable& classes) {
  return mapped<ClassPixels>(classes, [](const ClassEntry& entry) { return ClassPixels{entry.code, entry.name, 0}; });
}

// What hangs on a labelled feature in a map.
struct DecidingFeature {
  std::string labels;        // file; empty where it is not known
  std::int64_t feature = 0;  // its number there
  std::int64_t part = 1;     // of the feature
  std::string name;          // of its class
  std::int64_t pixels = 0;   // for whose class it speaks most
  std::int64_t hanging = 0;  // of these, of another class without it
};

// A class of prediction sets.
struct SetClass {
  std::string name;
  Index units = 0;       // of left-out samples
  double threshold = 0;  // least probability of a pixel in whose set it is; 0 where units are too few
};

// The prediction sets of a map.
struct SetSizes {
  double level = 0;
  std::vector<std::int64_t> pixels = {};  // whose set has no class, one, .. all K
  std::vector<SetClass> classes = {};     // K
};

// What was counted while a map, or a part of one, was made.
struct MapCounts : RunCost {
  std::int64_t classified = 0;                 // pixels
  std::int64_t rejected = 0;                   // had values, but no class that was sure enough
  std::int64_t undeclared = 0;                 // no data by their values, though the scene does not say so
  std::vector<DecidingFeature> deciding = {};  // by its number in the layer; empty where it was not asked for
  std::optional<SetSizes> sets = {};           // likewise
};

// An optional layer of a map.
struct LayerFile {
  std::string name;                 // as in "decision values"
  std::optional<std::string> file;  // unset where it was not asked for
};

// Which part of a map was made.
struct MapShard {
  Shard shard;         // of number 0 where the parts were planned, and none was made
  ItemRange rows;      // of the map
  std::string folder;  // of all parts
  bool done = false;   // it was there already
};

// What a map is made of, and how.
struct MapOrigin {
  std::string scene;
  std::string model;
  std::optional<std::string> region = {};         // the part of the scene that is mapped: a file, or a box
  std::string regularise = "none";                // as asked for, such as "auto"
  std::string regularisation = "none";            // in effect, such as "neighbours:1:2"
  std::optional<ResamplingFacts> resampled = {};  // of the scene to the bands of the model
};

// `classify`, and `merge` of all parts of a map.
struct MappingRecord : MapCounts, MapOrigin {
  std::string map;
  std::vector<LayerFile> layers;  // every layer that there can be, in the order of their table
  std::optional<std::string> segments;
  std::optional<std::string> segments_out;
  std::int64_t segment_count = 0;            // that have a pixel with a value
  std::optional<std::string> polygons = {};  // of the areas of the classes
  std::optional<std::string> stac = {};      // item that describes the map and its layers
  std::optional<std::string> report;
  std::int64_t pixels = 0;  // of the grid
  std::vector<ClassPixels> classes;
  std::optional<MapShard> shard = {};  // where it is about a part of the map
};

// One of the scenes of `classify --scenes`.
struct SceneOutcome {
  std::string scene;
  std::optional<MappingRecord> record;  // unset where it failed
  std::string failure;                  // the sentence about it
};

// A map of several scenes.
struct MosaicRecord {
  std::string path;
  std::int64_t scenes = 0;      // with pixels in it
  std::int64_t pixels = 0;      // of its grid
  std::int64_t classified = 0;  // of these
  std::int64_t contested = 0;   // of these, with a class in several scenes
  std::vector<ClassPixels> classes;
};

// `classify --scenes`.
struct ScenesRecord {
  std::string model;
  std::vector<SceneOutcome> scenes;
  std::optional<MosaicRecord> mosaic;
  double seconds = 0;
};

// A quality layer of a product.
struct QualityRecord {
  std::string name;
  std::string meaning;
  bool left_out = false;  // the pixels that it marks, where nobody asks for anything else
};

// The map grid of a geometry lookup table.
struct GeometryRecord {
  Index width = 0;
  Index height = 0;
};

// `info SCENE`.
struct SceneRecord {
  std::string path;
  SceneDescription description;
  RasterGrid grid;
  BandTable bands;
  std::vector<QualityRecord> quality;
  std::optional<GeometryRecord> geometry;
};

// `simulate`.
struct SimulationRecord {
  std::string spec;
  std::vector<std::string> files;  // written
  Index width = 0;
  Index height = 0;
  Index bands = 0;
  std::uint64_t seed = 0;
  std::vector<ClassPixels> classes;  // pixels of the reference map
  double seconds = 0;
};

// A place to label.
struct SuggestedPlace {
  std::int64_t column = 0;  // of the pixel, from 0
  std::int64_t row = 0;
  std::array<double, 2> position{};  // of its centre in map coordinates; column and row without georeferencing
  std::string class_name;            // the most likely class, and the second one
  std::string second_class;
  double probability = 0;
  double second_probability = 0;
  double uncertainty = 0;  // 1 less the distance between these two
  double novelty = 0;
};

// The accuracy that is to be expected with more labels than those of these files.
struct LabelForecastRecord {
  std::vector<std::string> labels;
  std::vector<std::string> classes;  // names
  LabelForecast forecast;
};

// `suggest`.
struct LabelPlacesRecord : RunCost {
  std::string scene;
  std::string model;
  std::string file;                               // of points
  std::optional<ResamplingFacts> resampled = {};  // of the scene to the bands of the model
  std::vector<std::string> excluded;              // files of what is labelled already
  std::int64_t asked = 0;                         // places
  std::int64_t pixels = 0;                        // that could be chosen
  double least_distance = 0;                      // between two places, in effect
  std::string distance_unit;                      // "m" or "pixels"
  std::vector<SuggestedPlace> places = {};        // by rank
  std::optional<LabelForecastRecord> expected = {};
};

}  // namespace parsimap
