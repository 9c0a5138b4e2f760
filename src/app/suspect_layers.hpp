// The layers in which QGIS shows suspicious labels.
#pragma once

#include <vector>

#include "parsimap/io/gdal/pixel_layers.hpp"
#include "parsimap/report/inspection_record.hpp"
#include "parsimap/samples/sample_set.hpp"

namespace parsimap {

// The regions as outlines and their pixels as points, each by rank. `samples` are those that the record is about.
std::vector<PixelLayer> suspect_layers(const InspectionRecord& record, const SampleSet& samples, Index scene_width);

}  // namespace parsimap
