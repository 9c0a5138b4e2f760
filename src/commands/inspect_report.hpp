// The report of `inspect`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "parsimap/report/inspection_report.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/scene/raster.hpp"

#include "page_facts.hpp"

namespace parsimap {

struct InspectReportSource {
  const SampleSet& samples;                                         // that were judged
  SceneSource& scene;                                               // from which they are
  const std::vector<std::pair<std::string, std::string>>& options;  // names and values
  std::vector<NamedInput> inputs;                                   // files that were read
  std::string date;                                                 // of the page
};

// The page of an inspection. Reads single rows of three bands of the scene, and all inputs for their checksums. Errors
// as read(); IoError when a picture cannot be made.
std::string inspect_report(const InspectionRecord& record, const InspectReportSource& source);

}  // namespace parsimap
