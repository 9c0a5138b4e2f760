// The files of one part of a map: plain GeoTIFFs of its rows, and a record that appears last.
#pragma once

#include <memory>
#include <vector>

#include "parsimap/job/output_set.hpp"
#include "parsimap/mapping/classify_scene.hpp"

#include "parts_folder.hpp"

namespace parsimap {

// A grid of some rows of another, at the same place on the ground.
RasterGrid grid_of_rows(const RasterGrid& grid, const ItemRange& rows);

class PartOutputs {
 public:
  // Makes the folder of the part. ConfigError and IoError as stage_raster() and create_class_map().
  PartOutputs(const PartsFolder& folder, const MapPlan& plan, const Shard& shard);
  ~PartOutputs();

  // Sinks that take windows of the whole map, in the rows of the part. None of a part without rows.
  [[nodiscard]] const MapOutputs& sinks() const { return sinks_; }
  // Completes the rasters and lists them in `part`. IoError.
  void complete(MapPart& part);
  // Puts them in place with the record. IoError.
  void publish(const MapPart& part);

 private:
  struct Rasters;

  OutputSet set_;
  const StagedOutput* record_ = nullptr;
  std::vector<const StagedOutput*> staged_;  // the map first, then the layers
  std::unique_ptr<Rasters> rasters_;
  MapOutputs sinks_;
};

}  // namespace parsimap
