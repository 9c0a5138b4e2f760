// What a map and its layers are, as an item of a SpatioTemporal Asset Catalog (STAC 1.1), by which catalogues and GIS
// find them.
#pragma once

#include <string>
#include <vector>

#include "parsimap/report/run_record.hpp"
#include "parsimap/samples/class_table.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// A raster as it is described: its role, the name that it is to have, and where its content is now.
struct StacRaster {
  std::string role;  // "map" or the name of a layer
  std::string target;
  std::string path;
  std::vector<std::string> bands;  // their names; none of a class map
};

// The item that is to be the file `target`; the map is the first of the rasters. Paths are relative to its folder.
// IoError where a file cannot be read.
std::string stac_item(const std::string& target, const RasterGrid& grid, const ClassTable& classes,
                      const std::vector<StacRaster>& rasters, const MappingRecord& record);

}  // namespace parsimap
