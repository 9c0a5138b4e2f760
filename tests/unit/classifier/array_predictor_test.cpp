#include "parsimap/classifier/array_predictor.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "parsimap/core/error.hpp"

#include "support/toy_model.hpp"

using namespace parsimap;

namespace {

using DoubleRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Indices all_columns(Index count) {
  Indices columns;
  for (Index k = 0; k < count; ++k) {
    columns.push_back(k);
  }
  return columns;
}

// Spectra as a model of toy::random_model() has them.
DoubleRows raw_spectra(Index n, Index d) { return 2000 + 500 * Random(8).normal_matrix(n, d).array(); }

PixelRows rows_of(const DoubleRows& array) {
  return {array.data(), array.rows(), array.cols(), all_columns(array.cols())};
}

}  // namespace

TEST_CASE("array predictor: decision values, labels and probabilities are those of the model") {
  const Model model = toy::random_model(4, 12, 90, 3);
  const ArrayPredictor predictor(model);
  const DoubleRows raw = raw_spectra(1200, 12);
  const Matrix expected = toy::naive_decisions(model, raw.cast<float>().cast<double>());
  DoubleRows values(raw.rows(), 4);
  predictor.decision_values(rows_of(raw), 2, values, {});
  CHECK((values - expected).cwiseAbs().maxCoeff() < 1e-4 * expected.cwiseAbs().maxCoeff());

  DoubleRows probabilities(raw.rows(), 4);
  predictor.probabilities(rows_of(raw), 2, probabilities, {});
  const Matrix weights = (model.softmax_slope * values).array().exp();
  const Matrix softmax = weights.array().colwise() / weights.rowwise().sum().array();
  CHECK((probabilities - softmax).cwiseAbs().maxCoeff() < 1e-12);

  std::vector<std::int64_t> labels(static_cast<std::size_t>(raw.rows()), -1);
  predictor.labels(rows_of(raw), 2, labels.data(), {});
  for (Index i = 0; i < raw.rows(); ++i) {
    Index best = 0;
    expected.row(i).maxCoeff(&best);
    CHECK(labels[static_cast<std::size_t>(i)] == best);
  }
}

TEST_CASE("array predictor: log odds of two classes are those of their probabilities") {
  const Model model = toy::random_model(2, 6, 40, 5);
  const ArrayPredictor predictor(model);
  const DoubleRows raw = raw_spectra(300, 6);
  DoubleRows odds(raw.rows(), 1);
  DoubleRows probabilities(raw.rows(), 2);
  predictor.log_odds(rows_of(raw), 1, odds, {});
  predictor.probabilities(rows_of(raw), 1, probabilities, {});
  const Vector expected = (probabilities.col(1).array() / probabilities.col(0).array()).log();
  CHECK((odds.col(0) - expected).cwiseAbs().maxCoeff() < 1e-9);
}

TEST_CASE("array predictor: a row depends on no other row, nor on threads") {
  constexpr Index kClasses = 5;
  const Model model = toy::random_model(kClasses, 8, 70, 4);
  const ArrayPredictor predictor(model);
  const DoubleRows raw = raw_spectra(70000, 8);
  using Predict = void (ArrayPredictor::*)(const PixelRows&, int, ArrayResult, const Progress&) const;
  for (const Predict predict : {&ArrayPredictor::decision_values, &ArrayPredictor::probabilities}) {
    DoubleRows all(raw.rows(), kClasses);
    (predictor.*predict)(rows_of(raw), 2, all, {});
    for (const Index first : {Index{0}, Index{479}, Index{65530}}) {
      const DoubleRows part = raw.middleRows(first, 37);
      DoubleRows some(part.rows(), kClasses);
      (predictor.*predict)(rows_of(part), 1, some, {});
      CHECK(some == all.middleRows(first, 37));
    }
  }
}

TEST_CASE("array predictor: progress rises to 1, and may stop the work") {
  const Model model = toy::random_model(3, 8, 30, 4);
  const ArrayPredictor predictor(model);
  const DoubleRows raw = raw_spectra(140000, 8);
  std::vector<double> told;
  DoubleRows values(raw.rows(), 3);
  predictor.decision_values(rows_of(raw), 2, values, [&](double done) { told.push_back(done); });
  REQUIRE(told.size() == 3);
  CHECK(std::is_sorted(told.begin(), told.end()));
  CHECK(told.back() == 1);
  const auto stop = [](double) { throw IoError("enough"); };
  CHECK_THROWS_WITH_AS(predictor.decision_values(rows_of(raw), 2, values, stop), "enough", IoError);
}

TEST_CASE("array predictor: a model with a kernel of profiles is refused") {
  Model model = toy::random_model(3, 8, 30, 4);
  toy::add_profiles(model, 4, 0.3, 0.5, 6);
  CHECK_THROWS_AS(ArrayPredictor{model}, DataError);
}
