#include "classifier/deciding_features.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "parsimap/classifier/early_stages.hpp"
#include "parsimap/classifier/predictor.hpp"
#include "parsimap/core/random.hpp"

#include "support/toy_model.hpp"

namespace parsimap::test {
namespace {

// Every fifth support spectrum comes from two features, the others from one.
SupportOrigins toy_origins(const Model& model, Index features) {
  SupportOrigins origins;
  origins.files = {"labels.gpkg"};
  origins.file.assign(static_cast<std::size_t>(features), 0);
  origins.label = origins.file;
  origins.part.assign(static_cast<std::size_t>(features), 1);
  origins.number = consecutive(features, 1);
  std::vector<double> shares;
  for (Index i = 0; i < model.support_spectra.rows(); ++i) {
    const bool several = i % 5 == 4;
    for (Index k = 0; k < (several ? 2 : 1); ++k) {
      origins.support.push_back(i);
      origins.origin.push_back((i / 3 + k) % features);
      shares.push_back(several ? 0.3 + 0.4 * static_cast<double>(k) : 1);
    }
  }
  origins.share = Vector::Map(shares.data(), std::ssize(shares));
  return origins;
}

// The same model with what one feature says in it.
Model part_of_feature(Model model, Index feature) {
  Vector shares = Vector::Zero(model.support_spectra.rows());
  for (std::size_t i = 0; i < model.origins->support.size(); ++i) {
    shares(model.origins->support[i]) +=
        model.origins->origin[i] == feature ? model.origins->share(static_cast<Index>(i)) : 0;
  }
  for (BinaryClassifier& classifier : model.classifiers) {
    classifier.coefficients.array() *= shares(classifier.support).array();
    classifier.bias = 0;
  }
  model.combination.resize(0, 0);
  return model;
}

constexpr Index kFeatures = 7;

struct Terms {
  std::vector<Matrix> of_feature;  // n x K each
  Matrix sizes;                    // n x K, sums of absolute values
};

// By the slow loop over one feature after the other.
Terms naive_terms(const Model& model, const Matrix& raw) {
  Terms terms;
  terms.sizes = Matrix::Zero(raw.rows(), std::ssize(model.classifiers));
  for (Index f = 0; f < kFeatures; ++f) {
    Model part = part_of_feature(model, f);
    terms.of_feature.push_back(toy::naive_decisions(part, raw));
    for (BinaryClassifier& classifier : part.classifiers) {
      classifier.coefficients = classifier.coefficients.cwiseAbs();
    }
    terms.sizes += toy::naive_decisions(part, raw);
  }
  return terms;
}

// Narrow kernels, wide ones, and kernels of profiles beside them.
std::vector<Model> toy_models() {
  std::vector<Model> models = {toy::random_model(4, 12, 300, 3), toy::random_model(3, 8, 140, 5),
                               toy::random_model(4, 20, 260, 6)};
  for (BinaryClassifier& classifier : models[1].classifiers) {
    classifier.metric.weights *= 1e-3;
    classifier.metric.rest_weight *= 1e-3;
  }
  toy::add_profiles(models[2], 6, 0.01, 0.4, 2);
  models[2].combination = Matrix::Identity(4, 4) + 0.3 * Random(1).normal_matrix(4, 4);
  for (Model& model : models) {
    model.origins = toy_origins(model, kFeatures);
  }
  return models;
}

}  // namespace

TEST_CASE("deciding features: terms are those of the slow loop, and add up to the decision values") {
  for (const Model& model : toy_models()) {
    const Spectra raw = toy::raw_spectra(model, 50, 9).cast<float>();
    const Terms terms = naive_terms(model, raw.cast<double>());
    const Matrix found = Predictor(model).feature_terms(raw, 2);
    Model plain = model;
    plain.combination.resize(0, 0);
    const Matrix decisions = toy::naive_decisions(plain, raw.cast<double>());
    for (Index c = 0; c < decisions.cols(); ++c) {
      const Matrix of_class = found.middleCols(c * kFeatures, kFeatures);
      const Vector bound = 1e-10 * terms.sizes.col(c);
      const Vector sums = of_class.rowwise().sum().array() + model.classifiers[static_cast<std::size_t>(c)].bias;
      CHECK(((sums - decisions.col(c)).array().abs() <= bound.array()).all());
      for (Index f = 0; f < kFeatures; ++f) {
        const Vector expected = terms.of_feature[static_cast<std::size_t>(f)].col(c);
        CHECK(((of_class.col(f) - expected).array().abs() <= bound.array()).all());
      }
    }
  }
}

TEST_CASE("deciding features: the most and the least of what features say beyond their means") {
  for (const Model& model : toy_models()) {
    const Spectra raw = toy::raw_spectra(model, 501, 9).cast<float>();
    const Predictor predictor(model);
    const Index classes = std::ssize(model.classifiers);
    const Eigen::RowVectorXd mean = predictor.feature_terms(raw, 1).colwise().mean();
    const Matrix means = mean.reshaped(kFeatures, classes).transpose();
    Spectra values;
    Spectra result;
    predictor.deciding(raw, 1, means, values, result);
    Spectra plain;
    predictor.decision_values(raw, 1, plain);
    CHECK(values == plain);
    const Terms terms = naive_terms(model, raw.cast<double>());
    const Matrix M = model.combination.size() > 0 ? model.combination : Matrix::Identity(classes, classes);
    for (Index i = 0; i < raw.rows(); ++i) {
      std::vector<Index> order = consecutive(classes);
      std::ranges::sort(order, [&](Index a, Index b) { return values(i, a) > values(i, b); });
      const Eigen::RowVectorXd weights = M.row(order[0]) - M.row(order[1]);
      Vector says(kFeatures);
      for (Index f = 0; f < kFeatures; ++f) {
        says(f) = weights.dot(terms.of_feature[static_cast<std::size_t>(f)].row(i) - means.col(f).transpose());
      }
      // Single precision, in units of what is added up.
      const double rounding = 1e-5 * weights.cwiseAbs().dot(terms.sizes.row(i));
      CHECK(says(static_cast<Index>(result(i, 0)) - 1) >= says.maxCoeff() - rounding);
      CHECK(says(static_cast<Index>(result(i, 1)) - 1) <= says.minCoeff() + rounding);
      const double lead = values(i, order[0]) - values(i, order[1]);
      CHECK(std::abs(result(i, 2) - (lead - says.maxCoeff())) <= rounding);
    }
  }
}

TEST_CASE("deciding features: a pixel's values do not depend on the pixels beside it or on the threads") {
  const Model model = toy_models()[2];
  const Predictor predictor(model);
  const Spectra raw = toy::raw_spectra(model, 1000, 4).cast<float>();
  const Matrix means = Random(1).normal_matrix(4, kFeatures);
  Spectra values;
  Spectra all;
  predictor.deciding(raw, 1, means, values, all);
  for (const auto& [first, count, threads] : {std::array<Index, 3>{0, 1000, 3}, {47, 500, 2}, {479, 2, 1}}) {
    Spectra part;
    predictor.deciding(raw.middleRows(first, count), static_cast<int>(threads), means, values, part);
    CHECK(part == all.middleRows(first, count));
  }
}

TEST_CASE("deciding features: many features that say nothing change nothing that others say") {
  Model model = toy_models()[2];
  const Spectra raw = toy::raw_spectra(model, 1000, 4).cast<float>();
  Spectra values;
  Spectra few;
  Predictor(model).deciding(raw, 1, Matrix::Zero(4, kFeatures), values, few);
  // So many that the terms of a full tile do not fit in the cache, and tiles are smaller.
  constexpr Index kMany = 5000;
  model.origins->file.resize(kMany, 0);
  model.origins->label.resize(kMany, 0);
  model.origins->part.resize(kMany, 1);
  model.origins->number = consecutive(kMany, 1);
  Spectra same;
  Spectra many;
  Predictor(model).deciding(raw, 2, Matrix::Zero(4, kMany), same, many);
  CHECK(same == values);
  for (Index i = 0; i < raw.rows(); ++i) {
    // The others say 0: the first of them is the most, or the least, only where all of the few are on the other side.
    const Leader first = leader(values.row(i));
    if (few(i, 2) < static_cast<float>(first.lead)) {
      CHECK(many(i, 0) == few(i, 0));
      CHECK(many(i, 2) == few(i, 2));
    }
    CHECK((many(i, 1) == few(i, 1) || many(i, 1) == kFeatures + 1));
  }
}

TEST_CASE("deciding features: bins of single features come first, and merged spectra have bins of their own") {
  const Model model = toy_models()[0];
  const OriginBins bins(model);
  CHECK(bins.features == kFeatures);
  CHECK(bins.count == kFeatures + 60);
  CHECK(bins.parts.size() == 120);
  CHECK(bins.of_support[4] == kFeatures);
  CHECK(bins.of_support[3] == 1);
  Eigen::MatrixXd terms = Eigen::MatrixXd::Zero(1, bins.count);
  terms(0, kFeatures) = 10;
  spread_bins(bins, terms);
  CHECK(terms(0, 1) == doctest::Approx(3));
  CHECK(terms(0, 2) == doctest::Approx(7));
}

}  // namespace parsimap::test
