// A map against reference labels on its grid.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/accuracy/confusion_matrix.hpp"
#include "parsimap/scene/class_map_source.hpp"
#include "parsimap/scene/labelled_pixels.hpp"

namespace parsimap {

// Which row and column of the confusion matrix a class has: the map's classes in their order, then the reference
// classes that have pixels and are not in the map, in theirs.
struct ClassMatch {
  std::vector<std::string> names;  // unique
  std::vector<Index> row;          // by index into the reference's class table; -1 without pixels and not in map
  std::vector<std::string> reference_only;  // names of the classes that the map does not have
  bool by_name = false;
};

// By name when the reference's classes came from text, or when both name their classes and have a name in common (codes
// that text classes were given depend on which classes there are); else by code. `reference_name` is for messages.
// DataError: named classes and a map without names.
ClassMatch match_classes(const ClassMapSource& map, const LabelledPixels& reference, const std::string& reference_name);

struct Comparison {
  ConfusionMatrix confusion;
  std::int64_t unclassified = 0;  // reference pixels where the map is 0, not in the matrix
};

// Reads the map only where reference pixels are. DataError when the map is 0 at all of them.
Comparison compare(ClassMapSource& map, const LabelledPixels& reference, const ClassMatch& match);

}  // namespace parsimap
