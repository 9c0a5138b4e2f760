// The accuracy of a map as text and as a page. Rows are reference, columns are map, everywhere.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "parsimap/accuracy/assessment.hpp"
#include "parsimap/report/command_page.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

// The confusion matrix (classes by their codes in the map, so that long names do not widen the columns),
// accuracies in percent with one decimal ("-" where 0/0) and their intervals, and the overall measures; then the areas
// and the second map, where the record has them.
std::string accuracy_text(const Assessment& record);

// Where the reference lies and where the map is wrong: images of the map, and of right and wrong reference pixels; none
// where there is no map.
struct ErrorPictures : RasterPictures {
  Colour right{};
  Colour wrong{};
};

// A verdict in sentences: overall accuracy with its interval and the weakest class, and what is confused. Where areas
// are estimated, the accuracy of all of the map comes first.
std::vector<std::string> accuracy_verdict(const Assessment& record);

// The sections of a page with the results of an assessment: accuracies, errors on the map, the confusion matrix, and
// areas, second map and probabilities where there are any.
std::vector<Section> accuracy_sections(const Assessment& record, const ErrorPictures& errors);

// The page of `assess`: verdict, sections, trust_section() where the model of the map is known, what was read, and the
// options.
CommandPage assessment_page(const Assessment& record, const ErrorPictures& errors, const PageFacts& facts,
                            const std::vector<std::pair<std::string, std::string>>& options,
                            const std::optional<Section>& trust = {});

// The data of the figures of its page (report/command_page.hpp): `reliability` where the map's probabilities are known.
std::string assessment_data_json(const Assessment& record);

}  // namespace parsimap
