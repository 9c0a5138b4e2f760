// The layers in which QGIS shows suspicious labels.
#pragma once

#include <string>
#include <vector>

#include "parsimap/gdal/vector/vector_output.hpp"
#include "parsimap/report/inspection_report.hpp"
#include "parsimap/samples/sample_set.hpp"

namespace parsimap {

// A part of the list, as layers and pictures colour it.
struct SuspicionStep {
  double low = 0;  // shares of the list, the first excluded; 2 stands for what looks like its label
  double high = 0;
  std::string label;
  Colour colour{};
};

// From the first part of the list to what looks like its label, which is the last step.
const std::vector<SuspicionStep>& suspicion_steps();
// The step of evidence among `count` pieces of it.
std::size_t suspicion_step(const LabelEvidence& evidence, std::size_t count);

// The regions as outlines and their pixels as points, each by rank. `samples` are those that the record is about.
std::vector<PixelLayer> suspect_layers(const InspectionRecord& record, const SampleSet& samples, Index scene_width);

}  // namespace parsimap
