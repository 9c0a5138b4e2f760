
#include "parsimap/report/training_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <sstream>

#include "parsimap/report/text_table.hpp"

namespace parsimap {

namespace {

// What the left-out pixels of class `c` were taken for.
void add_left_out(const CountMatrix& confusion, Index c, const ClassTable& classes, ClassSummary& summary) {
  // The row of the confusion matrix of left-out pixels: its diagonal entry gives the share of correct predictions, its
  // largest other entry the class that they are most often confused with.
  Eigen::Matrix<std::int64_t, 1, Eigen::Dynamic> taken_for = confusion.row(c);
  const std::int64_t all = taken_for.sum();
  if (all == 0) {
    return;
  }
  summary.accuracy = static_cast<double>(taken_for(c)) / static_cast<double>(all);
  taken_for(c) = 0;
  Index other = 0;
  const std::int64_t most = taken_for.maxCoeff(&other);
  if (most > 0) {
    summary.confused_with = classes[static_cast<std::size_t>(other)].name;
    summary.confused_share = static_cast<double>(most) / static_cast<double>(all);
  }
}

}  // namespace

std::vector<ClassSummary> class_summaries(const Model& model) {
  const std::optional<CountMatrix>& confusion = model.provenance.left_out.confusion;
  std::vector<ClassSummary> summaries;
  for (std::size_t c = 0; c < model.classifiers.size(); ++c) {
    ClassSummary summary;
    summary.name = model.classes[c].name;
    summary.pixels = model.classifiers[c].samples;
    summary.regions = model.classifiers[c].regions;
    if (confusion) {
      add_left_out(*confusion, static_cast<Index>(c), model.classes, summary);
    }
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

namespace {

std::string points(double share, bool sign) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(1) << (sign ? std::showpos : std::noshowpos) << 100 * share;
  return text.str();
}

std::string gain_text(const SpatialScore& score) {
  return points(score.gain, true) + " +- " + points(score.gain_error, false) + " points";
}

}  // namespace

std::string spatial_text(const SpatialRecord& record) {
  std::string text = "Surroundings of pixels: " + to_string(record.steps);
  if (!record.reason.empty()) {
    return text + ", since nothing could be tested: " + record.reason + " (" + short_number(record.buffer) +
           " pixels).";
  }
  if (record.scores.empty()) {
    return text + ", as asked for.";
  }
  // The first score is that of the spectra alone or of the simplest model; each further one is a step with its gain
  // over the score that it was compared with (docs/method.md, "Spatial steps").
  const SpatialScore& first = record.scores.front();
  text += ", tested on " + std::to_string(record.samples) + " training pixels left out with " +
          short_number(record.buffer) + " pixels around them: " + to_string(first.steps) + " " +
          points(first.accuracy, false) + " % right";
  for (std::size_t k = 1; k < record.scores.size(); ++k) {
    const SpatialScore& score = record.scores[k];
    text += "; " + to_string(score.steps) + " " + points(score.accuracy, false) + " % (" + gain_text(score) + " over " +
            to_string(score.over) + ")";
  }
  return text + ". A step is kept that gains more than its error.";
}

PageTable spatial_table(const SpatialRecord& record) {
  PageTable table{"Steps tried on pixels left out with " + short_number(record.buffer) +
                      " pixels around them; one is kept that gains more than its error",
                  {"step", "over", "kept", "accuracy %", "gain, points", "error, points", "pixels"},
                  {},
                  3};
  // A step is marked as kept if every part of it is among the parts of the final choice: profiles, neighbours or both.
  for (const SpatialScore& score : record.scores) {
    const bool kept = !score.steps.profiles || record.steps.profiles;
    table.rows.push_back({to_string(score.steps), to_string(score.over),
                          kept && (!score.steps.neighbours || record.steps.neighbours) ? "yes" : "no",
                          points(score.accuracy, false), points(score.gain, true), points(score.gain_error, false),
                          std::to_string(record.samples)});
  }
  return table;
}

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

std::string with_four_decimals(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4f", value);
  return text.data();
}

std::string scan_text(const Model& model) {
  // Empty for models whose parameters were selected by one criterion without comparing metrics.
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

}  // namespace

std::string left_out_text(const LeftOutScores& left_out, const ClassTable& classes) {
  // Classes in fewer than five regions are left out pixel by pixel, because their regions cannot be distributed over
  // five folds. The estimate is optimistic for them where neighbouring pixels are similar, which the text has to say.
  std::string pixels_alone;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (!left_out.by_region[c]) {
      pixels_alone += (pixels_alone.empty() ? "" : ", ") + classes[c].name;
    }
  }
  const bool regions = std::any_of(left_out.by_region.begin(), left_out.by_region.end(), [](bool by) { return by; });
  const std::string what = regions ? "regions" : "single pixels";
  std::string text = "Accuracy of left-out " + what + ": " + percent(left_out.accuracy) + " % of " +
                     std::to_string(left_out.samples) + " training pixels, each classified without its fold of " +
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
  // The last column, which names the most confused class, gets the width that the other columns leave of a line of 80
  // characters.
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
  // The classifiers share one matrix of support spectra. With a reduction (docs/method.md, "Fewer support spectra") its
  // size is compared with that of exact training, and the loss is that of the accuracy of left-out pixels.
  const std::string spectra = std::to_string(model.support_spectra.rows()) + " spectra, shared by the classes";
  if (!model.reduction) {
    return spectra;
  }
  // The loss is a difference of accuracies, so that it is written in percentage points, with its standard error.
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
  // Gain is the decrease of the risk of left-out pixels by the additional kernel of profiles (docs/method.md, "A kernel
  // of profiles"). Its sign is expressed in words, its size as a number.
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
  for (std::size_t c = 0; c < model.classifiers.size(); ++c) {
    const BinaryClassifier& classifier = model.classifiers[c];
    const SelectionRecord& selection = classifier.selection;
    table.add_row({model.classes[c].name, std::to_string(classifier.metric.weights.size()), short_number(classifier.C),
                   std::to_string(classifier.support.size()), short_number(selection.value),
                   std::to_string(selection.evaluations), short_number(classifier.kkt_violation),
                   classifier.solver_stop, selection.stop_reason});
  }
  const std::string criterion = model.classifiers.empty() ? "" : model.classifiers.front().selection.criterion;
  return "One classifier per class; p signal directions; criterion: " + criterion +
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

}  // namespace parsimap
