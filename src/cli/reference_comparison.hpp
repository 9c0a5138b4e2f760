// A map against reference labels on its grid.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/accuracy/accuracy_intervals.hpp"
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
  Indices columns;                // of the confusion matrix, for every reference pixel; -1 where the map is 0
  std::int64_t unclassified = 0;  // reference pixels where the map is 0, not in the matrix
};

// DataError when the map is 0 at all reference pixels.
Comparison compare(ClassMapSource& map, const LabelledPixels& reference, const ClassMatch& match);

// The codes of `map` at reference pixels, in their order. Reads the map only where they are.
std::vector<std::uint16_t> codes_at(ClassMapSource& map, const std::vector<LabelledPixel>& pixels);

// The index in the map's class table of every code up to the largest, -1 for codes without a class.
Indices index_of_codes(const ClassTable& classes);

// True where the reference pixels come from features that may hold several.
bool has_regions(const LabelledPixels& reference);

// From whole features where the reference has them, else from independent pixels.
AccuracyIntervals comparison_intervals(const Comparison& comparison, const LabelledPixels& reference,
                                       const ClassMatch& match);

}  // namespace parsimap
