// What an experiment measured: a short text for the terminal, a page, and CSV.
#pragma once

#include <string>

#include "parsimap/experiment/experiment_record.hpp"

namespace parsimap {

// One table per data set, one row per method: accuracies in percent (of the first test set, mean and deviation over the
// repeats), the criterion (mean over repeats and classes), seconds per repeat. Classes that ended on the trivial
// plateau of the criterion are counted.
std::string experiment_text(const ExperimentRecord& record);

// What one shard has done, in two lines.
std::string experiment_shard_text(const ExperimentShard& done);

// One page of HTML that opens from disk: style, charting library and data are inside, and it loads nothing else. It has
// the published values beside the measured ones, the summary, the runs that ended on the trivial plateau, and figures
// (see src/report/html/) with their numbers in tables; parts without data are left out. `results` is the text of
// results.json of the same record: what the figures are drawn from.
std::string experiment_html(const ExperimentRecord& record, const std::string& results);

// What an experiment measured, one row per run, test set and class.
// docs/formats.md lists the columns.
std::string experiment_csv(const ExperimentRecord& record);

}  // namespace parsimap
