// The specification of a simulated scene.
#include "parsimap/simulation/simulation.hpp"

#include "parsimap/json/experiment_spec.hpp"

#include "fuzz/document_mutator.hpp"
#include "fuzz/target.hpp"
#include "json/json_fields.hpp"

PARSIMAP_FUZZ_DOCUMENTS(json)

namespace parsimap::fuzz {
namespace {

// Large scenes take their time.
bool is_small(const SimulationSpec& spec) {
  return spec.width <= 16 && spec.height <= 16 && spec.bands <= 16 && spec.classes.size() <= 8 &&
         spec.layout.sites <= 64;
}

void simulate(const SimulationSpec& spec) {
  const Simulation simulation(spec);
  const Window all{0, 0, spec.width, spec.height};
  Spectra values;
  simulation.spectra(all, values);
  require(values.minCoeff() >= 0 && values.maxCoeff() <= 65535, "stored values fit into 16 bits");
  std::vector<std::uint16_t> codes;
  simulation.reference(all, codes);
  for (const std::uint16_t code : codes) {
    require(code <= spec.classes.size(), "the reference map has the classes of the specification");
  }
}

}  // namespace

void run_input(std::string_view input) {
  static MemoryFile file;
  SimulationSpec spec;
  if (!accepted([&] { spec = read_simulation_spec(file.hold(input)); })) {
    return;
  }
  const std::string written = text_of(document_of(spec, Form::spec));
  const SimulationSpec again = read_simulation_spec(file.hold(written));
  require(text_of(document_of(again, Form::spec)) == written, "a specification reads back the same");
  if (is_small(spec)) {
    accepted([&] { simulate(spec); });
  }
}

}  // namespace parsimap::fuzz
