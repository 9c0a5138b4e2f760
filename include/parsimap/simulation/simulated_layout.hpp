// Where the classes of a simulated scene lie: regions of one class each.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/simulation/simulation_spec.hpp"

namespace parsimap {

// How many regions a layout of a kind other than "map" has; a last stripe or block may be cut off by the border.
Index layout_regions(const SimulationSpec& spec);

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

// Training and test polygons of a simulated scene.
struct SimulatedPolygon {
  std::vector<std::array<double, 2>> ring;  // map coordinates x, y; first point equals last
  std::string class_name;
  std::string split;  // "train" or "test"
};

// Polygons drawn from the seed, at least two pixels apart; every pixel whose centre lies in one (at least 4 do) has its
// class in the reference map. With a train_fraction inside (0, 1), a class of two or more polygons has both splits.
// `grid` has a geotransform. A class gets fewer than it asks for where many attempts in a row have found no room.
// ConfigError when none fits for a class.
std::vector<SimulatedPolygon> place_polygons(const SimulationSpec& spec, const SimulatedLayout& layout,
                                             const RasterGrid& grid, const Progress& progress = {});

}  // namespace parsimap
