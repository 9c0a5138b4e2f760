#include "assess_report.hpp"

#include "parsimap/io/json/page_data.hpp"
#include "parsimap/report/accuracy_report.hpp"

namespace parsimap {

std::string assess_report(const AssessmentRecord& record, const std::optional<Reliability>& reliability,
                          const std::vector<std::pair<std::string, std::string>>& options) {
  return command_html(assessment_page(record, reliability, options), assessment_data_json(record, reliability));
}

}  // namespace parsimap
