// What the report of `classify` needs and the map does not tell afterwards: gathered while the map is written.
#pragma once

#include <optional>
#include <string>

#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/scene/quicklook.hpp"

namespace parsimap {

class MapReport {
 public:
  // The outputs are kept by the caller.
  MapReport(const RasterGrid& grid, const MapOutputs& outputs);

  // The same outputs, watched.
  [[nodiscard]] MapOutputs watched();

  // The page, once the map is complete. Reads single rows of three bands of the scene. Errors as read(); IoError when a
  // picture cannot be made.
  [[nodiscard]] std::string html(const MappingRecord& record, SceneSource& scene, const ClassTable& classes,
                                 const std::vector<std::pair<std::string, std::string>>& options) const;

 private:
  MapOutputs outputs_;
  ClassMapQuicklook map_;
  FieldHistogram confidence_;
  std::optional<FieldHistogram> novelty_;
};

}  // namespace parsimap
