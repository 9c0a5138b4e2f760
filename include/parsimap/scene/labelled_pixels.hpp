// Labels on a scene's grid, sparse: only the labelled pixels are held.
#pragma once

#include <cstdint>
#include <vector>

#include "parsimap/samples/class_table.hpp"

namespace parsimap {

struct LabelledPixel {
  std::int64_t pixel = 0;   // row * width + column
  int label = 0;            // index into the class table
  std::int64_t region = 0;  // feature id, 0 for label rasters
};

struct LabelledPixels {
  ClassTable classes;
  std::vector<LabelledPixel> pixels;  // ascending by pixel, each pixel once
  std::int64_t conflicting = 0;       // pixels claimed by two different classes, dropped
  std::int64_t outside = 0;           // features with no pixel on the grid
  bool named_by_text = false;         // classes came from text: codes were given in alphabetical order, names count
};

}  // namespace parsimap
