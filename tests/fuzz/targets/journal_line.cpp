// A line of the journal of an experiment.
#include <optional>
#include <string>

#include "parsimap/report/experiment_report.hpp"

#include "fuzz/document_mutator.hpp"
#include "fuzz/target.hpp"

PARSIMAP_FUZZ_DOCUMENTS(json)

namespace parsimap::fuzz {

void run_input(std::string_view input) {
  std::optional<DataDescription> description;
  if (accepted([&] { description = description_from_line(std::string(input)); }) && description) {
    const std::string line = description_line(*description);
    require(description_line(*description_from_line(line)) == line, "a description reads back the same");
  }
  ExperimentRun run;
  if (accepted([&] { run = run_from_line(std::string(input)); })) {
    const std::string line = run_line(run);
    require(run_line(run_from_line(line)) == line, "a run reads back the same");
  }
}

}  // namespace parsimap::fuzz
