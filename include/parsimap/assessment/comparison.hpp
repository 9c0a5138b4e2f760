// A class map held against reference labels on its grid.
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
  Indices row;                     // by index into the reference's class table; -1 without pixels and not in the map
  std::vector<std::string> reference_only;  // names of the classes that the map does not have
  bool by_name = false;

  [[nodiscard]] Index row_of(const LabelledPixel& pixel) const { return row[static_cast<std::size_t>(pixel.label)]; }
};

// Classes match by name when the reference's classes came from text, or when both sides name their classes and have a
// name in common: codes that were given to text classes depend on which classes there are. A class without a name among
// others with names matches by its code, unless a name leads to that class. Otherwise all match by code.
// `reference_name` is for messages. DataError: named classes and a map without names.
ClassMatch match_classes(const ClassMapSource& map, const LabelledPixels& reference, const std::string& reference_name);

struct Comparison {
  ClassMatch match;
  ConfusionMatrix confusion;
  Indices columns;                // of the confusion matrix, for every reference pixel; -1 where the map is 0
  std::int64_t unclassified = 0;  // reference pixels where the map is 0, which are not in the matrix
};

// DataError as match_classes(), and when the map is 0 at all reference pixels.
Comparison compare(ClassMapSource& map, const LabelledPixels& reference, const std::string& reference_name);

// From whole features where the reference has them, otherwise from independent pixels. `reference` is that of the
// comparison.
AccuracyIntervals comparison_intervals(const Comparison& comparison, const LabelledPixels& reference);

// The codes of `map` at the pixels (ascending), in their order. Of every window it reads what holds the pixels.
std::vector<std::uint16_t> codes_at(ClassMapSource& map, const std::vector<LabelledPixel>& pixels);

// The index in the class table of every code up to the largest, -1 for codes without a class.
Indices index_of_codes(const ClassTable& classes);

// Windows of whole rows that cover the grid from top to bottom, small enough for a map of any size.
std::vector<Window> row_windows(const RasterGrid& grid);

}  // namespace parsimap
