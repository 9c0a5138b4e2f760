// A finished map, for people: as text and as a page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "parsimap/report/command_page.hpp"
#include "parsimap/report/run_record.hpp"

namespace parsimap {

// Classes with their pixels and share of the classified pixels in percent, and where the time went.
std::string mapping_text(const MappingRecord& record);

// "neighbours:1:2 (chosen by auto)"; "none".
std::string regularisation_text(const MappingRecord& record);

// Pictures as they were made elsewhere; the titles and captions are given here.
struct MapPictures {
  PagePicture map;          // source, size, and the legend's colours in the order of record.classes
  PagePicture scene;        // source and size
  std::string scene_bands;  // what is red, green and blue
};

// The page of `classify`: map and scene as pictures, pixels of every class, how sure the map is, options and stages.
CommandPage map_page(const MappingRecord& record, MapPictures pictures,
                     const std::vector<std::pair<std::string, std::string>>& options);

}  // namespace parsimap
