// What an inspection of labels found, for people: as text and as a page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "parsimap/report/command_page.hpp"
#include "parsimap/report/inspection_record.hpp"

namespace parsimap {

// How many regions are taken for another class, the `most` most suspicious ones, and the classes.
std::string inspection_text(const InspectionRecord& record, Index most);

// Where suspicious labels lie, as it was drawn elsewhere.
struct SuspectPictures {
  std::vector<PageImage> images;  // of the scene, and of the regions; none where there is no scene
  Index width = 0;                // pixels of each picture
  Index height = 0;
  std::vector<LegendEntry> legend;
  std::string scene_bands;  // what is red, green and blue
  std::string shown;        // what part of the scene is shown, a sentence or nothing
  bool sheet = false;       // the pictures are sheets of places
};

// The page of `inspect`: the same with more regions, and pictures of them.
CommandPage inspection_page(const InspectionRecord& record,
                            const std::vector<std::pair<std::string, std::string>>& options,
                            const SuspectPictures& pictures, const PageFacts& facts);

}  // namespace parsimap
