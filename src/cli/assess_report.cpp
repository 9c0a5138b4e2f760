#include "assess_report.hpp"

#include "parsimap/io/json/page_data.hpp"
#include "parsimap/report/assessment_page.hpp"

namespace parsimap {

std::string assess_report(const Assessment& record, const std::optional<Reliability>& reliability,
                          const std::vector<std::pair<std::string, std::string>>& options) {
  PageData data;
  data.runs = {assessment_run(record)};
  if (reliability) {
    data.reliability = reliability->bins();
  }
  return command_html(assessment_page(record, reliability, options), page_data_json(data));
}

}  // namespace parsimap
