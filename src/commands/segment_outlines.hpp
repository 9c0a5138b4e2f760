// The file of `classify --segments-out`: the segments of a map as they were judged.
#pragma once

#include "parsimap/classifier/model.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/mapping/classify_scene.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// One feature for each segment that has pixels with a value, in the order of `classified`: its outline and the fields
// `segment` (its number), `class` and `code` (none where it is rejected), `confidence` and `pixels`. Reads the window
// of each segment once more. Errors as those of `segments` and of create_outlines().
void write_segment_outlines(const StagedOutput& output, const RasterGrid& grid, SegmentSource& segments,
                            const ClassTable& classes, const std::vector<ClassifiedSegment>& classified);

}  // namespace parsimap
