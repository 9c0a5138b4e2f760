// A scene as a model sees it, its classification, and the mosaic of several maps.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/samples/band.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/spatial/profiled_scene.hpp"
#include "parsimap/spatial/regularisation.hpp"

namespace parsimap {

// The bands that the model uses, as match_bands() of samples/band.hpp wants them.
WantedBands wanted_bands(const Model& model);

// The scene's band for every band that the model uses, found as there: an index per entry of model.bands. DataError: a
// misfit.
Indices match_bands(const SceneSource& scene, const Model& model);

// The bands of the model, and behind them the profiles of the pixels where the model has a kernel of profiles.
class ModelScene {
 public:
  // The bands are found by match_bands(). Profiles take a part of `ram_bytes`, which are for all work on the scene.
  // Errors as match_bands() and ProfiledScene.
  ModelScene(SceneSource& scene, const Model& model, std::optional<double> pixel_metres, std::int64_t ram_bytes,
             int threads);

  [[nodiscard]] SceneSource& source() { return profiled_ ? *profiled_ : scene_; }
  // The bands of source() that are used: d + q.
  [[nodiscard]] const Indices& bands() const { return bands_; }
  // What profiles take of the memory.
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

 private:
  SceneSource& scene_;
  Indices bands_;
  std::optional<ProfiledScene> profiled_;
  std::int64_t bytes_ = 0;
};

// Numbers that are read for a pixel, d + q.
Index values_of_pixel(const Model& model);

// Classifies a whole scene, window by window and in bounded memory: spectra come from a source, and the map and its
// optional layers go to sinks.

// The optional layers of a map: what can be written of every pixel beside the code of its class. All that the program
// knows of a layer stands in one entry of map_layers(): a new layer is a new MapLayer and a new entry.
enum class MapLayer { probabilities, confidence, uncertainty, decision_values, novelty };

// What the spectra of n pixels say, each by itself. K is the number of classes.
struct OwnDecisions {
  Spectra decision_values;  // n x K: f_c(x), without a unit
  Spectra probabilities;    // n x K: softmax of the decision values; each row sums up to 1
  Spectra novelty;          // n x 1, in [0, 1]; empty where neither a layer nor a limit asks for it
};

// What is written in the map about n pixels, after their neighbours have been asked where the map is regularised.
struct FinalDecisions {
  Spectra probabilities;  // n x K; each row sums up to 1
  Spectra confidence;     // n x 1: the largest probability of each pixel
  Spectra novelty;        // n x 1: that of the pixel's own spectrum; empty where no limit asks for it
};

// Writes the values of a layer for pixel i of the decisions: as many numbers as the layer has bands.
template <typename Decisions>
using LayerValues = void (*)(const Decisions& decisions, Index i, float* values);

struct MapLayerDescription {
  MapLayer layer;
  std::string option;                    // of the command line, without the dashes
  std::string help;                      // what the option's help says
  std::vector<std::string> fixed_bands;  // the names of its bands; empty: a band for every class, named after it
  bool needs_novelty;                    // novelty takes time, so it is computed only where a layer or a limit needs it
  // The type of the argument says which decisions the layer shows: those of the spectrum alone or those of the map.
  std::variant<LayerValues<OwnDecisions>, LayerValues<FinalDecisions>> values;

  // The names of the layer's bands, in their order.
  [[nodiscard]] std::vector<std::string> bands(const ClassTable& classes) const;
};

// How undecided class probabilities are, in two numbers from 0 (one class is certain) to 1 (undecided). For the K
// probabilities p of a row, of which p_1 and p_2 are the largest and the second largest:
//   margin uncertainty   1 - (p_1 - p_2), which is 1 when two classes are equally likely, whatever the others are;
//   entropy              -sum_c p_c log p_c / log K, which is 1 only when all classes are equally likely.
struct Uncertainty {
  float margin = 0;
  float entropy = 0;
};
Uncertainty uncertainty_of(const float* probabilities, Index classes);

// All layers, in the order in which users see them and files are written.
const std::vector<MapLayerDescription>& map_layers();

// The entry of one layer.
const MapLayerDescription& map_layer(MapLayer layer);

struct MappingOptions {
  std::int64_t ram_bytes = std::int64_t{256}
                           << 20U;    // for the windows that are read and computed, beside the model and GDAL's cache
  int threads = 0;                    // of the computation, 0 = all processors; one more thread reads
  std::optional<double> reject = {};  // least probability that a labelled pixel must have
  std::optional<double> reject_novelty = {};  // largest novelty that it may have
  Regularisation regularisation = {};         // of the probabilities; automatic: chosen from the scene
  int strongest = kStrongestNeighbours;       // strength of neighbours that an automatic choice may take
  double exponent = 1;                        // of the regularised probabilities, SpatialRecord::exponent
  std::optional<ItemRange> rows = {};         // of the scene that are classified; unset: all
  std::optional<double> pixel_metres = {};    // how wide a pixel is, for profiles with radii in metres
};

// Where the results go. The sinks are kept by the caller.
struct MapOutputs {
  // Required: the codes of the model's classes, 0 where a pixel has no value or is rejected.
  ClassMapSink* map = nullptr;
  // The optional layers that are wanted, none of them null; bands of classes are in the order of the model's classes.
  std::map<MapLayer, FieldSink*> layers = {};
};

// A segment that has pixels with a value in every band used, as it was classified.
struct ClassifiedSegment {
  std::int64_t number = 0;
  std::int64_t pixels = 0;  // of these
  Window window;            // the smallest one around them
  int label = 0;            // index of the class of the largest mean probability
  float confidence = 0;     // that mean
  bool rejected = false;    // its pixels are 0 in the map
};

struct MappingSummary {
  std::int64_t pixels = 0;                  // of the grid, or of the rows of it that are classified
  std::int64_t classified = 0;              // of these, with a value in every band used and not rejected
  std::int64_t rejected = 0;                // of the pixels with a value in every band used
  std::int64_t undeclared = 0;              // left out as no data by whoever screens the scene
  std::vector<std::int64_t> class_pixels;   // K
  Regularisation regularisation;            // in effect: never automatic
  std::vector<ClassifiedSegment> segments;  // ascending by number
  double choice_seconds = 0;                // of choosing it, reading included
  double read_seconds = 0;                  // overlaps with the other two
  double compute_seconds = 0;
  double write_seconds = 0;
};

// Classifies every pixel that is finite in all bands used, and for a model with profiles computes these from the pixels
// around it (spatial/profiled_scene.hpp): probabilities softmax(a f(x)), regularised where options say
// so, label the first largest of them, unless the pixel is rejected: fields are written all the same. Decision values
// and novelty are the pixel's own. Every pixel is evaluated once, and those that an automatic choice looks at
// (spatial/regularisation.hpp) twice. Where a scene is sparse, windows without data cost one band or, if the source
// knows them empty, nothing, and they are not written. The next window is read while one is computed and written.
// Memory in work stays below ram_bytes as long as this allows windows of 256 pixels; ConfigError where half of it does
// not hold the rows of probabilities that regularisation keeps. The outcome depends neither on ram_bytes, nor on
// threads, nor on the storage blocks. The sinks are not committed. The model's bands are found by match_bands(). Errors
// as there, and IoError from source and sinks.
//
// Where options name rows, nothing else is written, and what is written of them is what it would be of the whole scene:
// rows around them are read and evaluated as far as regularisation sees. An automatic choice is made of the whole
// scene.
//
// With `segments`, which must lie on the scene's grid, the pixels of a segment are classified as one: each has the mean
// of the probabilities of those with a value, and so the same label and confidence; the limit on novelty applies to
// their mean novelty. Pixels outside of all segments are classified by themselves. The scene is read and evaluated
// twice, and memory goes with the number of segments. ConfigError where it is to be regularised, too, or where rows are
// named: a segment may go beyond them.
MappingSummary classify_scene(SceneSource& scene, const Model& model, const MapOutputs& outputs,
                              const MappingOptions& options, const Progress& progress,
                              SegmentSource* segments = nullptr);

// The regularisation that is asked for, or else that of the training (Model::spatial): the rule that was judged, or an
// automatic choice. A rule that was judged also sets the exponent of the probabilities.
void set_regularisation(const Model& model, const std::optional<Regularisation>& asked, MappingOptions& options);

// Whether left-out samples have calibrated the probabilities of these options: of no regularisation, or of the judged
// one.
bool is_calibrated(const Model& model, const MappingOptions& options);

// The regularisation that classify_scene() would choose for the scene with options.threads; any but an automatic one as
// it is. Errors as there.
Regularisation resolve_regularisation(SceneSource& scene, const Model& model, const MappingOptions& options);

// How far around a pixel a map looks: what pieces of a scene that are classified apart must share. It is the largest
// distance, in rows or columns, of a pixel whose spectrum has a say in the label, the probabilities or any layer of
// another one: pixels at least so far from the edges of a piece of a scene, unless they are edges of the scene itself,
// get from classify_scene() what they get in the whole scene. 0 where pixels are classified by their own spectra.
// Profiles reach as far as their elements and reconstructions, neighbours as far as their weights, both together as far
// as their sum.
//
// ConfigError for an automatic regularisation, which looks at the whole scene; DataError as by pixel_radii().
Index map_reach(const Model& model, const Regularisation& regularisation, std::optional<double> pixel_metres);

// One map of several that may overlap: of the maps that have a class at a pixel, the one that is the most confident
// there.

// Two sources of one band on the grid of the mosaic.
struct MosaicLayers {
  std::unique_ptr<SceneSource> codes;       // of classes; 0 or no value where there is none
  std::unique_ptr<SceneSource> confidence;  // no value counts as less than any other
};

struct MosaicPart {
  Window window;                       // of the mosaic's grid; outside of it the part has nothing. May be empty
  std::function<MosaicLayers()> open;  // called when the part is needed; its layers are let go of behind it
};

struct MosaicSummary {
  std::int64_t classified = 0;            // pixels with a class
  std::int64_t contested = 0;             // of these, with a class in several parts
  std::vector<std::int64_t> part_pixels;  // of `classified`, those that are taken from each part
  std::vector<std::int64_t> code_pixels;  // by class code
};

// Writes the mosaic, block by block. Of parts that are equally confident the first one is taken. Memory goes with the
// number of parts that lie beside each other, not with the grid. The sink is not closed. Throws what the sources and
// the sink throw.
MosaicSummary mosaic_maps(const RasterGrid& grid, const std::vector<MosaicPart>& parts, ClassMapSink& map,
                          const Progress& progress);

}  // namespace parsimap
