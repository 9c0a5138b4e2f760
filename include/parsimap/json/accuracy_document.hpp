// The document of `assess --json` (accuracy_record.hpp), read again.
#pragma once

#include <string>

#include "parsimap/accuracy/assessment.hpp"

namespace parsimap {

// The assessment that the document was made of, but for the reliability of probabilities, which is not in it. Values
// are those of the document. DataError, which names the file: it cannot be read, or is no such document.
Assessment read_accuracy(const std::string& path);

}  // namespace parsimap
