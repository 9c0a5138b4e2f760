#include "parsimap/report/training_report.hpp"

#include <algorithm>
#include <cmath>

#include "parsimap/core/text.hpp"
#include "parsimap/report/training_json.hpp"
#include "parsimap/report/validation_report.hpp"

#include "accuracy_measures.hpp"

namespace parsimap {

std::vector<ClassSummary> class_summaries(const Model& model) {
  const std::optional<CountMatrix>& confusion = model.provenance.left_out.confusion;
  std::vector<ClassSummary> summaries;
  for (std::size_t c = 0; c < model.classifiers.size(); ++c) {
    ClassSummary summary;
    summary.name = model.classes[c].name;
    summary.pixels = model.classifiers[c].samples;
    summary.regions = model.classifiers[c].regions;
    if (confusion) {
      const TakenFor taken = taken_for(*confusion, static_cast<Index>(c), model.classes);
      summary.accuracy = taken.right;
      summary.confused_with = taken.other;
      summary.confused_share = taken.other_share;
    }
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

static std::string points(double share, bool sign) {
  return (sign && !std::signbit(share) ? "+" : "") + fixed(100 * share, 1);
}

static std::string with_error(const std::string& value, const std::string& error) { return value + " +- " + error; }

std::string spatial_text(const SpatialRecord& record) {
  std::string text =
      "Surroundings of pixels: " + to_string(record.steps) + (record.rule.empty() ? "" : " (" + record.rule + ")");
  if (!record.reason.empty()) {
    return text + ", since nothing could be tested: " + record.reason + ".";
  }
  if (record.scores.empty()) {
    return text + (record.asked != "profiles" ? ", which --spatial " + record.asked + " uses without a test."
                   : record.steps.profiles
                       ? ", which lower the risk of left-out pixels."
                       : "; profiles gain nothing on left-out pixels (--spatial always keeps them).");
  }
  return text + ". They were tested on " + std::to_string(record.samples) + " training pixels that were left out in " +
         counted(record.units, "unit") + ". A step is kept if it lowers the risk by more than its error.";
}

// "profiles", or "neighbours, then profiles" where it is compared with what was kept before.
static std::string name_of_step(const SpatialScore& score) {
  const auto& over = score.over;
  const SpatialSteps more{score.steps.profiles && !over.profiles, score.steps.neighbours && !over.neighbours};
  return over == SpatialSteps{} ? to_string(more) : to_string(over) + ", then " + to_string(more);
}

Table spatial_table(const SpatialRecord& record) {
  // The first score is that of the spectra alone or of the simplest model; each further one is a step with its gain
  // over the score that it was compared with (docs/method.md, "Spatial steps").
  Table table{"Steps tried on left-out pixels, and what each changes of those kept before it",
              {"step", "kept", "right %", "change, points", "change of risk"},
              {},
              "llr"};
  // A step is marked as kept if every part of it is among the parts of the final choice: profiles, neighbours or both.
  for (const SpatialScore& score : record.scores) {
    const bool kept =
        (!score.steps.profiles || record.steps.profiles) && (!score.steps.neighbours || record.steps.neighbours);
    const bool first = &score == &record.scores.front();
    table.rows.push_back({first ? to_string(score.steps) : name_of_step(score), kept ? "yes" : "no",
                          points(score.accuracy, false),
                          first ? "" : with_error(points(score.gain, true), points(score.gain_error, false)),
                          first ? ""
                                : with_error((score.risk_gain < 0 ? "+" : "") + fixed(0 - score.risk_gain, 3),
                                             fixed(score.risk_error, 3))});
  }
  return table;
}

static Table class_table(const Model& model) {
  Table table{"Left-out pixels were predicted by classifiers trained without what was left out with them",
              {"code", "class", "pixels", "regions", "right %", "taken for"},
              {},
              "rlrrrl"};
  const std::vector<ClassSummary> summaries = class_summaries(model);
  for (std::size_t c = 0; c < summaries.size(); ++c) {
    const ClassSummary& summary = summaries[c];
    table.rows.push_back(
        {std::to_string(model.classes[c].code), summary.name, std::to_string(summary.pixels),
         summary.regions ? std::to_string(*summary.regions) : "-", percent(summary.accuracy),
         summary.confused_with ? percent(summary.confused_share) + " % " + *summary.confused_with : ""});
  }
  return table;
}

static Table classifier_table(const Model& model) {
  Table table{"One classifier for every class against the rest; p: directions of its subspace",
              {"class", "p", "C", "support vectors", "criterion", "evaluations", "KKT", "fit", "search"},
              {},
              "lrrrrrrl"};
  for (std::size_t c = 0; c < model.classifiers.size(); ++c) {
    const BinaryClassifier& classifier = model.classifiers[c];
    const SelectionRecord& selection = classifier.selection;
    table.rows.push_back({model.classes[c].name, std::to_string(classifier.metric.weights.size()),
                          short_number(classifier.C), std::to_string(classifier.support.size()),
                          short_number(selection.value), std::to_string(selection.evaluations),
                          short_number(classifier.kkt_violation), classifier.solver_stop, selection.stop_reason});
  }
  return table;
}

static Table scan_table(const Model& model) {
  Table table{
      "Metrics compared by left-out pixels; of those compared on the most pixels, the one of the lowest risk is chosen",
      {"scaling", "blend", "damping", "rest", "width", "C", "risk", "gain", "error", "pixels", ""},
      {},
      "lrrlrrrrrrl"};
  // Where the scaling was chosen, it was one of two.
  const ScalingRule other = model.shape.standardised ? ScalingRule::global : ScalingRule::within_classes;
  for (const ShapeScore& score : model.scan) {
    table.rows.push_back({to_string(score.shape.standardised == model.shape.standardised ? model.scaling_rule : other),
                          short_number(score.shape.blend), short_number(score.shape.damping),
                          score.shape.rest ? "yes" : "no", short_number(score.point.width), short_number(score.point.C),
                          fixed(score.risk, 4), fixed(score.gain, 4), fixed(score.gain_error, 4),
                          std::to_string(score.samples), score.shape == model.shape ? "chosen" : ""});
  }
  return table;
}

static std::string dropped_text(const Model& model, const TrainingRecord& record) {
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

// The pixels of each of several scenes.
static std::string scenes_text(const TrainingRecord& record) {
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

std::string compression_text(const Model& model) { return model.scaling.units.size() > 0 ? ", bands compressed" : ""; }

static std::string bands_and_kernel(const Model& model) {
  return std::to_string(model.bands.size()) + " of " + std::to_string(model.scene_bands) + " bands, " +
         to_string(model.family) + " kernel, " + to_string(model.scaling_rule) + " scaling" + compression_text(model) +
         ".";
}

static std::string scan_text(const Model& model) {
  // Empty for models whose parameters were selected by one criterion without comparing metrics.
  if (model.scan.empty()) {
    return "";
  }
  return "\nMetrics compared by left-out pixels. Of those compared on the most pixels, the one of the lowest risk is "
         "chosen.\n"
         "blend: part of the class's own covariance, the rest is pooled; damping: exponent of its variances,\n"
         "0 is the Gaussian kernel; rest: whether what is orthogonal to the directions counts;\n"
         "risk: logarithmic loss plus part of errors, comparable for the same pixels only; gain: over the first on "
         "the\n"
         "same pixels, with its error.\n\n" +
         table_text(scan_table(model));
}

// What a validation does not show of a map with neighbours; empty without one.
static std::string validation_note(const Model& model) {
  return model.provenance.validation && model.spatial && model.spatial->steps.neighbours
             ? "The validation classifies pixels without their neighbours; maps of the model use these."
             : "";
}

std::string classes_text(const Model& model) {
  // Names of classes are cut at 32 columns. The last column, which names the class that is most confused, gets the
  // width that the others leave of a line of 80 columns.
  constexpr std::size_t kWidestName = 32;
  constexpr std::size_t kTableWidth = 80;
  constexpr std::size_t kOtherColumns = 2 + 4 + 2 + 2 + 6 + 2 + 7 + 2 + 7 + 2;
  Table table = class_table(model);
  std::size_t widest = 0;
  for (std::vector<std::string>& row : table.rows) {
    row[1] = shortened(row[1], kWidestName);
    widest = std::max(widest, display_width(row[1]));
  }
  for (std::vector<std::string>& row : table.rows) {
    row.back() = shortened(row.back(), kTableWidth - kOtherColumns - widest);
  }
  return table_text(table) + "\n" + left_out_text(model) +
         (model.provenance.validation ? "\n" + validation_text(*model.provenance.validation, model.classes) : "") +
         (validation_note(model).empty() ? "" : validation_note(model) + "\n");
}

std::string support_text(const Model& model) {
  // The classifiers share one matrix of support spectra.
  const std::string spectra = std::to_string(model.support_spectra.rows()) + " spectra, shared by the classes";
  if (!model.early_stages || model.early_stages->stages.empty()) {
    return spectra;
  }
  const EarlyStages& early = *model.early_stages;
  const std::string sizes =
      separated(early.stages, " or ", [](const EarlyStage& stage) { return std::to_string(stage.support.size()); });
  return spectra + "; in maps " + sizes + " of them decide " + fixed(100 * early.stages.back().decided, 1) +
         " % of the pixels, and all of them the others (" + std::to_string(early.pixels) + " pixels compared)";
}

std::string profile_text(const Model& model) {
  if (!model.profile_score) {
    return "";
  }
  // Gain is the decrease of the risk of left-out pixels by the additional kernel of profiles (docs/method.md, "A kernel
  // of profiles"). Its sign is expressed in words, its size as a number.
  const ProfileScore& score = *model.profile_score;
  const std::string gain = "left-out accuracy " + percent(score.accuracy) + " %, by spectra alone " +
                           percent(score.spectra_accuracy) + " %; risk " + (score.gain < 0 ? "higher" : "lower") +
                           " by " + fixed(std::abs(score.gain), 4) + " (+- " + fixed(score.gain_error, 4) + ")";
  if (!model.profile) {
    return "compared, and not kept: " + gain;
  }
  const ProfileDesign& design = *model.profile;
  const std::string radii = separated(design.radii, ", ", [](double radius) { return short_number(radius); });
  return std::to_string(design.components()) + " components" +
         (radii.empty() ? ""
                        : ", opened and closed with radii of " + radii + (design.metres ? " m" : " pixels") + " and " +
                              std::to_string(design.steps) + " steps of reconstruction") +
         ": " + std::to_string(design.features()) + " features; they make " + percent(score.point.share) +
         " % of the kernel, width " + fixed(score.width, 4) + "; " + gain;
}

std::string classifiers_text(const Model& model) {
  const std::string criterion = model.classifiers.empty() ? "" : model.classifiers.front().selection.criterion;
  return "One classifier per class; p signal directions; criterion: " + criterion +
         ";\n"
         "KKT: largest violation of the final fit; fit and search: why the final fit and the selection stopped.\n\n" +
         table_text(classifier_table(model)) + scan_text(model);
}

std::string training_lead(const Model& model) {
  return std::to_string(model.classes.size()) + " classes, " + std::to_string(model.provenance.training_pixels) +
         " pixels, " + bands_and_kernel(model);
}

static std::optional<std::string> test_file(const TrainingRecord& record) {
  return record.test ? std::optional(record.test->file) : std::nullopt;
}

std::string test_text(const TestRecord& test) {
  const auto distance = [&](double value) { return fixed(value, value < 10 ? 1 : 0) + " " + test.distance_unit; };
  return counted(test.pixels, "pixel") + " in " + counted(test.units, "unit") + " (" + test.by +
         ") are kept for testing, and " + std::to_string(test.training_pixels) + " in " +
         std::to_string(test.training_units) + " for training. Half of the test pixels are at least " +
         distance(test.median_distance) + " away from all training pixels, and the nearest one is " +
         distance(test.nearest) + " away." +
         (test.untested.empty() ? ""
                                : " Not tested: " + quoted_names({test.untested.begin(), test.untested.end()}) + ".");
}

std::string spatial_steps_text(const SpatialRecord& record) {
  return spatial_text(record) + "\n" + (record.scores.empty() ? "" : "\n" + table_text(spatial_table(record)) + "\n");
}

std::string training_text(const Model& model, const TrainingRecord& record, bool verbose) {
  return "Trained " + std::to_string(model.classes.size()) + " classes on " +
         std::to_string(model.provenance.training_pixels) + " pixels, " + bands_and_kernel(model) + "\n" +
         scenes_text(record) + dropped_text(model, record) + "\n" + classes_text(model) +
         (model.early_stages ? "Support: " + support_text(model) + ".\n" : "") +
         (model.profile_score ? "Profiles: " + profile_text(model) + ".\n" : "") +
         (model.spatial ? spatial_steps_text(*model.spatial) : "") + (verbose ? "\n" + classifiers_text(model) : "") +
         (record.test ? test_text(*record.test) + "\n" : "") + "\n" + time_text(record) +
         files_text({{"samples", record.samples_out},
                     {"test pixels", test_file(record)},
                     {"report", record.report},
                     {"model", record.model}});
}

static Table dropped_table(const Model& model) {
  Table table{"Bands that were left out", {"bands", "reason"}, {}, "l"};
  for (const auto& [reason, bands] : bands_by_reason(model.dropped_bands)) {
    table.rows.push_back({band_list(bands), reason});
  }
  return table;
}

// What was done to a scene whose bands are not those of the first.
static std::string bands_text(const TrainingSceneRecord& scene) {
  return scene.resampled
             ? std::to_string(scene.resampled->used_bands) + " resampled to " + std::to_string(scene.resampled->bands)
             : "as they are";
}

// Empty where one scene is all there is.
static Table scene_table(const TrainingRecord& record) {
  Table table{"Scenes", {"scene", "bands", "training pixels"}, {}, "llr"};
  if (record.scenes.size() > 1) {
    for (const TrainingSceneRecord& scene : record.scenes) {
      table.rows.push_back({scene.scene, bands_text(scene), std::to_string(scene.pixels)});
    }
  }
  return table;
}

static Figure training_picture(const Model& model, const RasterPictures& pictures) {
  Figure picture = figure_of(pictures, "picture-training", "Where the training pixels lie",
                             "Training pixels in the colours of their classes on the pale scene.");
  for (std::size_t c = 0; c < picture.legend.size(); ++c) {
    picture.legend[c].name = model.classes[c].name;
    picture.legend[c].text = counted(model.classifiers[c].samples, "pixel");
  }
  return picture;
}

static std::string spread_text(const FoldSpread& spread) {
  return percent(spread.mean) + " %" + (spread.deviation ? " ± " + percent(spread.deviation) + " %" : "");
}

static Section metric_section(const Model& model) {
  Section section{
      .id = "metric",
      .title = "Metrics compared",
      .paragraphs =
          {"Blend is the part of a class's own covariance in its metric, the rest is that of all classes. "
           "Damping is the exponent of its variances: 0 is the Gaussian kernel, 1 the Mahalanobis distance of "
           "the class. Rest says whether what is orthogonal to the directions of the class counts. Risk is "
           "the logarithmic loss plus the part of errors of pixels that were left out."},
      .tables = {scan_table(model)},
      .folded = true};
  if (model.profile_score) {
    section.paragraphs.push_back("Profiles of what lies around a pixel: " + profile_text(model) + ".");
  }
  return section;
}

static Section validation_section(const Validation& validation, const ClassTable& classes) {
  const ValidationScores scores = validation_scores(validation, classes);
  return {.id = "validation",
          .title = "Validation",
          .paragraphs = {validation_title(validation) + ", each trained anew: overall accuracy " +
                         spread_text(scores.over_folds[0]) + ", average accuracy " + spread_text(scores.over_folds[1]) +
                         " (mean and deviation over the folds)."},
          .figures = {"confusion"}};
}

std::vector<std::string> training_verdict(const Model& model) {
  constexpr std::size_t kMostPairs = 3;
  const Provenance& provenance = model.provenance;
  const std::string left_out = left_out_text(model);
  // The accuracy is taken from the strongest evidence there is: a validation with complete training in every fold, else
  // the left-out pixels of the selection of the metric. The latter is slightly optimistic, because the metric was
  // chosen by the same pixels (docs/method.md, "Selection by left-out regions").
  std::optional<ConfusionMatrix> judged;
  std::vector<std::string> sentences;
  if (provenance.validation) {
    judged = validation_scores(*provenance.validation, model.classes).pooled;
    const std::string measure = "Accuracy in " + validation_title(*provenance.validation) + ":";
    sentences = {accuracy_verdict({measure, judged->overall_accuracy(), {}, "tested pixel"}, *judged), left_out};
    if (const std::string note = validation_note(model); !note.empty()) {
      sentences.insert(sentences.begin() + 1, note);
    }
  } else if (provenance.left_out.confusion && left_out_elsewhere(model) && expected_accuracy(model).overall) {
    judged.emplace(class_names(model.classes), *provenance.left_out.confusion);
    const ExpectedAccuracy expected = expected_accuracy(model);
    sentences = {accuracy_verdict({"Left-out accuracy", *expected.overall, expected.overall_interval, "training pixel"},
                                  *judged),
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

std::vector<Section> training_sections(const Model& model, const RasterPictures& pictures) {
  // Sections for every reader come first: training pixels, confusion, spectra, surroundings. Details of the method
  // follow and are folded.
  std::vector<Section> sections = {{.id = "classes",
                                    .title = "Training pixels",
                                    .tables = {class_table(model)},
                                    .figures = {"distances", "by-distance"},
                                    .figure_data = distances_json(model)}};
  if (!pictures.images.empty()) {
    sections.back().pictures = {training_picture(model, pictures)};
  }
  if (model.provenance.validation) {
    sections.push_back(validation_section(*model.provenance.validation, model.classes));
  } else if (model.provenance.left_out.confusion) {
    sections.push_back({.id = "confusion", .title = "What is confused", .figures = {"confusion"}});
  }
  sections.push_back(
      {.id = "spectra", .title = "Spectra", .tables = {dropped_table(model)}, .figures = {"class-spectra"}});
  if (model.spatial) {
    sections.push_back({.id = "spatial",
                        .title = "Surroundings of pixels",
                        .paragraphs = {spatial_text(*model.spatial)},
                        .tables = {spatial_table(*model.spatial)}});
  }
  sections.push_back(
      {.id = "classifiers", .title = "Classifiers", .tables = {classifier_table(model)}, .folded = true});
  if (!model.scan.empty()) {
    sections.push_back(metric_section(model));
  }
  const auto add_drawing = [&](const std::string& id, const std::string& title, const std::string& drawing) {
    sections.push_back({.id = id, .title = title, .figures = {drawing}, .folded = true});
  };
  add_drawing("deviations", "Spectra of each class", "spectra");
  add_drawing("scree", "Scree tests", "scree");
  add_drawing("weights", "Weights", "weights");
  // A model whose metric was chosen from several by left-out pixels has no criterion that was minimised by a descent:
  // the scan is shown instead.
  if (model.scan.empty()) {
    add_drawing("criterion", "Criterion", "criterion");
  }
  return sections;
}

CommandPage training_page(const Model& model, const TrainingRecord& record, const RasterPictures& pictures,
                          const PageFacts& facts) {
  CommandPage page;
  const std::string source =
      record.scene.empty() && !record.libraries.empty() ? record.libraries.front() : record.scene;
  page.title = source.empty() ? "Training" : "Training on " + base_name(source);
  if (record.scenes.size() > 1) {
    page.title += " and " + counted(static_cast<std::int64_t>(record.scenes.size()) - 1, "more scene");
  }
  page.verdict = training_verdict(model);
  if (record.test) {
    page.verdict.push_back(test_text(*record.test));
  }
  page.lead = training_lead(model);
  page.sections = training_sections(model, pictures);
  add_origin(page, facts,
             {.options_title = "Options, time and side files",
              .options = model.provenance.options,
              .tables = {scene_table(record), files_table({{"model", record.model},
                                                           {"samples", record.samples_out},
                                                           {"test pixels", test_file(record)}})},
              .stages = stage_table(record)});
  return page;
}

}  // namespace parsimap
