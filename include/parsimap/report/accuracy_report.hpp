// The accuracy of a map, for people: as text and as a page. Rows are reference, columns are map, everywhere.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "parsimap/assessment/assessment.hpp"
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

}  // namespace parsimap
