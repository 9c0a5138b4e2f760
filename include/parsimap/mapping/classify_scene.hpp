// The classification of a whole scene, window by window and in bounded memory: spectra come from a source, and the map
// and its optional layers go to sinks.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/mapping/map_layer.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/spatial/regularisation.hpp"

namespace parsimap {

struct MappingOptions {
  std::int64_t ram_bytes = std::int64_t{256}
                           << 20U;    // for the windows that are read and computed, beside the model and GDAL's cache
  int threads = 0;                    // of the computation, 0 = all processors; one more thread reads
  std::optional<double> reject = {};  // least probability that a labelled pixel must have
  std::optional<double> reject_novelty = {};  // largest novelty that it may have
  std::optional<double> reject_outside = {};  // how unlike the class of its own spectrum it may be at most
  double set_level = 0.9;                     // of prediction sets, in (0, 1)
  Regularisation regularisation = {};         // of the probabilities; automatic: chosen from the scene
  int strongest = kStrongestNeighbours;       // strength of neighbours that an automatic choice may take
  double exponent = 1;                        // of the regularised probabilities, SpatialRecord::exponent
  std::optional<ItemRange> rows = {};         // of the scene that are classified; unset: all
  std::optional<double> pixel_metres = {};    // how wide a pixel is, for profiles with radii in metres
  std::function<void()> begin = {};           // called when pixels have been drawn, before the map begins
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

// What hangs on a labelled feature.
struct DecidedPixels {
  std::int64_t pixels = 0;   // for whose class it speaks most
  std::int64_t hanging = 0;  // of these, of another class without what it says there more than usual
};

struct MappingSummary {
  std::int64_t pixels = 0;                  // of the grid, or of the rows of it that are classified
  std::int64_t classified = 0;              // of these, with a value in every band used and not rejected
  std::int64_t rejected = 0;                // of the pixels with a value in every band used
  std::int64_t undeclared = 0;              // left out as no data by whoever screens the scene
  std::vector<std::int64_t> class_pixels;   // K
  Regularisation regularisation;            // in effect: never automatic
  std::vector<ClassifiedSegment> segments;  // ascending by number
  std::vector<DecidedPixels> deciding;      // by feature, where the layer was asked for
  std::vector<std::int64_t> set_sizes;      // K + 1: pixels by the classes in their sets, where the layer was asked for
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

// About what classify_scene() takes, found without reading a pixel. An automatic regularisation counts as the narrowest
// that may be chosen.
struct MappingPlan {
  Index windows = 0;
  Index window_pixels = 0;  // of the largest one
  std::int64_t bytes = 0;   // beside the model and GDAL's cache
  double operations = 0;    // core/progress.hpp; without those of profiles
};

// The plan of a map with these layers, in two passes with `segments`. Errors as classify_scene() before it reads.
MappingPlan plan_mapping(SceneSource& scene, const Model& model, const std::map<MapLayer, std::string>& layers,
                         const MappingOptions& options, bool segments);

// DataError: a layer needs what the model does not have.
void check_layers(const Model& model, const std::map<MapLayer, std::string>& layers);

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

}  // namespace parsimap
