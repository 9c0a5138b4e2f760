// The fields of a model in its file (model_file.hpp says what they mean); some of them are in the documents of `train`
// and `info` too.
#pragma once

#include "parsimap/classifier/model.hpp"

#include "fields.hpp"

namespace parsimap {

template <>
inline constexpr auto fields<ClassEntry> = [](auto& entry, const auto& field) {
  field("code", entry.code);
  field("name", entry.name);
  field("colour", entry.colour);
};

template <>
inline constexpr auto fields<Band> = [](auto& band, const auto& field) {
  field("name", band.name);
  field("wavelength", band.wavelength);
  field("bad", band.bad);
  field("scale", band.scale);
  field("offset", band.offset);
  field("fwhm", band.fwhm);
};

template <>
inline constexpr auto fields<DroppedBand> = [](auto& dropped, const auto& field) {
  field("band", dropped.band);
  field("reason", dropped.reason);
};

template <>
inline constexpr auto fields<SelectionRecord> = [](auto& selection, const auto& field) {
  field("criterion", selection.criterion);
  field("value", selection.value);
  field("evaluations", selection.evaluations);
  field("stop_reason", selection.stop_reason);
  field("trace", selection.trace);
};

template <>
inline constexpr auto fields<ProfileDesign> = [](auto& profile, const auto& field) {
  field("mean", profile.mean);
  field("directions", profile.directions);
  field("deviations", profile.deviations);
  field("radii", profile.radii);
  field("metres", profile.metres);
  field("steps", profile.steps);
};

template <>
inline constexpr auto fields<ProfileTerm> = [](auto& profile, const auto& field) {
  field("features", profile.features);
  field("weight", profile.weight);
  field("share", profile.share);
};

template <>
inline constexpr auto fields<ProfileScore> = [](auto& score, const auto& field) {
  field("width", score.point.width);
  field("C", score.point.C);
  field("share", score.point.share);
  field("profile_weight", score.point.profile_weight);
  field("profile_width", score.width);
  field("risk", score.risk);
  field("gain", score.gain);
  field("gain_error", score.gain_error);
  field("accuracy", score.accuracy);
  field("spectra_accuracy", score.spectra_accuracy);
  field("samples", score.samples);
};

template <>
inline constexpr auto fields<BinaryClassifier> = [](auto& machine, const auto& field) {
  field("samples", machine.samples);
  field("regions", machine.regions);
  field("directions", machine.metric.directions);
  field("weights", machine.metric.weights);
  field("rest_weight", machine.metric.rest_weight);
  field.where("profile", machine.metric.profile, machine.metric.profile.features > 0);
  field("C", machine.C);
  field("bias", machine.bias);
  field("support", machine.support);
  field("coefficients", machine.coefficients);
  field("kkt_violation", machine.kkt_violation);
  field("solver_stop", machine.solver_stop);
  field("selection", machine.selection);
};

template <>
inline constexpr auto fields<ClassNovelty> = [](auto& novelty, const auto& field) {
  field("mean", novelty.gaussian.mean);
  field("directions", novelty.gaussian.subspace.directions);
  field("variances", novelty.gaussian.subspace.variances);
  field("noise_variance", novelty.gaussian.subspace.noise_variance);
  field("distances", novelty.tail.values);
  field("tail_probabilities", novelty.tail.probabilities);
  field("tail_exponent", novelty.tail.exponent);
};

template <>
inline constexpr auto fields<MetricShape> = [](auto& shape, const auto& field) {
  field("blend", shape.blend);
  field("damping", shape.damping);
  field("rest", shape.rest);
};

template <>
inline constexpr auto fields<ShapeScore> = [](auto& score, const auto& field) {
  field("shape", score.shape);
  field("width", score.point.width);
  field("C", score.point.C);
  field("risk", score.risk);
  field("gain", score.gain);
  field("gain_error", score.gain_error);
  field("samples", score.samples);
};

template <>
inline constexpr auto fields<InputFile> = [](auto& input, const auto& field) {
  field("path", input.path);
  field("bytes", input.bytes);
};

template <>
inline constexpr auto fields<LeftOutScores> = [](auto& left_out, const auto& field) {
  field("accuracy", left_out.accuracy);
  field("samples", left_out.samples);
  field("units", left_out.units);
  field("by_region", left_out.by_region);
  field("confusion", left_out.confusion);
};

template <>
inline constexpr auto fields<ValidationFold> = [](auto& fold, const auto& field) {
  field("repeat", fold.repeat);
  field("fold", fold.number);
  field("training_pixels", fold.training_pixels);
  field("buffered_pixels", fold.buffered_pixels);
  field("untested_pixels", fold.untested_pixels);
  field("confusion", fold.confusion);
};

template <>
inline constexpr auto fields<Validation> = [](auto& validation, const auto& field) {
  field("folds", validation.folds);
  field("repeats", validation.repeats);
  field("grouping", validation.grouping);
  field("groups", validation.groups);
  field("buffer", validation.buffer);
  field("buffer_unit", validation.buffer_unit);
  field("results", validation.results);
};

template <>
inline constexpr auto fields<Provenance> = [](auto& provenance, const auto& field) {
  field("program_version", provenance.program_version);
  field("options", provenance.options);
  field("seed", provenance.seed);
  field("inputs", provenance.inputs);
  field("training_pixels", provenance.training_pixels);
  field("left_out", provenance.left_out);
  field("validation", provenance.validation);
};

template <>
inline constexpr auto fields<SupportReduction> = [](auto& reduction, const auto& field) {
  field("exact_spectra", reduction.exact_spectra);
  field("exact_kernels", reduction.exact_kernels);
  field("penalty_factor", reduction.penalty_factor);
  field("loss", reduction.loss);
  field("loss_error", reduction.loss_error);
  field("samples", reduction.samples);
  field("exact_slope", reduction.exact_slope);
};

template <>
inline constexpr auto fields<SpatialSteps> = [](auto& steps, const auto& field) {
  field("profiles", steps.profiles);
  field("neighbours", steps.neighbours);
};

template <>
inline constexpr auto fields<SpatialScore> = [](auto& score, const auto& field) {
  field("steps", score.steps);
  field("over", score.over);
  field("accuracy", score.accuracy);
  field("gain", score.gain);
  field("gain_error", score.gain_error);
};

template <>
inline constexpr auto fields<SpatialRecord> = [](auto& record, const auto& field) {
  field("asked", record.asked);
  field("steps", record.steps);
  field("scores", record.scores);
  field("samples", record.samples);
  field("units", record.units);
  field("strongest", record.strongest);
  field("buffer", record.buffer);
  field("reason", record.reason);
};

template <>
inline constexpr auto fields<Model> = [](auto& model, const auto& field) {
  field("classes", model.classes);
  field("kernel", model.family);
  field("scene_bands", model.scene_bands);
  field("bands", model.bands);
  field("band_table", model.band_table);
  field("dropped_bands", model.dropped_bands);
  field.group("scaling", [&](const auto& scaling) {
    scaling("rule", model.scaling_rule);
    scaling("offset", model.scaling.offset);
    scaling("scale", model.scaling.scale);
  });
  field("support_spectra", model.support_spectra);
  field("machines", model.classifiers);
  field("novelty", model.novelty);
  field("softmax_slope", model.softmax_slope);
  field("reduction", model.reduction);
  field("shape", model.shape);
  field("scan", model.scan);
  field.where("profile", model.profile, model.profile.has_value());
  field.where("profile_score", model.profile_score, model.profile_score.has_value());
  field.where("spatial", model.spatial, model.spatial.has_value());
  field("provenance", model.provenance);
};

}  // namespace parsimap
