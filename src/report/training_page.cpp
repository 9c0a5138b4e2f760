
#include <algorithm>
#include <numeric>

#include "parsimap/report/text_table.hpp"
#include "parsimap/report/training_report.hpp"

#include "verdict.hpp"

namespace parsimap {
namespace {

PageTable class_table(const Model& model) {
  PageTable table{
      "Left-out pixels were predicted by classifiers trained without them, and where possible without their region",
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
      "One classifier for every class against the rest; p: directions of its subspace",
      {"class", "pixels", "p", "C", "support vectors", "criterion", "evaluations", "violation", "fit", "search"},
      {},
      1};
  for (std::size_t c = 0; c < model.classifiers.size(); ++c) {
    const BinaryClassifier& classifier = model.classifiers[c];
    table.rows.push_back({model.classes[c].name, std::to_string(classifier.samples),
                          std::to_string(classifier.metric.weights.size()), short_number(classifier.C),
                          std::to_string(classifier.support.size()), short_number(classifier.selection.value),
                          std::to_string(classifier.selection.evaluations), short_number(classifier.kkt_violation),
                          classifier.solver_stop, classifier.selection.stop_reason});
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
    // Colours of the legend are those of the marks, in the order of the classes of the model.
    picture.legend.push_back(
        {model.classes[c].name, pictures.colours[c], counted(model.classifiers[c].samples, "pixel")});
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

std::vector<std::string> training_verdict(const Model& model) {
  constexpr std::size_t kMostPairs = 3;
  const Provenance& provenance = model.provenance;
  const std::string left_out = left_out_text(provenance.left_out, model.classes);
  // The accuracy is taken from the strongest evidence there is: a validation with complete training in every fold, else
  // the left-out pixels of the selection of the metric. The latter is slightly optimistic, because the metric was
  // chosen by the same pixels (docs/method.md, "Selection by left-out regions").
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
  // The most confused pairs follow the accuracy, and the sentence about the design of the test remains the last one:
  // notes_of() of the model card relies on this order.
  sentences.insert(sentences.begin() + 1, pairs.begin(), pairs.end());
  return sentences;
}

std::string training_lead(const Model& model) {
  return std::to_string(model.classes.size()) + " classes, " + std::to_string(model.provenance.training_pixels) +
         " pixels, " + std::to_string(model.bands.size()) + " of " + std::to_string(model.scene_bands) + " bands, " +
         to_string(model.family) + " kernel, " + to_string(model.scaling_rule) + " scaling.";
}

std::vector<PageSection> training_sections(const Model& model, const TrainingPictures& pictures) {
  // Sections for every reader come first: training pixels, confusion, spectra, surroundings. Details of the method
  // follow and are folded.
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
  sections.push_back({"machines", "Classifiers", {}, {}, {machine_table(model)}, {}, true});
  if (!model.scan.empty()) {
    sections.push_back(metric_section(model));
  }
  sections.push_back({"deviations", "Spectra of each class", {}, {}, {}, {"spectra"}, true});
  sections.push_back({"scree", "Scree tests", {}, {}, {}, {"scree"}, true});
  sections.push_back({"weights", "Weights", {}, {}, {}, {"weights"}, true});
  // A model whose metric was chosen from several by left-out pixels has no criterion that was minimised by a descent:
  // the scan is shown instead.
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

DataDescription describe_model(const Model& model) {
  DataDescription description;
  description.name = "Training";
  description.bands = static_cast<Index>(model.bands.size());
  Indices all(model.band_table.size());
  std::iota(all.begin(), all.end(), 0);
  description.wavelengths = wavelengths_of(model.band_table, all);
  description.training_samples = model.provenance.training_pixels;
  for (std::size_t c = 0; c < model.classes.size(); ++c) {
    // A model holds the class means in scaled bands. Multiplying by the scale and adding the offset, band by band,
    // gives the units of the scene back.
    const Vector mean = model.novelty[c].gaussian.mean.cwiseProduct(model.scaling.scale) + model.scaling.offset;
    ClassDescription entry;
    entry.name = model.classes[c].name;
    entry.samples = model.classifiers[c].samples;
    entry.mean.assign(mean.begin(), mean.end());
    description.classes.push_back(std::move(entry));
  }
  return description;
}

std::vector<PageSection> model_sections(const Model& model) {
  std::vector<PageSection> sections = training_sections(model, {});
  // These figures need the training samples, which are not part of a model file.
  std::erase_if(sections,
                [](const PageSection& section) { return section.id == "deviations" || section.id == "scree"; });
  return sections;
}

PageTable training_input_table(const Model& model) {
  PageTable table{
      "What the model was trained on, by parsimap " + model.provenance.program_version, {"file", "bytes"}, {}, 1};
  for (const InputFile& input : model.provenance.inputs) {
    table.rows.push_back({input.path, input.bytes == 0 ? "-" : std::to_string(input.bytes)});
  }
  return table;
}

CommandPage model_page(const Model& model) {
  CommandPage page;
  page.title = "Model of " + counted(static_cast<std::int64_t>(model.classes.size()), "class");
  page.verdict = training_verdict(model);
  page.lead = training_lead(model);
  page.sections = model_sections(model);
  const PageTable inputs = training_input_table(model);
  if (!inputs.rows.empty()) {
    page.sections.push_back({"inputs", "Where it comes from", {}, {}, {inputs}, {}});
  }
  const PageTable options = option_table("Options as resolved", model.provenance.options);
  if (!options.rows.empty()) {
    page.sections.push_back({"run", "Options of the training", {}, {}, {options}, {}, true});
  }
  return page;
}

}  // namespace parsimap
