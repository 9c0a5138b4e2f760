#include "parsimap/validation/refitted_classifiers.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/train.hpp"

#include "support/toy_regions.hpp"
#include "support/toy_samples.hpp"

namespace parsimap::test {
TEST_CASE("a class without samples is unknown to the classifiers") {
  SampleSet samples = toy::labelled_regions(6, 3);
  const Model model = train_one_vs_all(samples, {}, {});
  Indices rows;
  for (Index i = 0; i < samples.size(); ++i) {
    if (samples.labels[static_cast<std::size_t>(i)] != 2) {
      rows.push_back(i);
    }
  }
  samples = subset(samples, rows);
  const Matrix spectra = model.scaling.apply(samples.spectra);
  const Matrix values = RefittedClassifiers(design_of(model), spectra, samples.labels, {}).decisions(spectra);
  CHECK(values.col(2).maxCoeff() == -std::numeric_limits<double>::infinity());
  CHECK(values(Eigen::all, std::vector<int>{0, 1, 3}).allFinite());
}

namespace {

LabelledSpectra view(const SampleSet& samples, const Matrix& spectra) {
  return {spectra, samples.labels, samples.places, samples.classes.size()};
}

std::set<std::int64_t> groups_at(const SampleSet& samples, const Indices& rows) {
  std::set<std::int64_t> groups;
  for (const Index row : rows) {
    groups.insert(samples.places[static_cast<std::size_t>(row)].unit.number);
  }
  return groups;
}

}  // namespace

TEST_CASE("every sample is left out once in each repeat, with all of its region") {
  const SampleSet samples = toy::labelled_regions(6, 1);
  LeftOutOptions options;
  options.repeats = 3;
  const std::vector<FoldRows> folds = left_out_folds(view(samples, samples.spectra), {7, 8}, options);
  CHECK(folds.size() == 15);
  std::vector<int> held(samples.labels.size(), 0);
  for (const FoldRows& fold : folds) {
    const std::set<std::int64_t> trained = groups_at(samples, fold.train);
    for (const std::int64_t group : groups_at(samples, fold.test)) {
      CHECK(trained.count(group) == 0);
    }
    for (const Index row : fold.test) {
      ++held[static_cast<std::size_t>(row)];
    }
    CHECK(std::count(fold.train.begin(), fold.train.end(), 7) == 0);
    CHECK(fold.train.size() + fold.test.size() >= samples.labels.size() - 2);
  }
  CHECK(std::all_of(held.begin(), held.end(), [](int times) { return times == 3; }));
  CHECK(folds[0].test != folds[5].test);
}

TEST_CASE("classifiers are trained on as many samples as they may at most") {
  const SampleSet samples = toy::labelled_regions(30, 1);
  LeftOutOptions options;
  options.samples = 250;
  for (const FoldRows& fold : left_out_folds(view(samples, samples.spectra), {}, options)) {
    CHECK(fold.train.size() <= 250);
    CHECK(fold.train.size() > 150);
  }
}

TEST_CASE("left-out decision values are means over the repeats, for any number of threads") {
  const SampleSet samples = toy::labelled_regions(6, 2);
  const Model model = train_one_vs_all(samples, {}, {});
  const Matrix spectra = model.scaling.apply(samples.spectra);
  const ClassifierDesign design = design_of(model);
  LeftOutOptions options;
  options.repeats = 2;
  double done = 0;
  options.progress = [&](double fraction) { done = fraction; };
  const std::vector<FoldRows> folds = left_out_folds(view(samples, spectra), {}, options);
  const Matrix values = left_out_decisions(view(samples, spectra), folds, {design}, options);
  CHECK(done > 0.9);
  Matrix expected = Matrix::Zero(values.rows(), values.cols());
  for (const FoldRows& fold : folds) {
    const SampleSet trained = subset(samples, fold.train);
    const RefittedClassifiers classifiers(design, spectra(fold.train, Eigen::all), trained.labels, {});
    for (const Index row : fold.test) {
      expected.row(row) += classifiers.decisions(spectra.row(row)) / 2;
    }
  }
  CHECK((values - expected).cwiseAbs().maxCoeff() < 1e-9);
  options.threads = 2;
  CHECK(left_out_decisions(view(samples, spectra), folds, {design}, options) == values);
}

TEST_CASE("a class of a single region is unknown to the classifiers that judge the region") {
  SampleSet samples = toy::labelled_regions(6, 2);
  // All regions of class "d" but one become class "a".
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    samples.labels[i] = samples.labels[i] == 3 && samples.places[i].region != 3 ? 0 : samples.labels[i];
  }
  const Model model = train_one_vs_all(samples, {}, {});
  const Matrix spectra = model.scaling.apply(samples.spectra);
  const LeftOutOptions options;
  const std::vector<FoldRows> folds = left_out_folds(view(samples, spectra), {}, options);
  const Matrix values = left_out_decisions(view(samples, spectra), folds, {design_of(model)}, options);
  for (Index i = 0; i < values.rows(); ++i) {
    CHECK(std::isfinite(values(i, 0)));
    CHECK(std::isfinite(values(i, 3)) == (samples.places[static_cast<std::size_t>(i)].region != 3));
  }
}

}  // namespace parsimap::test
