// How a map is cut into windows, within the memory that it may take.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/spatial/regularisation.hpp"

#include "windows.hpp"

namespace parsimap {

struct WindowPlan {
  std::vector<Window> windows;           // in the order in which they are classified
  std::optional<WindowGrid> neighbours;  // the same as a grid, where neighbours are asked
  std::int64_t bytes = 0;                // of one in work, one that is read ahead, and what is kept between them
};

// The rows of a scene that are evaluated where `rows` are classified: with those of their neighbours, which get no
// label.
ItemRange evaluated_rows(const RasterGrid& grid, const ItemRange& rows, const Regularisation& regularisation);

// The windows of `rows` of a scene. Where neighbours are asked, `values` numbers are kept for a pixel between windows.
// ConfigError: half of `bytes` does not hold what is kept between the smallest windows.
WindowPlan window_plan(const SceneSource& scene, const ItemRange& rows, const Model& model,
                       const Regularisation& regularisation, Index values, std::int64_t bytes, int threads);

}  // namespace parsimap
