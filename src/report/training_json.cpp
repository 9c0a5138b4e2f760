#include "parsimap/report/training_json.hpp"

#include "parsimap/json/json_text.hpp"
#include "parsimap/report/training_report.hpp"
#include "parsimap/report/validation_report.hpp"

#include "accuracy_measures.hpp"
#include "json_parts.hpp"

namespace parsimap {

static PARSIMAP_RECORD(FoldSpread, mean, deviation);
static PARSIMAP_RECORD(const TrainingSceneRecord, scene, labels, mask, pixels, resampled);
static PARSIMAP_RECORD(const TestRecord, file, share, by, units, pixels, training_units, training_pixels, nearest,
                       median_distance, distance_unit, untested);

constexpr const char* kRowsAreReference = "rows are reference, columns are predicted";

static void list_shape(Fields& field, const ShapeScore& score) {
  PARSIMAP_FIELDS(score.shape, blend, damping, rest, standardised);
  PARSIMAP_FIELDS(score.point, width, C);
  PARSIMAP_FIELDS(score, risk, gain, gain_error);
  field("pixels", score.samples);
}

static void list_trial(Fields& field, const SpatialScore& score) {
  field("steps", to_string(score.steps));
  field("over", to_string(score.over));
  PARSIMAP_FIELDS(score, accuracy, gain, gain_error, risk_gain, risk_error);
}

static void list_design(Fields& field, const ProfileDesign& design) {
  field("components", design.components());
  field("radii", design.radii);
  field("unit", design.metres ? "m" : "pixels");
  field("steps", design.steps);
  field("features", design.features());
}

static void list_classifier(Fields& field, const ClassEntry& entry, const BinaryClassifier& classifier,
                            const ClassSummary& summary) {
  const SelectionRecord& selection = classifier.selection;
  field("name", entry.name);
  PARSIMAP_FIELDS(classifier, samples, regions);
  field("left_out_accuracy", summary.accuracy);
  field("confused_with", summary.confused_with);
  field("confused_share", summary.confused_with ? std::optional(summary.confused_share) : std::nullopt);
  field("dimension", classifier.metric.weights.size());
  field.group("criterion", [&] {
    field("name", selection.criterion);
    PARSIMAP_FIELDS(selection, value, evaluations, stop_reason);
  });
  field("C", classifier.C);
  field("support_vectors", classifier.support.size());
  field("kkt_violation", classifier.kkt_violation);
  field("code", entry.code);
  field("solver_stop", classifier.solver_stop);
}

// One entry for each class: facts of its classifier together with the accuracy of its left-out pixels.
static void list_classifiers(Fields& field, const Model& model) {
  const std::vector<ClassSummary> summaries = class_summaries(model);
  field.groups("classes", model.classifiers.size(),
               [&](std::size_t c) { list_classifier(field, model.classes[c], model.classifiers[c], summaries[c]); });
}

static std::optional<std::vector<double>> ends_of(const std::optional<Interval>& interval) {
  return interval ? std::optional(std::vector<double>{interval->low, interval->high}) : std::nullopt;
}

// The accuracy of a part of the map: at a distance, or within the area of applicability.
template <typename Part>
static void list_part(Fields& field, const Part& part) {
  field("accuracy", part.accuracy);
  field("interval", ends_of(part.interval));
  field("pixels", part.support.pixels);
  field("units", part.support.units);
  field("map_share", part.map_share);
}

// From near to far.
static void list_distances(Fields& field, const ExpectedAccuracy& expected) {
  field.groups("by_distance", expected.by_distance.size(), [&](std::size_t i) {
    const DistanceAccuracy& part = expected.by_distance[i];
    field("distance", part.farthest);
    list_part(field, part);
  });
}

// What was left out in turn: whole regions of some classes, single pixels of the others.
static void list_left_out(Fields& field, const Model& model) {
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
    field("accuracy", expected.overall);
    field("average_accuracy", expected.average);
    field("interval", ends_of(expected.overall_interval));
    field("average_interval", ends_of(expected.average_interval));
    const std::vector<double> shares(left_out.map_shares.begin(), left_out.map_shares.end());
    field("map_shares", shares.empty() ? std::nullopt : std::optional(shares));
    field("condition", expected.condition);
    field("problem", to_string(expected.problem));
    list_distances(field, expected);
    field("not_measured", expected.not_measured);
    field.group("inside", expected.inside, [&](const AccuracyInside& inside) { list_part(field, inside); });
    field("other_places", left_out_elsewhere(model));
    field("neighbours", left_out.neighbours);
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

static void list_scan(Fields& field, const Model& model) {
  field.groups("scan", model.scan.size(), [&](std::size_t i) {
    list_shape(field, model.scan[i]);
    field("chosen", model.scan[i].shape == model.shape);
  });
}

static void list_dropped_bands(Fields& field, const Model& model) {
  field.groups("dropped_bands", model.dropped_bands.size(), [&](std::size_t i) {
    field("band", model.dropped_bands[i].band + 1);
    field("reason", model.dropped_bands[i].reason);
  });
}

// How the model was made smaller, or sees what lies around pixels; each is null where it is not so. A kernel of
// profiles that was compared and not kept has no design.
static void list_steps(Fields& field, const Model& model) {
  field("support_spectra", model.support_spectra.rows());
  field.group("early_stages", model.early_stages, [&](const EarlyStages& early) {
    field("coordinates", early.directions.cols());
    field("support_spectra",
          mapped<Index>(early.stages, [](const EarlyStage& stage) { return std::ssize(stage.support); }));
    field("decided", mapped<double>(early.stages, [](const EarlyStage& stage) { return stage.decided; }));
    PARSIMAP_FIELDS(early, pixels, probabilities);
  });
  field.group("profile", model.profile_score, [&](const ProfileScore& score) {
    field("kept", model.profile.has_value());
    field("share", score.point.share);
    field("weight", score.point.profile_weight);
    field("width", score.width);
    field("spectral_width", score.point.width);
    field("C", score.point.C);
    PARSIMAP_FIELDS(score, risk, gain, gain_error, accuracy);
    field("spectral_accuracy", score.spectra_accuracy);
    field("pixels", score.samples);
    field.group("design", model.profile, [&](const ProfileDesign& design) { list_design(field, design); });
  });
  field.group("spatial", model.spatial, [&](const SpatialRecord& record) {
    field("asked", record.asked);
    PARSIMAP_FIELDS(record.steps, profiles, neighbours);
    field("rule", record.rule.empty() ? std::nullopt : std::optional(record.rule));
    field("exponent", record.exponent);
    field.groups("trials", record.scores.size(), [&](std::size_t i) { list_trial(field, record.scores[i]); });
    field("pixels", record.samples);
    PARSIMAP_FIELDS(record, units, buffer);
    field("reason", record.reason.empty() ? std::nullopt : std::optional(record.reason));
  });
}

static void list_tested_class(Fields& field, const ConfusionMatrix& confusion, std::size_t c) {
  const ClassAccuracy accuracy = confusion.class_accuracy(static_cast<Index>(c));
  field("name", confusion.names()[c]);
  field("reference_pixels", accuracy.reference_pixels);
  field("predicted_pixels", accuracy.map_pixels);
  list_measures(field, class_measures(confusion, static_cast<Index>(c)));
}

static void list_fold(Fields& field, const ValidationFold& fold, const std::vector<std::string>& names) {
  // Measures of a fold follow from its own matrix, of the pooled validation from the sum of all matrices.
  const ConfusionMatrix confusion(names, fold.confusion);
  field("repeat", fold.repeat + 1);
  field("fold", fold.number + 1);
  PARSIMAP_FIELDS(fold, training_pixels, buffered_pixels, untested_pixels);
  field("pixels", confusion.pixels());
  list_accuracies(field, confusion);
}

// null where there was no validation. Folds and repeats count from 1.
static void list_validation(Fields& field, const Model& model) {
  field.group("validation", model.provenance.validation, [&](const Validation& validation) {
    const ValidationScores scores = validation_scores(validation, model.classes);
    const ConfusionMatrix& pooled = scores.pooled;
    PARSIMAP_FIELDS(validation, folds, repeats, grouping, groups, buffer, buffer_unit);
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

static void list_provenance(Fields& field, const Provenance& provenance) {
  field.group("provenance", [&] {
    PARSIMAP_FIELDS(provenance, program_version, seed);
    field.group("options", [&] {
      for (const auto& [name, value] : provenance.options) {
        field(name, value);
      }
    });
    field("inputs", provenance.inputs);
  });
}

std::string training_json(const Model& model, const TrainingRecord& record) {
  return document_text([&](Fields& field) {
    field("bands_used", model.bands.size());
    field("training_pixels", model.provenance.training_pixels);
    list_classifiers(field, model);
    list_left_out(field, model);
    list_scan(field, model);
    list_steps(field, model);
    field("seconds", record.seconds);
    field.numbers_by_name("stages", record.stages);
    field("pixels_per_second", quotient(static_cast<double>(model.provenance.training_pixels), record.seconds));
    field("peak_memory_mb", megabytes(record.peak_memory_bytes));
    list_validation(field, model);
    field("scene", text_or_null(record.scene));
    PARSIMAP_FIELDS(record, labels, scenes, libraries, samples_out, test, model, report);
    field("kernel", to_string(model.family));
    field("scaling", to_string(model.scaling_rule));
    field("compressed", model.scaling.units.size() > 0);
    field("scene_bands", model.scene_bands);
    list_dropped_bands(field, model);
    PARSIMAP_FIELDS(record, invalid_pixels, conflicting_pixels, outside_features);
  });
}

std::string distances_json(const Model& model) {
  const ExpectedAccuracy expected = expected_accuracy(model);
  if (expected.by_distance.empty() || !left_out_elsewhere(model)) {
    return "";
  }
  return document_text([&](Fields& field) { list_distances(field, expected); });
}

std::string info_json(const Model& model, const std::string& path) {
  return document_text([&](Fields& field) {
    field("kind", "model");
    field("path", path);
    field("kernel", to_string(model.family));
    field("scaling", to_string(model.scaling_rule));
    field("compressed", model.scaling.units.size() > 0);
    field("scene_bands", model.scene_bands);
    field("bands_used", model.bands.size());
    field.groups("bands", model.bands.size(),
                 [&](std::size_t b) { list_band(field, model.bands[b], model.band_table[b]); });
    list_dropped_bands(field, model);
    field("training_pixels", model.provenance.training_pixels);
    list_classifiers(field, model);
    list_left_out(field, model);
    list_scan(field, model);
    list_validation(field, model);
    list_steps(field, model);
    PARSIMAP_FIELDS(model, combination, softmax_slope);
    list_provenance(field, model.provenance);
  });
}

}  // namespace parsimap
