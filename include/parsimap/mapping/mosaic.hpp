// One map of several that may overlap: of the maps that have a class at a pixel, the one that is the most confident
// there.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "parsimap/core/progress.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

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
