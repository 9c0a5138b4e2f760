#include "parsimap/report/training_page.hpp"

#include "parsimap/report/text_table.hpp"
#include "parsimap/report/training_report.hpp"
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
                          std::to_string(machine.metric.weights.size()), short_number(machine.C),
                          std::to_string(machine.support.size()), short_number(machine.selection.value),
                          std::to_string(machine.selection.evaluations)});
  }
  return table;
}

PageTable scan_table(const Model& model) {
  PageTable table{"Metrics compared by left-out pixels; the first stands unless another gains more than 2.5 errors",
                  {"metric", "rest", "blend", "damping", "width", "C", "risk", "gain", "error", "pixels"},
                  {},
                  2};
  for (const ShapeScore& score : model.scan) {
    table.rows.push_back({score.shape == model.shape ? "chosen" : "", score.shape.rest ? "yes" : "no",
                          short_number(score.shape.blend), short_number(score.shape.damping),
                          short_number(score.point.width), short_number(score.point.C), short_number(score.risk),
                          short_number(score.gain), short_number(score.gain_error), std::to_string(score.samples)});
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

PageSection metric_section(const Model& model) {
  PageSection section{"metric", "Metric", {}, {}, {scan_table(model)}, {}};
  section.paragraphs = {
      "Blend is the part of a class's own covariance in its metric, the rest is that of all classes. Damping is the "
      "exponent of its variances: 0 is the Gaussian kernel, 1 the Mahalanobis distance of the class. Rest says whether "
      "what is orthogonal to the directions of the class counts. Risk is the "
      "logarithmic loss plus the part of errors of pixels that were left out."};
  return section;
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
  classes.paragraphs = {left_out_text(model.provenance.left_out, model.classes)};
  PageSection samples{"spectra", "Spectra", {}, {}, {}, {"spectra"}};
  if (!model.dropped_bands.empty()) {
    samples.tables.push_back(dropped_table(model));
  }
  page.sections = {classes,
                   samples,
                   {"scree", "Scree tests", {}, {}, {}, {"scree"}},
                   {"weights", "Weights", {}, {}, {}, {"weights"}}};
  if (model.scan.empty()) {
    page.sections.push_back({"criterion", "Criterion", {}, {}, {}, {"criterion"}});
  } else {
    page.sections.insert(page.sections.begin() + 1, metric_section(model));
  }
  page.sections.push_back({"run",
                           "This run",
                           {},
                           {},
                           {file_table(model, record), option_table("Options as resolved", model.provenance.options),
                            stage_table(record.seconds, record.stages, record.peak_memory_bytes)},
                           {}});
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
  run.tests = {{"left out", model.provenance.left_out.samples, model.provenance.left_out.accuracy, 0, {}}};
  if (const auto& validation = model.provenance.validation) {
    const ConfusionMatrix pooled = validation_scores(*validation, model.classes).pooled;
    run.tests = {{validation_title(*validation), pooled.pixels(), pooled.overall_accuracy(), 0, pooled}};
  }
  for (std::size_t c = 0; c < model.machines.size(); ++c) {
    const BinaryMachine& machine = model.machines[c];
    ClassRun trained;
    trained.name = model.classes[c].name;
    trained.dimension = machine.metric.weights.size();
    trained.criterion_value = machine.selection.value;
    trained.C = machine.C;
    trained.support_vectors = static_cast<Index>(machine.support.size());
    trained.evaluations = machine.selection.evaluations;
    trained.stop_reason = machine.selection.stop_reason;
    trained.trace = machine.selection.trace;
    trained.weights = {machine.metric.weights.begin(), machine.metric.weights.end()};
    trained.rest_weight = machine.metric.rest_weight;
    trained.binary_accuracy = {0};
    run.classes.push_back(std::move(trained));
  }
  return run;
}

}  // namespace parsimap
