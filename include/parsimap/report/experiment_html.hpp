// What an experiment measured as one page of HTML that opens from disk: style, charting library and data are inside,
// and it loads nothing else. It has the published values beside the measured ones, the summary, the runs that ended on
// the trivial plateau, and figures (see src/report/html/) with their numbers in tables; parts without data are left
// out.
#pragma once

#include <string>

#include "parsimap/report/experiment_record.hpp"

namespace parsimap {

// `results` is the text of results.json of the same record: what the figures are drawn from.
std::string experiment_html(const ExperimentRecord& record, const std::string& results);

}  // namespace parsimap
