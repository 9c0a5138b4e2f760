#include "validation_document.hpp"

#include "parsimap/report/validation_report.hpp"

namespace parsimap {
namespace {

Json spread_json(const FoldSpread& spread) {
  return {{"mean", nullable(spread.mean)}, {"deviation", nullable(spread.deviation)}};
}

Json matrix_json(const CountMatrix& counts) {
  Json rows = Json::array();
  for (Index r = 0; r < counts.rows(); ++r) {
    Json row = Json::array();
    for (Index c = 0; c < counts.cols(); ++c) {
      row.push_back(counts(r, c));
    }
    rows.push_back(row);
  }
  return rows;
}

Json classes_json(const ConfusionMatrix& confusion) {
  Json classes = Json::array();
  for (Index c = 0; c < confusion.size(); ++c) {
    const ClassAccuracy accuracy = confusion.class_accuracy(c);
    classes.push_back({{"name", confusion.names()[static_cast<std::size_t>(c)]},
                       {"reference_pixels", accuracy.reference_pixels},
                       {"predicted_pixels", accuracy.map_pixels},
                       {"producers_accuracy", nullable(accuracy.producers_accuracy)},
                       {"users_accuracy", nullable(accuracy.users_accuracy)},
                       {"f1", nullable(accuracy.f1)}});
  }
  return classes;
}

Json fold_json(const ValidationFold& fold, const std::vector<std::string>& names) {
  const ConfusionMatrix confusion(names, fold.confusion);
  return {{"repeat", fold.repeat + 1},
          {"fold", fold.number + 1},
          {"training_pixels", fold.training_pixels},
          {"buffered_pixels", fold.buffered_pixels},
          {"untested_pixels", fold.untested_pixels},
          {"pixels", confusion.pixels()},
          {"overall_accuracy", nullable(confusion.overall_accuracy())},
          {"average_accuracy", nullable(confusion.average_accuracy())},
          {"kappa", nullable(confusion.kappa())}};
}

}  // namespace

Json validation_document(const std::optional<Validation>& validation, const ClassTable& classes) {
  if (!validation) {
    return nullptr;
  }
  const ValidationScores scores = validation_scores(*validation, classes);
  const ConfusionMatrix& pooled = scores.pooled;
  Json results = Json::array();
  for (const ValidationFold& fold : validation->results) {
    results.push_back(fold_json(fold, pooled.names()));
  }
  return {{"folds", validation->folds},
          {"repeats", validation->repeats},
          {"grouping", validation->grouping},
          {"groups", validation->groups},
          {"buffer", validation->buffer},
          {"buffer_unit", validation->buffer_unit},
          {"pixels", pooled.pixels()},
          {"overall_accuracy", nullable(pooled.overall_accuracy())},
          {"average_accuracy", nullable(pooled.average_accuracy())},
          {"kappa", nullable(pooled.kappa())},
          {"over_folds",
           {{"overall_accuracy", spread_json(scores.overall_accuracy)},
            {"average_accuracy", spread_json(scores.average_accuracy)},
            {"kappa", spread_json(scores.kappa)}}},
          {"confusion", matrix_json(pooled.counts())},
          {"orientation", "rows are reference, columns are predicted"},
          {"classes", classes_json(pooled)},
          {"results", results}};
}

}  // namespace parsimap
