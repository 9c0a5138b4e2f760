// The page of `classify`: map and scene as pictures, pixels of every class, how sure the map is, options and stages.
#pragma once

#include "parsimap/report/command_page.hpp"

namespace parsimap {

// Pictures as they were made elsewhere; the titles and captions are given here.
struct MapPictures {
  PagePicture map;          // source, size, and the legend's colours in the order of record.classes
  PagePicture scene;        // source and size
  std::string scene_bands;  // what is red, green and blue
};

CommandPage map_page(const MappingRecord& record, MapPictures pictures,
                     const std::vector<std::pair<std::string, std::string>>& options);

}  // namespace parsimap
