// ExperimentRun <-> JSON document, as it is in results.json and in the journal of an unfinished experiment.
#pragma once

#include "parsimap/report/experiment_record.hpp"

#include "json_document.hpp"

namespace parsimap {

Json method_name_document(const MethodName& method);

Json run_document(const ExperimentRun& run);
// The inverse. nlohmann's exceptions when a key is missing or of another type.
ExperimentRun run_of(const Json& json);

}  // namespace parsimap
