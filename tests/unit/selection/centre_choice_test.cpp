#include "selection/centre_choice.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <set>

#include "parsimap/kernel/kernel.hpp"
#include "parsimap/svm/l2_svm.hpp"

#include "support/toy_samples.hpp"

namespace parsimap::test {
namespace {

std::vector<ClassParameters> gaussian_classifiers(Index bands, double C) {
  return std::vector<ClassParameters>(3, {{Matrix(bands, 0), Vector(0), 5e-6}, C});
}

}  // namespace

TEST_CASE("centres are different samples, and more of them begin with the same ones") {
  const SampleSet samples = toy::three_classes(40, 1);
  const auto classifiers = gaussian_classifiers(samples.spectra.cols(), 100);
  CentreChoice few(samples.spectra, samples.labels, classifiers, ClassWeights::none, 1);
  few.grow(16);
  CentreChoice many(samples.spectra, samples.labels, classifiers, ClassWeights::none, 2);
  many.grow(64);
  REQUIRE(many.centres().size() == 64);
  CHECK(std::set<Index>(many.centres().begin(), many.centres().end()).size() == 64);
  CHECK(Indices(many.centres().begin(), many.centres().begin() + 16) == few.centres());
  many.grow(1000);
  CHECK(many.centres().size() == 120);
}

TEST_CASE("with every sample as a centre, the classifiers are the exact ones") {
  const SampleSet samples = toy::three_classes(20, 1);
  const SampleSet others = toy::three_classes(20, 2);
  const auto classifiers = gaussian_classifiers(samples.spectra.cols(), 10);
  CentreChoice choice(samples.spectra, samples.labels, classifiers, ClassWeights::none, 1);
  choice.grow(60);
  const auto fitted = choice.fit({1.0, 0.1});
  const Matrix found = choice.decide(fitted[0], others.spectra);
  const MahalanobisKernel kernel(classifiers[0].metric);
  for (int c = 0; c < 3; ++c) {
    Vector labels(60);
    for (Index i = 0; i < 60; ++i) {
      labels(i) = samples.labels[static_cast<std::size_t>(i)] == c ? 1 : -1;
    }
    const MarginSolution exact = solve_margin(KernelForm(kernel, samples.spectra), labels, 10);
    const Vector expected = (kernel.block(others.spectra, samples.spectra) * exact.coefficients).array() + exact.bias;
    CHECK((found.col(c) - expected).cwiseAbs().maxCoeff() < 1e-5);
    CHECK((fitted[0].decisions.col(c) - exact.decision).cwiseAbs().maxCoeff() < 1e-5);
    CHECK(fitted[0].violations(c) < 1e-6);
  }
  CHECK((fitted[1].coefficients - fitted[0].coefficients).cwiseAbs().maxCoeff() > 1e-3);
}

TEST_CASE("with a kernel of profiles and every sample as a centre, the classifiers are the exact ones") {
  const SampleSet samples = toy::three_classes(20, 1);
  const std::vector<ClassParameters> classifiers(3, {{Matrix(6, 0), Vector(0), 5e-6, {4, 8e-6, 0.3}}, 10});
  CentreChoice choice(samples.spectra, samples.labels, classifiers, ClassWeights::none, 1);
  choice.grow(60);
  CHECK(std::set<Index>(choice.centres().begin(), choice.centres().end()).size() == 60);
  const auto fitted = choice.fit({1.0});
  const MahalanobisKernel kernel(classifiers[0].metric);
  Vector labels(60);
  for (Index i = 0; i < 60; ++i) {
    labels(i) = samples.labels[static_cast<std::size_t>(i)] == 0 ? 1 : -1;
  }
  const MarginSolution exact = solve_margin(KernelForm(kernel, samples.spectra), labels, 10);
  CHECK((fitted[0].decisions.col(0) - exact.decision).cwiseAbs().maxCoeff() < 1e-5);
}

TEST_CASE("a class without samples is impossible, one that is alone certain") {
  SampleSet samples = toy::three_classes(10, 1);
  const auto classifiers = gaussian_classifiers(samples.spectra.cols(), 10);
  samples.labels.assign(samples.labels.size(), 1);
  CentreChoice choice(samples.spectra, samples.labels, classifiers, ClassWeights::none, 1);
  choice.grow(5);
  const Matrix decisions = choice.decide(choice.fit({1.0}).front(), samples.spectra);
  CHECK(decisions(0, 0) == -std::numeric_limits<double>::infinity());
  CHECK(decisions(0, 1) == 1);
}

}  // namespace parsimap::test
