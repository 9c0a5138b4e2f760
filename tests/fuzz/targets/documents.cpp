// Documents: a model, configurations, files of options, lines of journals and assessments.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/predictor.hpp"
#include "parsimap/commands/command.hpp"
#include "parsimap/json/experiment_spec.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/json/simulation_spec.hpp"
#include "parsimap/options/command_line.hpp"
#include "parsimap/report/accuracy_documents.hpp"
#include "parsimap/report/accuracy_report.hpp"
#include "parsimap/report/experiment_json.hpp"
#include "parsimap/simulation/simulation.hpp"
#include "parsimap/simulation/simulation_spec.hpp"

#include "fuzz/target.hpp"
#include "json/json_fields.hpp"
#include "json/model_cbor.hpp"

namespace parsimap::fuzz {
namespace {

// ---- model ----

// A model file: the payload, which the target puts into a file with the right head, or a whole file.

// A model that loads can be used.
void classify(const Model& model) {
  Spectra spectra(2, static_cast<Index>(model.bands.size()) + profile_features(model));
  spectra.row(0).setZero();
  spectra.row(1).setLinSpaced(0, 1);
  Spectra values;
  Predictor(model).decision_values(spectra, 1, values);
  require(values.rows() == 2 && values.cols() == static_cast<Index>(model.classes.size()), "every class has a value");
  softmax_rows(model.softmax_slope, values);
  if (!model.novelty.empty()) {
    Predictor(model).novelty(spectra, 1, values);
  }
}

void run_model(std::string_view input) {
  static MemoryFile file;
  if (input.starts_with("PARSIMAP")) {
    accepted([&] { load_model(file.hold(input)); });
    return;
  }
  accepted([&] {
    const Model model = model_from_cbor(input);
    const std::string bytes = model_bytes(model);
    require(model_bytes(load_model(file.hold(bytes))) == bytes, "a model that is written loads to the same");
    classify(model);
  });
}

// ---- experiment ----

// The configuration of an experiment.
void run_experiment(std::string_view input) {
  ExperimentSpec spec;
  if (accepted([&] { spec = parse_experiment(std::string(input)); })) {
    const std::string resolved = experiment_json(spec);
    require(experiment_json(parse_experiment(resolved)) == resolved, "a resolved configuration reads back the same");
  }
}

// ---- simulation ----

// The specification of a simulated scene.

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

void run_simulation(std::string_view input) {
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

// ---- options ----

// A file of options, as --options-file reads it, with the options of every command.

// Those of all commands; where several have an option of one name, that of the first.
std::vector<OptionSyntax> all_commands_options() {
  std::vector<OptionSyntax> all;
  std::set<std::string> names;
  static std::vector<CommandCall> calls;  // the options refer to their fields
  for (const Command& command : commands()) {
    calls.push_back(command.call());
    for (const OptionSyntax& option : all_options(calls.back().syntax)) {
      if (names.insert(option.name).second) {
        all.push_back(option);
      }
    }
  }
  return all;
}

// What a file sets, the command line can set as well.
void check(const OptionSyntax& option, const OptionValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) {
    require(parse_option_value(option, std::to_string(*number)) == value, "a number is in its range");
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    require(parse_option_value(option, *text) == value, "a text is one that may be");
  } else {
    const OptionKind kind = option.field.kind;
    const std::size_t index = kind == OptionKind::list ? 4U : kind == OptionKind::number ? 2U : 0U;
    require(value.index() == index, "a value is of the option's kind");
  }
}

void run_options(std::string_view input) {
  static const std::vector<OptionSyntax> options = all_commands_options();
  static MemoryFile file;
  std::map<std::string, OptionValue> values;
  if (!accepted([&] { values = read_options_file(file.hold(input), options); })) {
    return;
  }
  for (const OptionSyntax& option : options) {
    if (const auto found = values.find(option.name); found != values.end()) {
      check(option, found->second);
    }
  }
}

// ---- journal_line ----

// A line of the journal of an experiment.
void run_journal_line(std::string_view input) {
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

// ---- accuracy ----

// The document of an assessment, as `report` reads it.
void run_accuracy(std::string_view input) {
  static MemoryFile file;
  std::optional<Assessment> assessment;
  if (!accepted([&] { assessment = read_accuracy(file.hold(input)); })) {
    return;
  }
  assessment->areas.reset();  // areas are divided by their total, which rounds them
  const std::string written = accuracy_json(*assessment, {}, 0);
  require(accuracy_json(read_accuracy(file.hold(written)), {}, 0) == written, "an assessment reads back the same");
  assessment = read_accuracy(file.hold(input));
  require(!accuracy_text(*assessment).empty(), "an assessment has a text");
  require(!accuracy_sections(*assessment, {}).empty(), "an assessment has a page");
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {
      {"model", run_model, Encoding::cbor},
      {"experiment", run_experiment, Encoding::json},
      {"simulation", run_simulation, Encoding::json},
      {"options", run_options, Encoding::json},
      {"journal_line", run_journal_line, Encoding::json},
      {"accuracy", run_accuracy, Encoding::json},
  };
  return all;
}

}  // namespace parsimap::fuzz
