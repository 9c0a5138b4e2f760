#include "classifier/tiled_decision.hpp"

#include <doctest/doctest.h>

#include "support/toy_model.hpp"

using namespace parsimap;

namespace {

template <typename Scalar>
Matrix evaluate_tiled(const Model& model, const Spectra& spectra) {
  const TiledDecision<Scalar> decision{PreparedModel(model)};
  auto work = decision.workspace();
  decision.evaluate(spectra, work);
  return work.sums.topRows(spectra.rows());
}

Spectra spectra_near(const Model& model, Index n) { return toy::raw_spectra(model, n, 5).cast<float>(); }

}  // namespace

TEST_CASE("tiled decision: the double loop, to the precision of the scalar") {
  for (const Index support : {40, 128, 301}) {
    const Model model = toy::random_model(4, 12, support, 3);
    const Spectra raw = spectra_near(model, 24);
    const Matrix expected = toy::naive_decisions(model, raw.cast<double>());
    const double size = expected.cwiseAbs().maxCoeff();
    CHECK((evaluate_tiled<double>(model, raw) - expected).cwiseAbs().maxCoeff() < 1e-12 * size);
    CHECK((evaluate_tiled<float>(model, raw) - expected).cwiseAbs().maxCoeff() < 1e-4 * size);
  }
}

TEST_CASE("tiled decision: the double loop where some metrics, or all, have their directions alone") {
  for (const std::size_t alone : {1, 4}) {
    Model model = toy::random_model(4, 12, 301, 3);
    for (std::size_t c = 0; c < alone; ++c) {
      model.classifiers[c].metric.rest_weight = 0;
    }
    const Spectra raw = spectra_near(model, 24);
    const Matrix expected = toy::naive_decisions(model, raw.cast<double>());
    const double size = expected.cwiseAbs().maxCoeff();
    CHECK((evaluate_tiled<double>(model, raw) - expected).cwiseAbs().maxCoeff() < 1e-12 * size);
    CHECK((evaluate_tiled<float>(model, raw) - expected).cwiseAbs().maxCoeff() < 1e-4 * size);
  }
}

TEST_CASE("tiled decision: differences of a wide kernel from 1 keep their accuracy in single precision") {
  Model model = toy::random_model(2, 12, 200, 3);
  for (BinaryClassifier& classifier : model.classifiers) {
    classifier.metric.rest_weight = 1e-7;
    classifier.metric.weights *= 1e-6;
    classifier.coefficients.array() -= classifier.coefficients.mean();
    classifier.coefficients *= 1e5;
  }
  const Spectra raw = spectra_near(model, 24);
  const Matrix expected = toy::naive_decisions(model, raw.cast<double>());
  CHECK((evaluate_tiled<float>(model, raw) - expected).cwiseAbs().maxCoeff() < 1e-4);
}

TEST_CASE("tiled decision: the same values for part of a tile") {
  Model model = toy::random_model(3, 20, 100, 8);
  for (const bool profiles : {false, true}) {
    if (profiles) {
      toy::add_profiles(model, 6, 0.1, 0.4, 2);
    }
    const Spectra raw = spectra_near(model, 24);
    const Matrix all = evaluate_tiled<double>(model, raw);
    CHECK(evaluate_tiled<double>(model, raw.middleRows(7, 9)) == all.middleRows(7, 9));
    CHECK(evaluate_tiled<float>(model, raw.middleRows(7, 9)) == evaluate_tiled<float>(model, raw).middleRows(7, 9));
    const Spectra many = spectra_near(model, 480);
    CHECK(evaluate_tiled<float>(model, many.middleRows(113, 60)) ==
          evaluate_tiled<float>(model, many).middleRows(113, 60));
  }
}

TEST_CASE("tiled decision: a kernel of profiles beside that of the spectra, narrow or wide") {
  for (const double weight : {0.2, 1e-8}) {
    for (const double share : {0.0, 0.35, 1.0}) {
      Model model = toy::random_model(4, 12, 301, 3);
      toy::add_profiles(model, 7, weight, share, 4);
      if (weight < 1e-3) {
        for (BinaryClassifier& classifier : model.classifiers) {
          classifier.coefficients.array() -= classifier.coefficients.mean();
          classifier.coefficients *= 1e3;
        }
      }
      const Spectra raw = spectra_near(model, 24);
      const Matrix expected = toy::naive_decisions(model, raw.cast<double>());
      const double size = expected.cwiseAbs().maxCoeff();
      CHECK((evaluate_tiled<double>(model, raw) - expected).cwiseAbs().maxCoeff() < 1e-9 * size);
      CHECK((evaluate_tiled<float>(model, raw) - expected).cwiseAbs().maxCoeff() < 1e-4 * size);
    }
  }
}

TEST_CASE("tiled decision: directions that count a thousand times less than the rest keep single precision") {
  Model model = toy::random_model(3, 12, 200, 3);
  const Matrix strong = toy::orthonormal(12, 2, 50);
  model.support_spectra += 100 * Random(6).normal_matrix(200, 2) * strong.transpose();
  for (BinaryClassifier& classifier : model.classifiers) {
    classifier.metric = {strong, Vector{{1e-5, 3e-5}}, 0.05};
    classifier.coefficients *= 1e4;  // as large as the highest C makes them
  }
  Matrix scaled = Random(5).normal_matrix(24, 12).array() + 0.5;
  scaled += 100 * Random(7).normal_matrix(24, 2) * strong.transpose();
  const Spectra raw = ((scaled.array().rowwise() * model.scaling.scale.transpose().array()).rowwise() +
                       model.scaling.offset.transpose().array())
                          .matrix()
                          .cast<float>();
  const Matrix expected = toy::naive_decisions(model, raw.cast<double>());
  const double size = model.classifiers[0].coefficients.cwiseAbs().sum();
  CHECK((evaluate_tiled<double>(model, raw) - expected).cwiseAbs().maxCoeff() < 1e-11 * size);
  CHECK((evaluate_tiled<float>(model, raw) - expected).cwiseAbs().maxCoeff() < 1e-5 * size);
}
