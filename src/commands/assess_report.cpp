#include "assess_report.hpp"

#include "parsimap/json/page_data.hpp"
#include "parsimap/report/accuracy_report.hpp"

#include "error_pictures.hpp"
#include "job_frame.hpp"
#include "page_facts.hpp"

namespace parsimap {
namespace {

std::vector<NamedInput> inputs_of(const AssessOptions& options) {
  std::vector<NamedInput> inputs = {{"map", options.map}, {"reference", options.reference.files.front()}};
  for (const auto& [role, file] : {std::pair("strata", options.strata), std::pair("second map", options.compared_map),
                                   std::pair("probabilities", options.probabilities)}) {
    if (file) {
      inputs.emplace_back(role, *file);
    }
  }
  return inputs;
}

}  // namespace

std::string assess_report(const AssessOptions& options, const Assessment& assessment, ClassMapSource& map,
                          const LabelledPixels& reference, const Comparison& comparison, const std::string& date) {
  const PageFacts facts = page_facts(date, map.grid(), inputs_of(options));
  return command_html(assessment_page(assessment, error_pictures(map, reference, comparison), facts, settings(options)),
                      assessment_data_json(assessment));
}

}  // namespace parsimap
