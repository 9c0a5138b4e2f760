#include "parsimap/classifier/early_stages.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "parsimap/classifier/predictor.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

#include "support/toy_model.hpp"

namespace parsimap::test {
namespace {

// Three classes in four bands whose decision values are smooth, so that few of 400 support spectra can follow them.
Model smooth_model() {
  Model model = toy::random_model(3, 4, 400, 5);
  for (BinaryClassifier& classifier : model.classifiers) {
    classifier.metric.rest_weight = 0.2;
    classifier.metric.weights.setConstant(0.3);
  }
  model.combination = Matrix::Identity(3, 3) + 0.2 * Random(1).normal_matrix(3, 3);
  return model;
}

struct Pixels {
  Pixels(const Model& model, Index count, std::uint64_t seed)
      : spectra(toy::raw_spectra(model, count, seed).cast<float>()) {
    Predictor(model).decision_values(spectra, 2, decisions);
  }
  Spectra spectra;
  Spectra decisions;
};

int label_of(const Spectra& values, Index row) {
  Index label = 0;
  values.row(row).maxCoeff(&label);
  return static_cast<int>(label);
}

Spectra label_values(const Model& model, const Spectra& spectra, int threads) {
  Spectra values;
  Predictor(model).label_values(spectra, threads, values);
  return values;
}

Model with_early_stages() {
  Model model = smooth_model();
  const Pixels pixels(model, 4001, 9);
  model.early_stages = early_stages(model, pixels.spectra, pixels.decisions, 1);
  return model;
}

// The values of a stage by its definition, in double precision.
Matrix stage_values(const Model& model, const EarlyStage& stage, const Spectra& spectra) {
  const EarlyStages& early = *model.early_stages;
  const Matrix a = stage_coordinates(model, early, model.scaling.apply(spectra.cast<double>()));
  const Matrix b = stage_coordinates(model, early, model.support_spectra(stage.support, Eigen::all));
  Matrix values(a.rows(), stage.coefficients.cols());
  for (Index i = 0; i < a.rows(); ++i) {
    Vector features(stage.coefficients.rows());
    for (Index j = 0; j < b.rows(); ++j) {
      features(j) = std::exp(-0.5 * (a.row(i) - b.row(j)).squaredNorm());
    }
    features.segment(b.rows(), a.cols()) = a.row(i);
    features(features.size() - 1) = 1;
    values.row(i) = features.transpose() * stage.coefficients;
  }
  return values;
}

}  // namespace

TEST_CASE("the leader of values is the first largest, and leads by the difference to the next") {
  CHECK(leader(Eigen::RowVector3d(1, 4, 2.5)).label == 1);
  CHECK(leader(Eigen::RowVector3d(1, 4, 2.5)).lead == 1.5);
  CHECK(leader(Eigen::RowVector3d(3, 1, 3)).label == 0);
  CHECK(leader(Eigen::RowVector3d(3, 1, 3)).lead == 0);
}

TEST_CASE("early stages: the coefficients are those of least squares, for any number of threads") {
  const Model model = with_early_stages();
  REQUIRE(model.early_stages);
  const Pixels pixels(model, 4001, 9);
  const EarlyStages& early = *model.early_stages;
  CHECK(early.pixels == 4001);
  CHECK(early.directions.rows() == 4);
  REQUIRE_FALSE(early.stages.empty());
  CHECK(early.stages.back().decided > 0.5);
  const auto again = early_stages(model, pixels.spectra, pixels.decisions, 3);
  REQUIRE(again);
  CHECK(again->directions == early.directions);
  CHECK(again->stages.front().coefficients == early.stages.front().coefficients);
  CHECK(again->stages.front().leads == early.stages.front().leads);
  // Residuals are orthogonal to the coordinates and to a constant, but for the ridge.
  const Matrix a = stage_coordinates(model, early, model.scaling.apply(pixels.spectra.cast<double>()));
  for (const EarlyStage& stage : early.stages) {
    CHECK(stage.support.size() <= 128);
    const Matrix residuals = pixels.decisions.cast<double>() - stage_values(model, stage, pixels.spectra);
    const double sum = residuals.cwiseAbs().sum();
    CHECK(residuals.colwise().sum().cwiseAbs().maxCoeff() < 1e-3 * sum);
    CHECK((a.transpose() * residuals).cwiseAbs().maxCoeff() < 1e-3 * a.cwiseAbs().maxCoeff() * sum);
    CHECK(residuals.squaredNorm() < 0.05 * pixels.decisions.cast<double>().squaredNorm());
  }
}

TEST_CASE("early stages: a predictor that takes them has the values of one that was made with them") {
  Model model = smooth_model();
  Predictor predictor(model);
  const Pixels pixels(model, 4001, 9);
  model.early_stages = early_stages(model, pixels.spectra, pixels.decisions, 1);
  REQUIRE(model.early_stages);
  predictor.take_early_stages();
  Spectra values;
  predictor.label_values(pixels.spectra, 1, values);
  CHECK(values == label_values(model, pixels.spectra, 1));
  CHECK(values != pixels.decisions);
}

TEST_CASE("early stages: support spectra are spread over the half that weighs most") {
  Model model = smooth_model();
  // Every third support spectrum weighs next to nothing.
  for (BinaryClassifier& classifier : model.classifiers) {
    for (std::size_t i = 0; i < classifier.support.size(); ++i) {
      classifier.coefficients(static_cast<Index>(i)) *= classifier.support[i] % 3 == 0 ? 1e-6 : 1;
    }
  }
  std::vector<double> weights(400, 0);
  for (const BinaryClassifier& classifier : model.classifiers) {
    for (std::size_t i = 0; i < classifier.support.size(); ++i) {
      weights[static_cast<std::size_t>(classifier.support[i])] +=
          std::abs(classifier.coefficients(static_cast<Index>(i)));
    }
  }
  const Pixels pixels(model, 4001, 9);
  const auto early = early_stages(model, pixels.spectra, pixels.decisions, 1);
  REQUIRE(early);
  for (const EarlyStage& stage : early->stages) {
    CHECK(std::is_sorted(stage.support.begin(), stage.support.end()));
    CHECK(stage.support.front() < 12);
    CHECK(stage.support.back() > 380);
    for (const Index chosen : stage.support) {
      const double weight = weights[static_cast<std::size_t>(chosen)];
      CHECK(std::count_if(weights.begin(), weights.end(), [&](double other) { return other > weight; }) < 200);
    }
  }
}

TEST_CASE("early stages: directions follow the values, not the bands that vary most") {
  // Bands that no classifier looks at vary most.
  Model model = smooth_model();
  for (BinaryClassifier& classifier : model.classifiers) {
    classifier.metric = {Matrix::Identity(4, 1), Vector::Constant(1, 0.5), 0};
  }
  Pixels pixels(model, 4001, 9);
  pixels.spectra.rightCols(3) *= 100;
  const auto early = early_stages(model, pixels.spectra, pixels.decisions, 1);
  REQUIRE(early);
  CHECK(early->directions.cols() == 1);
  CHECK(early->directions.bottomRows(3).cwiseAbs().maxCoeff() < 1e-6 * std::abs(early->directions(0, 0)));
}

TEST_CASE("early stages: labels are those of all support spectra, and values those of the stage that decides") {
  const Model model = with_early_stages();
  REQUIRE(model.early_stages);
  const Pixels others(model, 3001, 11);
  const Spectra found = label_values(model, others.spectra, 1);
  std::vector<Matrix> values;
  for (const EarlyStage& stage : model.early_stages->stages) {
    values.push_back(stage_values(model, stage, others.spectra));
  }
  Index wrong = 0;
  Index decided = 0;
  for (Index i = 0; i < found.rows(); ++i) {
    wrong += label_of(found, i) == label_of(others.decisions, i) ? 0 : 1;
    // The first stage whose lead suffices, unless single precision may think otherwise.
    Eigen::RowVectorXf expected = others.decisions.row(i);
    bool close = false;
    for (std::size_t stage = values.size(); stage-- > 0;) {
      const auto [label, lead] = leader(values[stage].row(i));
      const double above = lead - model.early_stages->stages[stage].leads(label);
      close = close || std::abs(above) < 1e-3;
      if (above > 0) {
        expected = values[stage].row(i).cast<float>();
      }
    }
    if (!close) {
      CHECK((found.row(i) - expected).cwiseAbs().maxCoeff() < 1e-3);
      decided += expected == others.decisions.row(i) ? 0 : 1;
    }
  }
  CHECK(wrong <= 3);
  CHECK(decided > 1000);
  CHECK(decided < 3001);
  // The values of a pixel depend neither on the threads nor on the pixels beside it.
  CHECK(label_values(model, others.spectra, 3) == found);
  CHECK(label_values(model, others.spectra.bottomRows(7), 1) == found.bottomRows(7));
  Spectra decisions;
  Predictor(model).decision_values(others.spectra, 1, decisions);
  CHECK(decisions == others.decisions);
}

TEST_CASE("early stages: where neighbours look at probabilities, these are near, and fewer pixels are decided") {
  Model model = with_early_stages();
  const EarlyStages by_labels = *model.early_stages;
  CHECK_FALSE(by_labels.probabilities);
  const Pixels pixels(model, 4001, 9);
  model.softmax_slope = 3;
  model.spatial = SpatialRecord{"neighbours", {false, true}};
  model.early_stages = early_stages(model, pixels.spectra, pixels.decisions, 1);
  REQUIRE(model.early_stages);
  CHECK(model.early_stages->probabilities);
  CHECK(model.early_stages->stages.back().decided < by_labels.stages.back().decided);
  Spectra found = label_values(model, pixels.spectra, 1);
  Spectra exact = pixels.decisions;
  softmax_rows(model.softmax_slope, found);
  softmax_rows(model.softmax_slope, exact);
  // Coefficients fitted to all pixels may differ a little from those of the halves that were compared.
  CHECK((found - exact).cwiseAbs().maxCoeff() < 0.06);
}

TEST_CASE("early stages: none from few pixels, of few support spectra, and where they decide hardly any pixel") {
  const Model model = smooth_model();
  const Pixels few(model, kFewestStagePixels - 1, 9);
  CHECK_FALSE(early_stages(model, few.spectra, few.decisions, 1));
  const Model small = toy::random_model(3, 4, 191, 5);
  const Pixels pixels(small, kFewestStagePixels, 9);
  CHECK_FALSE(early_stages(small, pixels.spectra, pixels.decisions, 1));
  // Noise is nothing that support spectra could follow.
  const Pixels rough(model, kFewestStagePixels, 9);
  const Spectra noise = Random(2).normal_matrix(kFewestStagePixels, 3).cast<float>();
  CHECK_FALSE(early_stages(model, rough.spectra, noise, 1));
}

TEST_CASE("support rules by name") {
  CHECK(parse_support_rule("all") == SupportRule::all);
  CHECK(to_string(SupportRule::reduced) == "reduced");
  CHECK_THROWS_AS(parse_support_rule("some"), ConfigError);
}

}  // namespace parsimap::test
