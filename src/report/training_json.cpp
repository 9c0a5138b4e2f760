// A model, and what `train` did, as documents.
#include "parsimap/json/json_text.hpp"
#include "parsimap/json/model_file.hpp"
#include "parsimap/report/training_report.hpp"

#include "accuracy_measures.hpp"
#include "json_parts.hpp"

namespace parsimap {

static void list_fields(FoldSpread& spread, Fields& field) {
  field("mean", spread.mean);
  field("deviation", spread.deviation);
}

static void list_fields(const TrainingSceneRecord& scene, Fields& field) {
  field("scene", scene.scene);
  field("labels", scene.labels);
  field("mask", scene.mask);
  field("pixels", scene.pixels);
  field("resampled", scene.resampled);
}

static void list_fields(const TestRecord& test, Fields& field) {
  field("file", test.file);
  field("share", test.share);
  field("by", test.by);
  field("units", test.units);
  field("pixels", test.pixels);
  field("training_units", test.training_units);
  field("training_pixels", test.training_pixels);
  field("nearest", test.nearest);
  field("median_distance", test.median_distance);
  field("distance_unit", test.distance_unit);
}

static void list_fields(const ShapeScore& score, Fields& field) {
  field("blend", score.shape.blend);
  field("damping", score.shape.damping);
  field("rest", score.shape.rest);
  field("standardised", score.shape.standardised);
  field("width", score.point.width);
  field("C", score.point.C);
  field("risk", score.risk);
  field("gain", score.gain);
  field("gain_error", score.gain_error);
  field("pixels", score.samples);
}

static void list_fields(const SpatialScore& score, Fields& field) {
  field("steps", to_string(score.steps));
  field("over", to_string(score.over));
  field("accuracy", score.accuracy);
  field("gain", score.gain);
  field("gain_error", score.gain_error);
  field("risk_gain", score.risk_gain);
  field("risk_error", score.risk_error);
}

static void list_fields(const ProfileDesign& design, Fields& field) {
  field("components", design.components());
  field("radii", design.radii);
  field("unit", design.metres ? "m" : "pixels");
  field("steps", design.steps);
  field("features", design.features());
}

namespace {

constexpr const char* kRowsAreReference = "rows are reference, columns are predicted";

void list_machine(Fields& field, const ClassEntry& entry, const BinaryClassifier& classifier,
                  const ClassSummary& summary) {
  const SelectionRecord& selection = classifier.selection;
  field("name", entry.name);
  field("samples", classifier.samples);
  field("regions", classifier.regions);
  field("left_out_accuracy", summary.accuracy);
  field("confused_with", summary.confused_with);
  field("confused_share", summary.confused_with ? std::optional(summary.confused_share) : std::nullopt);
  field("dimension", classifier.metric.weights.size());
  field.group("criterion", [&] {
    field("name", selection.criterion);
    field("value", selection.value);
    field("evaluations", selection.evaluations);
    field("stop_reason", selection.stop_reason);
  });
  field("C", classifier.C);
  field("support_vectors", classifier.support.size());
  field("kkt_violation", classifier.kkt_violation);
  field("code", entry.code);
  field("solver_stop", classifier.solver_stop);
}

// One entry for each class: facts of its classifier together with the accuracy of its left-out pixels.
void list_machines(Fields& field, const Model& model) {
  const std::vector<ClassSummary> summaries = class_summaries(model);
  field.groups("classes", model.classifiers.size(),
               [&](std::size_t c) { list_machine(field, model.classes[c], model.classifiers[c], summaries[c]); });
}

std::optional<std::vector<double>> ends_of(const std::optional<Interval>& interval) {
  return interval ? std::optional(std::vector<double>{interval->low, interval->high}) : std::nullopt;
}

std::optional<std::vector<double>> shares_or_null(const Vector& shares) {
  return shares.size() > 0 ? std::optional(std::vector<double>(shares.begin(), shares.end())) : std::nullopt;
}

// What was left out in turn: whole regions of some classes, single pixels of the others.
void list_left_out(Fields& field, const Model& model) {
  const LeftOutScores& left_out = model.provenance.left_out;
  // Classes in one region were left out pixel by pixel, which is optimistic; readers need to know which
  // they are.
  std::vector<std::string> by_region;
  std::vector<std::string> by_pixel;
  for (std::size_t c = 0; c < left_out.by_region.size(); ++c) {
    (left_out.by_region[c] ? by_region : by_pixel).push_back(model.classes[c].name);
  }
  const ExpectedAccuracy expected = expected_accuracy(model);
  field("left_out_accuracy", expected.overall);
  field.group("left_out", [&] {
    field("accuracy", left_out_share(left_out));
    field("average_accuracy", expected.average);
    field("interval", ends_of(expected.overall_interval));
    field("average_interval", ends_of(expected.average_interval));
    field("map_shares", shares_or_null(left_out.map_shares));
    field("other_places", left_out_elsewhere(model));
    field("pixels", left_out.samples);
    field("units", left_out.units);
    field("unit_design", model.provenance.units);
    field("classes_by_region", by_region);
    field("classes_by_pixel", by_pixel);
    field("confusion", left_out.confusion);
    field("orientation", kRowsAreReference);
    field("balanced_weights", left_out.balanced);
  });
}

void list_scan(Fields& field, const Model& model) {
  field.groups("scan", model.scan.size(), [&](std::size_t i) {
    list_fields(model.scan[i], field);
    field("chosen", model.scan[i].shape == model.shape);
  });
}

void list_dropped_bands(Fields& field, const Model& model) {
  field.groups("dropped_bands", model.dropped_bands.size(), [&](std::size_t i) {
    field("band", model.dropped_bands[i].band + 1);
    field("reason", model.dropped_bands[i].reason);
  });
}

// How the model was made smaller, or sees what lies around pixels; each is null where it is not so. A kernel of
// profiles that was compared and not kept has no design.
void list_steps(Fields& field, const Model& model) {
  field("support_spectra", model.support_spectra.rows());
  field.group("reduction", model.reduction, [&](const SupportReduction& reduction) {
    field("exact_spectra", reduction.exact_spectra);
    field("exact_support_vectors", reduction.exact_kernels);
    field("penalty_factor", reduction.penalty_factor);
    field("loss", reduction.loss);
    field("loss_error", reduction.loss_error);
    field("pixels", reduction.samples);
  });
  field.group("profile", model.profile_score, [&](const ProfileScore& score) {
    field("kept", score.kept());
    field("share", score.point.share);
    field("weight", score.point.profile_weight);
    field("width", score.width);
    field("spectral_width", score.point.width);
    field("C", score.point.C);
    field("risk", score.risk);
    field("gain", score.gain);
    field("gain_error", score.gain_error);
    field("accuracy", score.accuracy);
    field("spectral_accuracy", score.spectra_accuracy);
    field("pixels", score.samples);
    field.group("design", model.profile, [&](const ProfileDesign& design) { list_fields(design, field); });
  });
  field.group("spatial", model.spatial, [&](const SpatialRecord& record) {
    field("asked", record.asked);
    field("profiles", record.steps.profiles);
    field("neighbours", record.steps.neighbours);
    field("rule", record.rule.empty() ? std::nullopt : std::optional(record.rule));
    field("exponent", record.exponent);
    field.groups("trials", record.scores.size(), [&](std::size_t i) { list_fields(record.scores[i], field); });
    field("pixels", record.samples);
    field("units", record.units);
    field("buffer", record.buffer);
    field("reason", record.reason.empty() ? std::nullopt : std::optional(record.reason));
  });
}

void list_tested_class(Fields& field, const ConfusionMatrix& confusion, std::size_t c) {
  const ClassAccuracy accuracy = confusion.class_accuracy(static_cast<Index>(c));
  field("name", confusion.names()[c]);
  field("reference_pixels", accuracy.reference_pixels);
  field("predicted_pixels", accuracy.map_pixels);
  list_measures(field, class_measures(confusion, static_cast<Index>(c)));
}

void list_fold(Fields& field, const ValidationFold& fold, const std::vector<std::string>& names) {
  // Measures of a fold follow from its own matrix, of the pooled validation from the sum of all matrices.
  const ConfusionMatrix confusion(names, fold.confusion);
  field("repeat", fold.repeat + 1);
  field("fold", fold.number + 1);
  field("training_pixels", fold.training_pixels);
  field("buffered_pixels", fold.buffered_pixels);
  field("untested_pixels", fold.untested_pixels);
  field("pixels", confusion.pixels());
  list_accuracies(field, confusion);
}

// null where there was no validation. Folds and repeats count from 1.
void list_validation(Fields& field, const Model& model) {
  field.group("validation", model.provenance.validation, [&](const Validation& validation) {
    const ValidationScores scores = validation_scores(validation, model.classes);
    const ConfusionMatrix& pooled = scores.pooled;
    field("folds", validation.folds);
    field("repeats", validation.repeats);
    field("grouping", validation.grouping);
    field("groups", validation.groups);
    field("buffer", validation.buffer);
    field("buffer_unit", validation.buffer_unit);
    field("pixels", pooled.pixels());
    list_accuracies(field, pooled);
    field.group("over_folds", [&] {
      const std::vector<Measure> measures = overall_measures(pooled);
      for (std::size_t i = 0; i < kAccuracies; ++i) {
        field(measures[i].key, scores.over_folds[i]);
      }
    });
    field("confusion", pooled.counts());
    field("orientation", kRowsAreReference);
    field.groups("classes", pooled.names().size(), [&](std::size_t c) { list_tested_class(field, pooled, c); });
    field.groups("results", validation.results.size(),
                 [&](std::size_t i) { list_fold(field, validation.results[i], pooled.names()); });
  });
}

void list_provenance(Fields& field, const Provenance& provenance) {
  field.group("provenance", [&] {
    field("program_version", provenance.program_version);
    field("seed", provenance.seed);
    field.group("options", [&] {
      for (const auto& [name, value] : provenance.options) {
        field(name, value);
      }
    });
    field("inputs", provenance.inputs);
  });
}

}  // namespace

std::string training_json(const Model& model, const TrainingRecord& record) {
  return document_text([&](Fields& field) {
    field("bands_used", model.bands.size());
    field("training_pixels", model.provenance.training_pixels);
    list_machines(field, model);
    list_left_out(field, model);
    list_scan(field, model);
    list_steps(field, model);
    field("seconds", record.seconds);
    field.numbers_by_name("stages", record.stages);
    field("pixels_per_second", quotient(static_cast<double>(model.provenance.training_pixels), record.seconds));
    field("peak_memory_mb", megabytes(record.peak_memory_bytes));
    list_validation(field, model);
    field("scene", text_or_null(record.scene));
    field("labels", record.labels);
    field("scenes", record.scenes);
    field("libraries", record.libraries);
    field("samples_out", record.samples_out);
    field("test", record.test);
    field("model", record.model);
    field("report", record.report);
    field("kernel", to_string(model.family));
    field("scaling", to_string(model.scaling_rule));
    field("scene_bands", model.scene_bands);
    list_dropped_bands(field, model);
    field("invalid_pixels", record.invalid_pixels);
    field("conflicting_pixels", record.conflicting_pixels);
    field("outside_features", record.outside_features);
  });
}

std::string info_json(const Model& model, const std::string& path) {
  return document_text([&](Fields& field) {
    field("kind", "model");
    field("path", path);
    field("kernel", to_string(model.family));
    field("scaling", to_string(model.scaling_rule));
    field("scene_bands", model.scene_bands);
    field("bands_used", model.bands.size());
    field.groups("bands", model.bands.size(),
                 [&](std::size_t b) { list_band(field, model.bands[b], model.band_table[b]); });
    list_dropped_bands(field, model);
    field("training_pixels", model.provenance.training_pixels);
    list_machines(field, model);
    list_left_out(field, model);
    list_scan(field, model);
    list_validation(field, model);
    list_steps(field, model);
    field("combination", model.combination);
    field("softmax_slope", model.softmax_slope);
    list_provenance(field, model.provenance);
  });
}

}  // namespace parsimap
