// Which of two maps is better, by a sample that `parsimap sample` has drawn.
#pragma once

#include <optional>
#include <vector>

#include "parsimap/accuracy/comparison.hpp"
#include "parsimap/accuracy/drawn_sample.hpp"
#include "parsimap/scene/labelled_pixels.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// The difference of the overall accuracies of the map and a second one, over the pixels that both classify. `right` is
// that of the reference pixels. It says most of samples that were drawn with a stratum of the pixels where the maps
// differ (agreement_map.hpp), whose pixels alone decide. Intervals are Wilson's of (1 + difference) / 2. Reads all of
// both maps. DataError as check_enough() and check_population(), and where no pixel is classified in both.
SampledDifference assess_difference(ClassMapSource& map, ClassMapSource& second, const LabelledPixels& reference,
                                    const Comparison& comparison, const std::vector<std::optional<RightOfPair>>& right,
                                    const DrawnSample& sample);

}  // namespace parsimap
