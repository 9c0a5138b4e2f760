// Making one map: the inputs and options of the work, its outputs and its record. A whole map, a part of one and a
// map in memory have these in common.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/commands/maps/classify.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/mapping/map_layer.hpp"
#include "parsimap/samples/spectral_library.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// DataError as load_model(), with a hint where the file is something else that the program knows.
Model load_or_explain(const std::string& path);

// Says that neighbours count because the model was trained for them, where that is so.
void warn_of_neighbours(const MapOptions& options, const Model& model, Listener& listener);

// Says where only one of training and map has a mask.
void note_mask(const MapOptions& options, const Model& model, Listener& listener);

// What the options ask for; where they do not say, what the model was trained for.
Regularisation regularisation_of(const MapOptions& options, const Model& model);

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

// The options of the classification: what the source keeps in memory by itself comes off what the windows may take.
MappingOptions mapping_of(const MapWork& work);

// Classifies the prepared scene; counts the pixels of fill that nobody declared, and says how many there are. Errors as
// classify_scene().
MappingSummary classify(MapWork& work, const MappingOptions& mapping, const MapOutputs& outputs, Listener& listener);

// Every layer that there can be, with the file of those that are asked for.
std::vector<LayerFile> layer_files(const std::map<MapLayer, std::string>& layers);

// What was counted, and the stages of it.
MapCounts counts_of(const MapWork& work, const MappingSummary& summary);
// With the rule in effect.
MapOrigin origin_of(const MapWork& work, const Regularisation& regularisation);
// Counts and origin; the times of the whole are left to the caller.
MappingRecord record_of(const MapWork& work, const MappingSummary& summary);

// Warns of a map without any class.
void warn_of_empty_map(const MappingRecord& record, Listener& listener);
// Warns of names of classes that the format of the finished map cannot hold.
void warn_of_names(const MappingRecord& record, Listener& listener);

// Says which bands leave pixels without a class, and where profiles lack what lies around. Reads the scene where many
// pixels have none.
void warn_of_missing_values(MapWork& work, const MappingRecord& record, Listener& listener);

// The outputs of a map: staged at first, made when the classes are known.

class MapFiles {
 public:
  // Announces the map, its layers and the segments that the options name; `format` is that of the rasters. ConfigError
  // as stage_raster().
  MapFiles(OutputSet& outputs, const MapOptions& options, const OutputOptions& format);

  // The sinks, which this keeps. Errors as create_class_map().
  MapOutputs create(const RasterGrid& grid, const ClassTable& classes);

  // Null where no file of segments is asked for.
  [[nodiscard]] const StagedOutput* segments() const { return staged_segments_; }

  // Completes the rasters. Errors as close() of the sinks.
  void close();

  // Writes the polygons of the complete map where the options ask for them. Errors as write_class_polygons().
  void polygonise(const MapOptions& options, const ClassTable& classes) const;

  // Describes the complete rasters where the options ask for that. Errors as stac_item().
  void describe(const RasterGrid& grid, const ClassTable& classes, const MappingRecord& record) const;

 private:
  OutputOptions format_;
  const StagedOutput* staged_map_ = nullptr;
  std::map<MapLayer, const StagedOutput*> staged_layers_;
  const StagedOutput* staged_segments_ = nullptr;
  const StagedOutput* staged_polygons_ = nullptr;
  const StagedOutput* staged_item_ = nullptr;
  std::unique_ptr<ClassMapSink> map_;
  std::vector<std::unique_ptr<FieldSink>> layers_;
};

// The stages of classifying so many scenes, and how long they take beside one another: every output is a stage.
std::vector<PlannedPhase> mapping_stages(const MapOptions& options, Index scenes);

// The same format for a class map that names its model and its scene; an empty path is left out.
OutputOptions with_origin(OutputOptions format, const std::string& map, const std::string& model,
                          const std::string& digest, const std::string& scene);

// The file of `classify --segments-out`: the segments of a map with their classes.

// One feature for each segment that has pixels with a value, in the order of `classified`: its outline and the fields
// `segment` (its number), `class` and `code` (none where it is rejected), `confidence` and `pixels`. Reads the window
// of each segment once more. Errors as those of `segments` and of create_features().
void write_segment_outlines(const StagedOutput& output, const RasterGrid& grid, SegmentSource& segments,
                            const ClassTable& classes, const std::vector<ClassifiedSegment>& classified);

}  // namespace parsimap
