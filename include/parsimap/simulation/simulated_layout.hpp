// Where the classes of a simulated scene lie: regions of one class each.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/scene/raster_grid.hpp"
#include "parsimap/simulation/simulation_spec.hpp"

namespace parsimap {

class SimulatedLayout {
 public:
  explicit SimulatedLayout(const SimulationSpec& spec);

  // Class index of every pixel of the window, row-major; -1 where there is none (layout "map" only).
  void labels(const Window& window, std::vector<int>& labels) const;
  // Codes (class index + 1) of the reference map: as labels(), but 0 in the gap between regions.
  void reference(const Window& window, std::vector<std::uint16_t>& codes) const;

 private:
  void regions(const Window& window, std::vector<int>& regions) const;
  void voronoi_row(Index row, const Window& window, int* regions) const;

  LayoutSpec spec_;
  Index width_;
  Index height_;
  std::vector<int> region_class_;             // class index of every region
  std::vector<std::array<double, 2>> sites_;  // voronoi: column, row
};

}  // namespace parsimap
