// The configuration of an experiment.
#include <string>

#include "parsimap/json/experiment_spec.hpp"

#include "fuzz/document_mutator.hpp"
#include "fuzz/target.hpp"

PARSIMAP_FUZZ_DOCUMENTS(json)

namespace parsimap::fuzz {

void run_input(std::string_view input) {
  ExperimentSpec spec;
  if (accepted([&] { spec = parse_experiment(std::string(input)); })) {
    const std::string resolved = experiment_json(spec);
    require(experiment_json(parse_experiment(resolved)) == resolved, "a resolved configuration reads back the same");
  }
}

}  // namespace parsimap::fuzz
