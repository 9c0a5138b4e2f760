// The accuracy of a map as tables for other programs and as a document, and back from it.
#pragma once

#include <string>
#include <vector>

#include "parsimap/accuracy/assessment.hpp"
#include "parsimap/accuracy/comparison.hpp"

namespace parsimap {

// Tables for other programs: RFC 4180, UTF-8, accuracies as fractions with all digits, fields without a value empty. In
// matrices rows are reference and columns are map; the corner says so. docs/formats.md lists the columns.

std::string accuracy_csv(const Assessment& record);

std::string area_csv(const AreaAssessment& areas, const std::vector<std::string>& names);

// Rows of a measure and its value: the pixels, McNemar's test, the difference and its interval.
std::string comparison_csv(const MapComparison& comparison);

// The document of `assess --json`, to the rules of json/json_text.hpp; docs/formats.md lists the keys. `files` are
// those that were written, in `seconds`.
std::string accuracy_json(const Assessment& record, const std::vector<std::string>& files, double seconds);

// The assessment that the document was made of, but for the reliability of probabilities, which is not in it. Values
// are those of the document. DataError, which names the file: it cannot be read, or is no such document.
Assessment read_accuracy(const std::string& path);

}  // namespace parsimap
