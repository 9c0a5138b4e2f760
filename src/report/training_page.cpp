#include "parsimap/report/training_page.hpp"

#include "parsimap/report/text_table.hpp"
#include "parsimap/report/validation_report.hpp"

namespace parsimap {
namespace {

PageTable class_table(const Model& model) {
  PageTable table{"One machine for every class against the rest; p: directions of its subspace",
                  {"class", "code", "pixels", "p", "C", "support vectors", "criterion", "evaluations"},
                  {},
                  1};
  for (std::size_t c = 0; c < model.machines.size(); ++c) {
    const BinaryMachine& machine = model.machines[c];
    table.rows.push_back({model.classes[c].name, std::to_string(model.classes[c].code), std::to_string(machine.samples),
                          std::to_string(machine.weights.size()), short_number(machine.C),
                          std::to_string(machine.support.size()), short_number(machine.selection.value),
                          std::to_string(machine.selection.evaluations)});
  }
  return table;
}

PageTable dropped_table(const Model& model) {
  PageTable table{"Bands that were left out", {"bands", "reason"}, {}, 2};
  for (const auto& [reason, bands] : bands_by_reason(model.dropped_bands)) {
    table.rows.push_back({band_list(bands), reason});
  }
  return table;
}

PageTable file_table(const Model& model, const TrainingRecord& record) {
  PageTable table{"Files", {"what", "file"}, {}, 2};
  for (const InputFile& input : model.provenance.inputs) {
    table.rows.push_back({input.path == record.scene ? "scene" : "labels", input.path});
  }
  table.rows.push_back({"model", record.model});
  return table;
}

std::string spread_text(const FoldSpread& spread) {
  return percent(spread.mean) + " %" + (spread.deviation ? " ± " + percent(spread.deviation) + " %" : "");
}

PageSection validation_section(const Validation& validation, const ClassTable& classes) {
  const ValidationScores scores = validation_scores(validation, classes);
  PageSection section{"validation", "Validation", {}, {}, {}, {"confusion"}};
  section.paragraphs = {validation_title(validation) + ", each trained anew: overall accuracy " +
                        spread_text(scores.overall_accuracy) + ", average accuracy " +
                        spread_text(scores.average_accuracy) + " (mean and deviation over the folds)."};
  return section;
}

}  // namespace

CommandPage training_page(const Model& model, const TrainingRecord& record) {
  const std::string pixels = std::to_string(model.provenance.training_pixels);
  CommandPage page;
  page.title = "Training on " + record.scene;
  page.lead = std::to_string(model.classes.size()) + " classes, " + pixels + " pixels, " +
              std::to_string(model.bands.size()) + " of " + std::to_string(model.scene_bands) + " bands, " +
              to_string(model.family) + " kernel, " + to_string(model.scaling_rule) + " scaling.";
  PageSection classes{"classes", "Classes", {}, {}, {class_table(model)}, {}};
  classes.paragraphs = {
      "Leave-one-out accuracy: " + percent(model.provenance.leave_one_out_accuracy) + " % of " + pixels +
      " training pixels. It is optimistic: a pixel is left out, but its neighbours in the same polygon "
      "are not. Pixels that are apart from training say how good the map is."};
  PageSection samples{"spectra", "Spectra", {}, {}, {}, {"spectra"}};
  if (!model.dropped_bands.empty()) {
    samples.tables.push_back(dropped_table(model));
  }
  page.sections = {classes,
                   samples,
                   {"scree", "Scree tests", {}, {}, {}, {"scree"}},
                   {"weights", "Learnt weights", {}, {}, {}, {"weights"}},
                   {"criterion", "Criterion", {}, {}, {}, {"criterion"}},
                   {"run",
                    "This run",
                    {},
                    {},
                    {file_table(model, record), option_table("Options as resolved", model.provenance.options),
                     stage_table(record.seconds, record.stages, record.peak_memory_bytes)},
                    {}}};
  if (model.provenance.validation) {
    page.sections.insert(page.sections.begin() + 1, validation_section(*model.provenance.validation, model.classes));
  }
  return page;
}

ExperimentRun training_run(const Model& model, const std::string& data) {
  ExperimentRun run;
  run.data = data;
  run.seed = model.provenance.seed;
  run.method.kernel = to_string(model.family);
  run.method.criterion = model.machines.empty() ? "" : model.machines.front().selection.criterion;
  run.tests = {{"left out", model.provenance.training_pixels, model.provenance.leave_one_out_accuracy, 0, {}}};
  if (const auto& validation = model.provenance.validation) {
    const ConfusionMatrix pooled = validation_scores(*validation, model.classes).pooled;
    run.tests = {{validation_title(*validation), pooled.pixels(), pooled.overall_accuracy(), 0, pooled}};
  }
  for (std::size_t c = 0; c < model.machines.size(); ++c) {
    const BinaryMachine& machine = model.machines[c];
    ClassRun trained;
    trained.name = model.classes[c].name;
    trained.dimension = machine.weights.size();
    trained.criterion_value = machine.selection.value;
    trained.C = machine.C;
    trained.support_vectors = static_cast<Index>(machine.support.size());
    trained.evaluations = machine.selection.evaluations;
    trained.stop_reason = machine.selection.stop_reason;
    trained.trace = machine.selection.trace;
    trained.weights = {machine.weights.begin(), machine.weights.end()};
    trained.isotropic_weight = machine.isotropic_weight;
    trained.binary_accuracy = {0};
    run.classes.push_back(std::move(trained));
  }
  return run;
}

}  // namespace parsimap
