// The report of `assess`.
#pragma once

#include <string>

#include "parsimap/accuracy/comparison.hpp"
#include "parsimap/commands/assess.hpp"

namespace parsimap {

// The page of an assessment; `comparison` is that of the map with `reference`, and `date` that of the page. Reads
// single rows of the map, and all inputs for their checksums. Errors as read(); IoError when a picture cannot be made.
std::string assess_report(const AssessOptions& options, const Assessment& assessment, ClassMapSource& map,
                          const LabelledPixels& reference, const Comparison& comparison, const std::string& date);

}  // namespace parsimap
