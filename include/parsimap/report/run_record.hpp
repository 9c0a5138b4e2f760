// What a command did, as plain values: filled by the command, rendered as text, page and JSON. The text and the
// documents of `info`, `simulate` and `suggest`.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/samples/spectral_library.hpp"

namespace parsimap {

// Name and wall-clock seconds of the stages of a run, in their order. Stages may overlap in time.
using StageSeconds = std::vector<std::pair<std::string, double>>;

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
struct TrainingRecord {
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
  double seconds = 0;
  StageSeconds stages;
  std::optional<std::int64_t> peak_memory_bytes;
};

struct ClassPixels {
  int code = 0;
  std::string name;
  std::int64_t pixels = 0;
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

// `classify`, and `merge` of all parts of a map.
struct MappingRecord {
  std::string scene;
  std::string model;
  std::string map;
  std::vector<LayerFile> layers;  // every layer that there can be, in the order of their table
  std::optional<std::string> segments;
  std::optional<std::string> segments_out;
  std::int64_t segment_count = 0;  // that have a pixel with a value
  std::optional<std::string> report;
  std::string regularise = "none";                // as asked for, such as "auto"
  std::string regularisation = "none";            // in effect, such as "neighbours:1:2"
  std::optional<ResamplingFacts> resampled = {};  // of the scene to the bands of the model
  std::int64_t pixels = 0;                        // of the grid
  std::int64_t classified = 0;                    // of these
  std::int64_t rejected = 0;                      // had values, but no class that was sure enough
  std::vector<ClassPixels> classes;
  double seconds = 0;
  StageSeconds stages;
  std::optional<std::int64_t> peak_memory_bytes;
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
  std::string product;   // of an agency, empty for other scenes
  std::string quantity;  // what the values of a product are
  std::string driver;
  std::string data_type;
  std::vector<std::string> files;
  std::int64_t bytes = 0;                        // 0 where unknown
  std::optional<double> nodata;                  // of all bands; unset where there is none or where bands differ
  bool nodata_differs = false;                   // by band
  std::optional<Index> misfit_bad_band_entries;  // length of a list of bad bands that does not fit the bands
  Index width = 0;
  Index height = 0;
  BandTable bands;
  std::optional<std::array<double, 6>> geotransform;  // GDAL's
  std::string crs;                                    // WKT, empty where unknown
  std::size_t control_points = 0;                     // where there is no geotransform
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

// `suggest`.
struct LabelPlacesRecord {
  std::string scene;
  std::string model;
  std::string file;                               // of points
  std::optional<ResamplingFacts> resampled = {};  // of the scene to the bands of the model
  std::vector<std::string> excluded;              // files of what is labelled already
  std::int64_t asked = 0;                         // places
  std::int64_t pixels = 0;                        // that could be chosen
  double least_distance = 0;                      // between two places, in effect
  std::string distance_unit;                      // "m" or "pixels"
  std::vector<SuggestedPlace> places;             // by rank
  double seconds = 0;
  StageSeconds stages;
  std::optional<std::int64_t> peak_memory_bytes;
};

// What a scene, a model or a spectral library holds, and what `simulate` and `suggest` made, as text for people.

std::string scene_text(const SceneRecord& record);

// Kernel, bands, scaling, provenance, classes, classes_text(), and where it is verbose classifiers_text(). `path` is
// the model's file.
std::string model_text(const Model& model, const std::string& path, bool verbose = false);

std::string simulation_text(const SimulationRecord& record);

// Format, sizes, wavelengths, the values of each attribute, and names: all of both where `verbose`, else the first
// some.
std::string library_text(const SpectralLibrary& library, bool verbose = false);

// The places that `suggest` found.
std::string label_places_text(const LabelPlacesRecord& record);

// ---- documents of `info --json`, `simulate --json` and `suggest --json`; of a model in report/training_report.hpp
// ----

std::string info_json(const SceneRecord& record);
// Everything but the spectra themselves: bands, the names of all spectra, and of every attribute its different values
// with their numbers of spectra.
std::string info_json(const SpectralLibrary& library);
std::string simulation_json(const SimulationRecord& record);
std::string label_places_json(const LabelPlacesRecord& record);

}  // namespace parsimap
