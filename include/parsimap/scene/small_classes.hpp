// Classes of too few labelled pixels.
#pragma once

#include <string>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/scene/labelled_pixels.hpp"

namespace parsimap {

struct SmallClass {
  std::string name;
  Index pixels = 0;
};

// The number of labelled pixels of every class, in the order of the class table.
std::vector<Index> class_sizes(const LabelledPixels& labels);

// Takes the classes of fewer than `least` pixels out of the class table, and their pixels; the other classes keep their
// order and entries. `sizes` has the pixels of every class. Returns what was taken, in the order of the class table.
std::vector<SmallClass> drop_small_classes(LabelledPixels& labels, const std::vector<Index>& sizes, Index least);

}  // namespace parsimap
