// The page of `classify`: what it needs and the map does not contain is gathered while the map is written.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/report/mapping_report.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/scene/quicklook.hpp"
#include "parsimap/scene/raster.hpp"

#include "../command_pages.hpp"

namespace parsimap {

class MapReport {
 public:
  // The outputs are kept by the caller. What the page shows of the scene is read here: single rows of three bands.
  // With `novelty` it shows that, whether it is written or not. Errors as read().
  MapReport(SceneSource& scene, const MapOutputs& outputs, bool novelty, std::string date);

  // The same outputs, watched.
  [[nodiscard]] MapOutputs watched();

  // The page, once the map is complete. `inputs` are the files that were read. IoError when a picture cannot be made or
  // an input not be read.
  [[nodiscard]] std::string html(const MappingRecord& record, const ClassTable& classes, const Section& trust,
                                 const std::vector<NamedInput>& inputs,
                                 const std::vector<std::pair<std::string, std::string>>& options) const;

 private:
  [[nodiscard]] MapPictures pictures(const MappingRecord& record, const ClassTable& classes,
                                     const std::vector<Colour>& colours) const;

  std::string date_;
  RasterGrid grid_;
  std::string scene_bands_;
  ScenePicture scene_;
  MapOutputs outputs_;
  ClassMapQuicklook map_;
  FieldQuicklook confidence_;
  std::optional<FieldQuicklook> novelty_;
};

}  // namespace parsimap
