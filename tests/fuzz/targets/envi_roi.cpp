// Regions of interest of ENVI, as XML and as exported text.
#include <string>

#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/gdal/vector/labels.hpp"

#include "fuzz/scene_check.hpp"
#include "fuzz/target.hpp"
#include "fuzz/virtual_files.hpp"

namespace parsimap::fuzz {
namespace {

// Coordinate systems that are looked up would reach other files, and the network.
bool names_a_system_elsewhere(std::string_view text) { return text.find("://") != std::string_view::npos; }

}  // namespace

void run_input(std::string_view input) {
  [[maybe_unused]] static const bool ready = keep_drivers({"MEM"});
  if (names_a_system_elsewhere(input)) {
    return;
  }
  const RasterGrid grid = {16, 12, std::array<double, 6>{0, 1, 0, 12, 0, -1}, crs_from_epsg(4326)};
  const VirtualFile file("/vsimem/regions", input);
  accepted([&] { check_labels(read_labels(file.path(), {}, grid, "scene"), grid); });
}

}  // namespace parsimap::fuzz
