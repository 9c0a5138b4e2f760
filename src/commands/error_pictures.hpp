// Where a map is right and wrong, as pictures.
#pragma once

#include "parsimap/accuracy/comparison.hpp"
#include "parsimap/report/accuracy_report.hpp"

namespace parsimap {

// `comparison` is that of the map with `reference`. Reads single rows of the map. Errors as read(); IoError when a
// picture cannot be made.
ErrorPictures error_pictures(ClassMapSource& map, const LabelledPixels& reference, const Comparison& comparison);

}  // namespace parsimap
