// Training and test polygons of a simulated scene.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "parsimap/scene/raster_grid.hpp"
#include "parsimap/simulation/simulated_layout.hpp"
#include "parsimap/simulation/simulation_spec.hpp"

namespace parsimap {

struct SimulatedPolygon {
  std::vector<std::array<double, 2>> ring;  // map coordinates x, y; first point equals last
  std::string class_name;
  std::string split;  // "train" or "test"
};

// Polygons drawn from the seed, at least two pixels apart; every pixel whose centre lies in one (at least 4 do) has its
// class in the reference map. With a train_fraction inside (0, 1), a class of two or more polygons has both splits.
// `grid` has a geotransform. ConfigError when none fits for a class.
std::vector<SimulatedPolygon> place_polygons(const SimulationSpec& spec, const SimulatedLayout& layout,
                                             const RasterGrid& grid);

}  // namespace parsimap
