#include "parsimap/report/training_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <sstream>

#include "parsimap/report/class_summary.hpp"
#include "parsimap/report/spatial_report.hpp"
#include "parsimap/report/text_table.hpp"
#include "parsimap/report/validation_report.hpp"
#include "parsimap/report/verdict.hpp"

namespace parsimap {
namespace {

// ---- text ----

// The table of the classes fits into the lines of a terminal: its last column has what the others leave. Names are
// whole in the first column, which says what the last one may cut.
constexpr std::size_t kTableWidth = 80;
constexpr std::size_t kWidestName = 32;
constexpr std::size_t kOtherColumns = 2 + 2 + 6 + 2 + 7 + 2 + 7 + 2;

std::string dropped_text(const Model& model, const TrainingRecord& record) {
  std::string text;
  for (const auto& [reason, bands] : bands_by_reason(model.dropped_bands)) {
    text += "Bands dropped (" + reason + "): " + band_list(bands) + "\n";
  }
  if (record.invalid_pixels > 0) {
    text +=
        "Labelled pixels dropped for a missing value in a band used: " + std::to_string(record.invalid_pixels) + "\n";
  }
  if (record.conflicting_pixels > 0) {
    text += "Pixels dropped because two classes claim them: " + std::to_string(record.conflicting_pixels) + "\n";
  }
  if (record.outside_features > 0) {
    text += "Label features without a pixel of the scene: " + std::to_string(record.outside_features) + "\n";
  }
  return text;
}

std::string with_four_decimals(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4f", value);
  return text.data();
}

std::string scan_text(const Model& model) {
  if (model.scan.empty()) {
    return "";
  }
  TextTable table({Alignment::right, Alignment::right, Alignment::left, Alignment::right, Alignment::right,
                   Alignment::right, Alignment::right, Alignment::right, Alignment::left});
  table.add_row({"blend", "damping", "rest", "width", "C", "risk", "gain", "error", "pixels"});
  for (const ShapeScore& score : model.scan) {
    table.add_row({short_number(score.shape.blend), short_number(score.shape.damping), score.shape.rest ? "yes" : "no",
                   short_number(score.point.width), short_number(score.point.C), with_four_decimals(score.risk),
                   with_four_decimals(score.gain), with_four_decimals(score.gain_error),
                   std::to_string(score.samples) + (score.shape == model.shape ? "  chosen" : "")});
  }
  return "\nMetrics compared by left-out pixels. The first stands unless another gains more than 2.5 times its error.\n"
         "blend: part of the class's own covariance, the rest is pooled; damping: exponent of its variances,\n"
         "0 is the Gaussian kernel; rest: whether what is orthogonal to the directions counts;\n"
         "risk: logarithmic loss plus part of errors; gain: over the first, with its error.\n\n" +
         table.text();
}

// ---- page ----

PageTable class_table(const Model& model) {
  PageTable table{"Left-out pixels were judged by machines that had not seen them, nor others of their region",
                  {"class", "most confused with", "code", "pixels", "regions", "left-out accuracy %", "confused %"},
                  {},
                  2};
  const std::vector<ClassSummary> summaries = class_summaries(model);
  for (std::size_t c = 0; c < summaries.size(); ++c) {
    const ClassSummary& summary = summaries[c];
    table.rows.push_back({summary.name, summary.confused_with.value_or("-"), std::to_string(model.classes[c].code),
                          std::to_string(summary.pixels), summary.regions ? std::to_string(*summary.regions) : "-",
                          percent(summary.accuracy), summary.confused_with ? percent(summary.confused_share) : "-"});
  }
  return table;
}

PageTable machine_table(const Model& model) {
  PageTable table{
      "One machine for every class against the rest; p: directions of its subspace",
      {"class", "pixels", "p", "C", "support vectors", "criterion", "evaluations", "violation", "fit", "search"},
      {},
      1};
  for (std::size_t c = 0; c < model.machines.size(); ++c) {
    const BinaryMachine& machine = model.machines[c];
    table.rows.push_back({model.classes[c].name, std::to_string(machine.samples),
                          std::to_string(machine.metric.weights.size()), short_number(machine.C),
                          std::to_string(machine.support.size()), short_number(machine.selection.value),
                          std::to_string(machine.selection.evaluations), short_number(machine.kkt_violation),
                          machine.solver_stop, machine.selection.stop_reason});
  }
  return table;
}

PageTable scan_table(const Model& model) {
  PageTable table{
      "Metrics compared by left-out pixels; the first stands unless another gains more than 2.5 times its error",
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

// What was done to a scene whose bands are not those of the first.
std::string bands_text(const TrainingSceneRecord& scene) {
  return scene.resampled
             ? std::to_string(scene.resampled->used_bands) + " resampled to " + std::to_string(scene.resampled->bands)
             : "as they are";
}

// Empty where one scene is all there is.
PageTable scene_table(const TrainingRecord& record) {
  PageTable table{"Scenes", {"scene", "bands", "training pixels"}, {}, 2};
  if (record.scenes.size() > 1) {
    for (const TrainingSceneRecord& scene : record.scenes) {
      table.rows.push_back({scene.scene, bands_text(scene), std::to_string(scene.pixels)});
    }
  }
  return table;
}

// The pixels of each of several scenes.
std::string scenes_text(const TrainingRecord& record) {
  std::string text;
  if (record.scenes.size() > 1) {
    for (const TrainingSceneRecord& scene : record.scenes) {
      text += "Pixels of " + scene.scene + ": " + std::to_string(scene.pixels) + "\n";
    }
    for (const TrainingSceneRecord& scene : record.scenes) {
      text += scene.resampled ? "Resampled: " + resampling_text(*scene.resampled) + "\n" : "";
    }
  }
  return text;
}

PageTable output_table(const TrainingRecord& record) {
  PageTable table{"Files that were written", {"what", "file"}, {{"model", record.model}}, 2};
  if (record.samples_out) {
    table.rows.push_back({"samples", *record.samples_out});
  }
  return table;
}

PagePicture training_picture(const Model& model, const TrainingPictures& pictures) {
  PagePicture picture{
      "picture-training", "Where the training pixels lie", "", pictures.images, pictures.width, pictures.height, {},
      pictures.sheet};
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    picture.legend.push_back({model.classes[c].name, pictures.colours[c], counted(model.machines[c].samples, "pixel")});
  }
  picture.caption = pictures.shown + "Training pixels in the colours of their classes on the pale scene. The scene: " +
                    pictures.scene_bands + ", each stretched between its 2nd and 98th percentile.";
  return picture;
}

std::string spread_text(const FoldSpread& spread) {
  return percent(spread.mean) + " %" + (spread.deviation ? " ± " + percent(spread.deviation) + " %" : "");
}

PageSection metric_section(const Model& model) {
  PageSection section{"metric", "Metrics compared", {}, {}, {scan_table(model)}, {}, true};
  section.paragraphs = {
      "Blend is the part of a class's own covariance in its metric, the rest is that of all classes. Damping is the "
      "exponent of its variances: 0 is the Gaussian kernel, 1 the Mahalanobis distance of the class. Rest says whether "
      "what is orthogonal to the directions of the class counts. Risk is the "
      "logarithmic loss plus the part of errors of pixels that were left out."};
  if (model.profile_score) {
    section.paragraphs.push_back("Profiles of what lies around a pixel: " + profile_text(model) + ".");
  }
  return section;
}

PageSection spatial_section(const SpatialRecord& record) {
  PageSection section{"spatial", "Surroundings of pixels", {spatial_text(record)}, {}, {}, {}};
  if (!record.scores.empty()) {
    section.tables.push_back(spatial_table(record));
  }
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

std::string left_out_text(const LeftOutScores& left_out, const ClassTable& classes) {
  std::string pixels_alone;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (!left_out.by_region[c]) {
      pixels_alone += (pixels_alone.empty() ? "" : ", ") + classes[c].name;
    }
  }
  const bool regions = std::any_of(left_out.by_region.begin(), left_out.by_region.end(), [](bool by) { return by; });
  const std::string what = regions ? "regions" : "single pixels";
  std::string text = "Accuracy of left-out " + what + ": " + percent(left_out.accuracy) + " % of " +
                     std::to_string(left_out.samples) + " training pixels, each judged without its fold of " +
                     std::to_string(left_out.units) + " " + what + ".\n";
  if (regions && !pixels_alone.empty()) {
    text +=
        "Pixels of classes in fewer than five regions were left out one by one, which is optimistic: " + pixels_alone +
        ".\n";
  } else if (!regions) {
    text += "No class lies in five regions or more. Where neighbouring pixels are alike, this is optimistic.\n";
  }
  return text;
}

std::string classes_text(const Model& model) {
  const std::vector<ClassSummary> summaries = class_summaries(model);
  std::size_t widest = 0;
  for (const ClassSummary& summary : summaries) {
    widest = std::max(widest, std::min(display_width(summary.name), kWidestName));
  }
  TextTable table({Alignment::left, Alignment::right, Alignment::right, Alignment::right, Alignment::left});
  table.add_row({"class", "pixels", "regions", "right %", "taken for"});
  for (const ClassSummary& summary : summaries) {
    const std::string confused =
        summary.confused_with ? percent(summary.confused_share) + " % " + *summary.confused_with : "";
    table.add_row({shortened(summary.name, kWidestName), std::to_string(summary.pixels),
                   summary.regions ? std::to_string(*summary.regions) : "-", percent(summary.accuracy),
                   shortened(confused, kTableWidth - kOtherColumns - widest)});
  }
  return table.text() + "\n" + left_out_text(model.provenance.left_out, model.classes) +
         (model.provenance.validation ? "\n" + validation_text(*model.provenance.validation, model.classes) : "");
}

std::string support_text(const Model& model) {
  const std::string spectra = std::to_string(model.support_spectra.rows()) + " spectra, shared by the classes";
  if (!model.reduction) {
    return spectra;
  }
  std::ostringstream loss;
  loss << std::fixed << std::setprecision(2) << 100 * model.reduction->loss << " points (+- "
       << 100 * model.reduction->loss_error << ")";
  return spectra + ", in place of " + std::to_string(model.reduction->exact_spectra) +
         "; accuracy lost by that, on left-out pixels: " + loss.str();
}

std::string profile_text(const Model& model) {
  if (!model.profile_score) {
    return "";
  }
  const ProfileScore& score = *model.profile_score;
  const std::string gain = "left-out accuracy " + percent(score.accuracy) + " %, by spectra alone " +
                           percent(score.spectra_accuracy) + " %; risk " + (score.kept() ? "lower" : "higher") +
                           " by " + with_four_decimals(std::abs(score.gain)) + " (+- " +
                           with_four_decimals(score.gain_error) + ")";
  if (!model.profile) {
    return "compared, and not kept: " + gain;
  }
  const ProfileDesign& design = *model.profile;
  std::string radii;
  for (const double radius : design.radii) {
    radii += (radii.empty() ? "" : ", ") + short_number(radius);
  }
  return std::to_string(design.components()) + " components" +
         (radii.empty() ? ""
                        : ", opened and closed with radii of " + radii + (design.metres ? " m" : " pixels") + " and " +
                              std::to_string(design.steps) + " steps of reconstruction") +
         ": " + std::to_string(design.features()) + " features; they make " + percent(score.point.share) +
         " % of the kernel, width " + with_four_decimals(score.width) + "; " + gain;
}

std::string machines_text(const Model& model) {
  TextTable table({Alignment::left, Alignment::right, Alignment::right, Alignment::right, Alignment::right,
                   Alignment::right, Alignment::right, Alignment::left, Alignment::left});
  table.add_row({"class", "p", "C", "support vectors", "criterion", "evaluations", "KKT", "fit", "search"});
  for (std::size_t c = 0; c < model.machines.size(); ++c) {
    const BinaryMachine& machine = model.machines[c];
    const SelectionRecord& selection = machine.selection;
    table.add_row({model.classes[c].name, std::to_string(machine.metric.weights.size()), short_number(machine.C),
                   std::to_string(machine.support.size()), short_number(selection.value),
                   std::to_string(selection.evaluations), short_number(machine.kkt_violation), machine.solver_stop,
                   selection.stop_reason});
  }
  const std::string criterion = model.machines.empty() ? "" : model.machines.front().selection.criterion;
  return "One machine per class; p signal directions; criterion: " + criterion +
         ";\n"
         "KKT: largest violation of the final fit; fit and search: why the final fit and the selection stopped.\n\n" +
         table.text() + scan_text(model);
}

std::string training_text(const Model& model, const TrainingRecord& record, bool verbose) {
  return "Trained " + std::to_string(model.classes.size()) + " classes on " +
         std::to_string(model.provenance.training_pixels) + " pixels, " + std::to_string(model.bands.size()) + " of " +
         std::to_string(model.scene_bands) + " bands, " + to_string(model.family) + " kernel, " +
         to_string(model.scaling_rule) + " scaling.\n" + scenes_text(record) + dropped_text(model, record) + "\n" +
         classes_text(model) + (model.reduction ? "Support: " + support_text(model) + ".\n" : "") +
         (model.profile_score ? "Profiles: " + profile_text(model) + ".\n" : "") +
         (model.spatial ? spatial_text(*model.spatial) + "\n" : "") + (verbose ? "\n" + machines_text(model) : "") +
         "\n" + time_text(record.seconds, record.stages) + memory_text(record.peak_memory_bytes) +
         (record.samples_out ? "Samples: " + *record.samples_out + "\n" : "") +
         (record.report ? "Report: " + *record.report + "\n" : "") + "Model: " + record.model + "\n";
}

std::vector<std::string> training_verdict(const Model& model) {
  constexpr std::size_t kMostPairs = 3;
  const Provenance& provenance = model.provenance;
  const std::string left_out = left_out_text(provenance.left_out, model.classes);
  std::optional<ConfusionMatrix> judged;
  std::vector<std::string> sentences;
  if (provenance.validation) {
    judged = validation_scores(*provenance.validation, model.classes).pooled;
    const std::string measure = "Accuracy in " + validation_title(*provenance.validation) + ":";
    sentences = {accuracy_verdict({measure, judged->overall_accuracy(), {}, "tested pixel"}, *judged), left_out};
  } else if (provenance.left_out.confusion) {
    judged.emplace(class_names(model.classes), *provenance.left_out.confusion);
    sentences = {accuracy_verdict({"Left-out accuracy", provenance.left_out.accuracy, {}, "training pixel"}, *judged),
                 left_out};
  } else {
    return {left_out};
  }
  const std::vector<std::string> pairs = confused_pairs(*judged, kMostPairs);
  sentences.insert(sentences.begin() + 1, pairs.begin(), pairs.end());
  return sentences;
}

std::string training_lead(const Model& model) {
  return std::to_string(model.classes.size()) + " classes, " + std::to_string(model.provenance.training_pixels) +
         " pixels, " + std::to_string(model.bands.size()) + " of " + std::to_string(model.scene_bands) + " bands, " +
         to_string(model.family) + " kernel, " + to_string(model.scaling_rule) + " scaling.";
}

std::vector<PageSection> training_sections(const Model& model, const TrainingPictures& pictures) {
  std::vector<PageSection> sections = {{"classes", "Training pixels", {}, {}, {class_table(model)}, {}},
                                       {"spectra", "Spectra", {}, {}, {}, {"class-spectra"}}};
  if (!pictures.images.empty()) {
    sections.front().pictures = {training_picture(model, pictures)};
  }
  if (!model.dropped_bands.empty()) {
    sections.back().tables.push_back(dropped_table(model));
  }
  if (model.provenance.validation) {
    sections.insert(sections.begin() + 1, validation_section(*model.provenance.validation, model.classes));
  } else if (model.provenance.left_out.confusion) {
    sections.insert(sections.begin() + 1, {"confusion", "What is confused", {}, {}, {}, {"confusion"}});
  }
  if (model.spatial) {
    sections.push_back(spatial_section(*model.spatial));
  }
  sections.push_back({"machines", "Machines", {}, {}, {machine_table(model)}, {}, true});
  if (!model.scan.empty()) {
    sections.push_back(metric_section(model));
  }
  sections.push_back({"deviations", "Spectra of each class", {}, {}, {}, {"spectra"}, true});
  sections.push_back({"scree", "Scree tests", {}, {}, {}, {"scree"}, true});
  sections.push_back({"weights", "Weights", {}, {}, {}, {"weights"}, true});
  if (model.scan.empty()) {
    sections.push_back({"criterion", "Criterion", {}, {}, {}, {"criterion"}, true});
  }
  return sections;
}

CommandPage training_page(const Model& model, const TrainingRecord& record, const TrainingPictures& pictures,
                          const PageFacts& facts) {
  CommandPage page;
  page.title = "Training on " + base_name(record.scene.empty() ? record.libraries.front() : record.scene);
  if (record.scenes.size() > 1) {
    page.title += " and " + counted(static_cast<std::int64_t>(record.scenes.size()) - 1, "more scene");
  }
  page.verdict = training_verdict(model);
  page.lead = training_lead(model);
  page.date = facts.date;
  page.sections = training_sections(model, pictures);
  page.sections.push_back({"inputs",
                           "Where it comes from",
                           {},
                           {},
                           {scene_table(record), grid_table(facts), input_table(facts), output_table(record)},
                           {}});
  page.sections.push_back({"run",
                           "Options, time and side files",
                           {},
                           {},
                           {option_table("Options as resolved", model.provenance.options), side_file_table(facts),
                            stage_table(record.seconds, record.stages, record.peak_memory_bytes)},
                           {},
                           true});
  return page;
}

}  // namespace parsimap
