// Labels on a scene's grid, sparse: only the labelled pixels are held.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "parsimap/samples/class_table.hpp"

namespace parsimap {

struct LabelledPixel {
  std::int64_t pixel = 0;   // row * width + column
  int label = 0;            // index into the class table
  std::int64_t region = 0;  // of what it is a part; 0 where LabelledPixels::has_regions is false
};

struct LabelledPixels {
  ClassTable classes;
  std::vector<LabelledPixel> pixels;  // ascending by pixel, each pixel once
  std::int64_t conflicting = 0;       // pixels claimed by two different classes, dropped
  std::int64_t outside = 0;           // features with no pixel on the grid
  // Regions are known: the features of a vector file by their ids, or their parts from 1 in the order of reading; those
  // of a further file are counted on from the largest of the files before.
  bool has_regions = false;
  // The group, < 0, of the regions that a group field puts into one.
  std::map<std::int64_t, std::int64_t> region_groups = {};
  bool named_by_text = false;  // classes came from text: codes were given in alphabetical order, names count

  // The group that a region is in; the region itself where it is in none.
  [[nodiscard]] std::int64_t group_of(std::int64_t region) const {
    const auto found = region_groups.find(region);
    return found == region_groups.end() ? region : found->second;
  }
};

}  // namespace parsimap
