// The accuracy of a map, for people: as text and as a page. Rows are reference, columns are map, everywhere.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "parsimap/accuracy/assessment.hpp"
#include "parsimap/report/command_page.hpp"

namespace parsimap {

// The confusion matrix (classes numbered from 1 in their order, so that long names do not widen the columns),
// accuracies in percent with one decimal ("-" where 0/0) and their intervals, and the overall measures; then the areas
// and the second map, where the record has them.
std::string accuracy_text(const Assessment& record);

// Where the reference lies and where the map is wrong, as it was drawn elsewhere.
struct ErrorPictures {
  std::vector<PageImage> images;  // of the map, and of right and wrong reference pixels; none where there is no map
  Index width = 0;                // pixels of each picture
  Index height = 0;
  std::vector<LegendEntry> legend;  // of the map's classes, named
  std::string shown;                // what part of the map is shown, a sentence or nothing
  bool sheet = false;               // the pictures are sheets of places
  Colour right{};
  Colour wrong{};
};

// A verdict in sentences: overall accuracy with its interval and the weakest class, and what is confused. Where areas
// are estimated, the accuracy of all of the map comes first.
std::vector<std::string> accuracy_verdict(const Assessment& record);

// The sections of a page that tell what an assessment found: accuracies, errors on the map, the confusion matrix, and
// areas, second map and probabilities where there are any.
std::vector<PageSection> accuracy_sections(const Assessment& record, const ErrorPictures& errors);

// The page of `assess`: verdict, sections, what was read, and the options.
CommandPage assessment_page(const Assessment& record, const ErrorPictures& errors, const PageFacts& facts,
                            const std::vector<std::pair<std::string, std::string>>& options);

// ---- tables for other programs ----
//
// RFC 4180, UTF-8, accuracies as fractions with all digits, fields without a value empty. In matrices rows are
// reference and columns are map; the corner says so.

// The header is "reference \ map", the K map class names, reference_pixels, producers_accuracy, users_accuracy, f1,
// producers_low, producers_high, users_low, users_high, f1_low, f1_high. K rows of reference classes follow, then a row
// map_pixels (column sums, and the total under reference_pixels) and the rows pixels, unclassified_pixels,
// overall_accuracy, average_accuracy, kappa, quantity_disagreement, allocation_disagreement with their value in the
// second field and their interval in the third and fourth.
std::string accuracy_csv(const Assessment& record);

// The header is "reference \ map", the K map class names (estimated shares of the area), mapped_area, area,
// area_standard_error, area_low, area_high, unit, then producers_accuracy and users_accuracy, each with
// _standard_error, _low and _high. K rows of classes follow, then overall_accuracy (value, standard error, low, high),
// quantity_disagreement and allocation_disagreement.
std::string area_csv(const AreaAssessment& areas, const std::vector<std::string>& names);

// Rows of a measure and its value: the pixels, McNemar's test, the difference and its interval.
std::string comparison_csv(const MapComparison& comparison);

}  // namespace parsimap
