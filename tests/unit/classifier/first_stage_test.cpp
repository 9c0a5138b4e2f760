#include "parsimap/classifier/first_stage.hpp"

#include <Eigen/LU>
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "parsimap/classifier/predictor.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/kernel/kernel.hpp"

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

Model with_first_stage() {
  Model model = smooth_model();
  const Pixels pixels(model, 4001, 9);
  model.first_stage = first_stage(model, pixels.spectra, pixels.decisions, 1);
  return model;
}

}  // namespace

TEST_CASE("first stage: the coefficients are those of least squares, for any number of threads") {
  const Model model = smooth_model();
  const Pixels pixels(model, 4001, 9);
  const auto stage = first_stage(model, pixels.spectra, pixels.decisions, 1);
  REQUIRE(stage);
  CHECK(stage->pixels == 4001);
  CHECK(stage->support.size() <= 100);
  CHECK(stage->decided > 0.5);
  const auto again = first_stage(model, pixels.spectra, pixels.decisions, 3);
  REQUIRE(again);
  CHECK(again->coefficients == stage->coefficients);
  CHECK(again->lead == stage->lead);
  // Residuals are orthogonal to the kernel values and to a constant, but for the ridge.
  const Matrix scaled = model.scaling.apply(pixels.spectra.cast<double>());
  const Matrix values =
      model.combination.inverse() * pixels.decisions.cast<double>().transpose();  // f of g = M f, K x pixels
  for (Index c = 0; c < 3; ++c) {
    const MahalanobisKernel kernel(model.classifiers[static_cast<std::size_t>(c)].metric);
    const Matrix kernels = kernel.block(scaled, model.support_spectra(stage->support, Eigen::all));
    const Vector residuals =
        values.row(c).transpose() - ((kernels * stage->coefficients.col(c)).array() + stage->biases(c)).matrix();
    CHECK(std::abs(residuals.sum()) < 1e-3 * residuals.cwiseAbs().sum());
    CHECK((kernels.transpose() * residuals).cwiseAbs().maxCoeff() < 1e-3 * residuals.cwiseAbs().sum());
    CHECK(residuals.squaredNorm() < 0.05 * values.row(c).squaredNorm());
  }
}

TEST_CASE("first stage: labels are those of all support spectra, and values those of the stage that decides") {
  const Model model = with_first_stage();
  REQUIRE(model.first_stage);
  const Pixels others(model, 3001, 11);
  const Spectra found = label_values(model, others.spectra, 1);
  const Matrix first = toy::naive_decisions(first_stage_model(model), others.spectra.cast<double>());
  Index wrong = 0;
  Index decided = 0;
  for (Index i = 0; i < found.rows(); ++i) {
    wrong += label_of(found, i) == label_of(others.decisions, i) ? 0 : 1;
    const double at = lead(first.row(i)) - model.first_stage->lead;
    if (std::abs(at) < 1e-4) {
      continue;  // either, in single precision
    }
    const auto of_stage = at > 0 ? first.row(i).cast<float>().eval() : others.decisions.row(i).eval();
    CHECK((found.row(i) - of_stage).cwiseAbs().maxCoeff() < 1e-4);
    decided += at > 0 ? 1 : 0;
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

TEST_CASE("first stage: none from few pixels, of few support spectra, and where it decides hardly any pixel") {
  const Model model = smooth_model();
  const Pixels few(model, kFewestStagePixels - 1, 9);
  CHECK_FALSE(first_stage(model, few.spectra, few.decisions, 1));
  const Model small = toy::random_model(3, 4, 100, 5);
  const Pixels pixels(small, kFewestStagePixels, 9);
  CHECK_FALSE(first_stage(small, pixels.spectra, pixels.decisions, 1));
  // Noise is nothing that support spectra could follow.
  const Pixels rough(model, kFewestStagePixels, 9);
  const Spectra noise = Random(2).normal_matrix(kFewestStagePixels, 3).cast<float>();
  CHECK_FALSE(first_stage(model, rough.spectra, noise, 1));
}

TEST_CASE("support rules by name") {
  CHECK(parse_support_rule("all") == SupportRule::all);
  CHECK(to_string(SupportRule::reduced) == "reduced");
  CHECK_THROWS_AS(parse_support_rule("some"), ConfigError);
}

TEST_CASE("the lead is the difference of the two largest values") {
  CHECK(lead(Eigen::RowVectorXd{{1, 4, 2.5}}) == 1.5);
  CHECK(lead(Eigen::RowVectorXd{{3, 3, 1}}) == 0);
}

}  // namespace parsimap::test
