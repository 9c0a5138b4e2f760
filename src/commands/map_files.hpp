// The outputs of a map: staged at first, made when the classes are known.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parsimap/commands/map_scene.hpp"
#include "parsimap/job/output_set.hpp"

namespace parsimap {

class MapFiles {
 public:
  // Announces the map, its layers and what else the options name; `format` is that of the rasters. ConfigError as
  // stage_raster().
  MapFiles(const MapOptions& options, const InputScene& scene, const OutputOptions& format);
  // Likewise the map and its layers alone, where neither scene nor model are at hand.
  MapFiles(const MapOptions& options, const OutputOptions& format);

  // The sinks, which this keeps. Errors as create_class_map().
  MapOutputs create(const RasterGrid& grid, const ClassTable& classes);

  // Null where no file of segments is asked for.
  [[nodiscard]] const StagedOutput* segments() const { return staged_segments_; }

  void write_report(const std::string& html) { write_text(*staged_report_, html); }

  // Completes the rasters and puts everything in place. Errors as close() of the sinks and publish() of the set.
  void publish();

 private:
  void stage_rasters(const MapOptions& options);

  OutputSet set_;
  OutputOptions format_;
  const StagedOutput* staged_map_ = nullptr;
  std::map<MapLayer, const StagedOutput*> staged_layers_;
  const StagedOutput* staged_segments_ = nullptr;
  const StagedOutput* staged_report_ = nullptr;
  std::unique_ptr<ClassMapSink> map_;
  std::vector<std::unique_ptr<FieldSink>> layers_;
};

// The same format with a progress of writing. Every output has a stage of its own, which begins when there is something
// to tell.
OutputOptions with_progress(OutputOptions format, Listener& listener);

}  // namespace parsimap
