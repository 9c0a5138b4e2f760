// The fields of what an experiment measured, in results.json (experiment_results.hpp says what they mean) and in the
// data of pages.
#pragma once

#include "parsimap/experiment/experiment_record.hpp"

#include "fields.hpp"

namespace parsimap {

template <>
inline constexpr auto fields<ScreeRecord> = [](auto& scree, const auto& field) {
  field("dimension", scree.dimension);
  field("chosen", scree.chosen);
  field("threshold", scree.threshold);
};

template <>
inline constexpr auto fields<ClassDescription> = [](auto& description, const auto& field) {
  field("name", description.name);
  field("samples", description.samples);
  field("mean", description.mean);
  field("deviation", description.deviation);
  field("eigenvalues", description.eigenvalues);
  field("scree", description.scree);
};

template <>
inline constexpr auto fields<DataDescription> = [](auto& description, const auto& field) {
  field("name", description.name);
  field("bands", description.bands);
  field("wavelengths", description.wavelengths);
  field("training_samples", description.training_samples);
  field("classes", description.classes);
};

template <>
inline constexpr auto fields<TestRun> = [](auto& test, const auto& field) {
  field("name", test.name);
  field("samples", test.samples);
  field("overall_accuracy", test.overall_accuracy);
  field("average_binary_accuracy", test.average_binary_accuracy);
  field("confusion_matrix", test.confusion);
};

template <>
inline constexpr auto fields<ClassRun> = [](auto& trained, const auto& field) {
  field("name", trained.name);
  field("dimension", trained.dimension);
  field("criterion_value", trained.criterion_value);
  field("C", trained.C);
  field("support_vectors", trained.support_vectors);
  field("evaluations", trained.evaluations);
  field("stop_reason", trained.stop_reason);
  field("seconds", trained.seconds);
  field.derived("binary_accuracy", [&] { return trained.binary_accuracy.at(0); });
  field("binary_accuracies", trained.binary_accuracy);
  field("trace", trained.trace);
  field("weights", trained.weights);
  field("rest_weight", trained.rest_weight);
};

template <>
inline constexpr auto fields<ExperimentRun> = [](auto& run, const auto& field) {
  field("data", run.data);
  field("method", run.method);
  field("repeat", run.repeat);
  field("seed", run.seed);
  field.derived("overall_accuracy", [&] { return run.tests.at(0).overall_accuracy; });
  field.derived("average_binary_accuracy", [&] { return run.tests.at(0).average_binary_accuracy; });
  field("tests", run.tests);
  field("classes", run.classes);
};

template <>
inline constexpr auto fields<MethodSummary> = [](auto& summary, const auto& field) {
  field("data", summary.data);
  field("method", summary.method);
  field("test", summary.test);
  field("repeats", summary.repeats);
  field("mean_overall_accuracy", summary.mean_overall_accuracy);
  field("deviation_overall_accuracy", summary.deviation_overall_accuracy);
  field("mean_average_binary_accuracy", summary.mean_average_binary_accuracy);
  field("deviation_average_binary_accuracy", summary.deviation_average_binary_accuracy);
  field("mean_seconds", summary.mean_seconds);
};

template <>
inline constexpr auto fields<KernelSurface> = [](auto& surface, const auto& field) {
  field("title", surface.title);
  field("half_width", surface.half_width);
  field("contour", surface.contour);
  field("values", surface.values);
};

// A method without a subspace has null for its dimension.
template <>
inline Json document_of<Form::record, MethodName>(const MethodName& method) {
  return {{"kernel", method.kernel},
          {"criterion", method.criterion},
          {"dimension", method.dimension.empty() ? Json(nullptr) : Json(method.dimension)}};
}
template <>
inline MethodName value_of<Form::record, MethodName>(const Node& node) {
  const Node dimension = node["dimension"];
  return {node["kernel"].text(), node["criterion"].text(), dimension.is_null() ? std::string() : dimension.text()};
}

template <>
inline Json document_of<Form::record, ConfusionMatrix>(const ConfusionMatrix& confusion) {
  return {{"names", confusion.names()}, {"counts", rows_document(confusion.counts())}};
}
template <>
inline ConfusionMatrix value_of<Form::record, ConfusionMatrix>(const Node& node) {
  const auto names = value_of<Form::record, std::vector<std::string>>(node["names"]);
  CountMatrix counts(names.size(), names.size());
  const std::vector<Node> rows = node["counts"].items(names.size());
  for (Index r = 0; r < counts.rows(); ++r) {
    const std::vector<Node> row = rows[static_cast<std::size_t>(r)].items(names.size());
    for (Index c = 0; c < counts.cols(); ++c) {
      counts(r, c) = row[static_cast<std::size_t>(c)].integer();
    }
  }
  return {names, counts};
}

}  // namespace parsimap
