#include "parsimap/inspection/band_importance.hpp"

#include <Eigen/LU>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "parsimap/classifier/model.hpp"
#include "parsimap/classifier/train.hpp"
#include "parsimap/core/random.hpp"

#include "support/toy_problems.hpp"
#include "support/toy_samples.hpp"

namespace parsimap::test {
namespace {

// Bands in blocks of `width`, those of a block alike.
Matrix blocks(Index count, Index width, std::uint64_t seed) {
  Random random(seed);
  Matrix spectra(200, count * width);
  for (Index block = 0; block < count; ++block) {
    const Matrix common = random.normal_matrix(200, 1);
    for (Index band = 0; band < width; ++band) {
      spectra.col(block * width + band) = common + 0.3 * random.normal_matrix(200, 1);
    }
  }
  return spectra;
}

// The cost of one interval by the definition: squares of standardised bands about their mean, divided by n.
double cost(const Matrix& spectra, Index first, Index last) {
  Matrix z = spectra.middleCols(first, last - first);
  z.rowwise() -= z.colwise().mean().eval();
  z.array().rowwise() /= z.array().square().colwise().sum().sqrt().eval();
  return (z.colwise() - z.rowwise().mean().eval()).squaredNorm();
}

}  // namespace

TEST_CASE("intervals are cut where neighbouring bands decorrelate") {
  const Matrix spectra = blocks(5, 8, 1);
  const std::vector<Indices> intervals = band_intervals(spectra, toy::all_rows(40), 5);
  REQUIRE(intervals.size() == 5);
  for (std::size_t k = 0; k < 5; ++k) {
    CHECK(intervals[k].front() == static_cast<Index>(8 * k));
    CHECK(intervals[k].size() == 8);
  }
}

TEST_CASE("no other cuts are better") {
  const Matrix spectra = Random(4).normal_matrix(30, 9) * Random(5).normal_matrix(9, 9);
  const std::vector<Indices> intervals = band_intervals(spectra, toy::all_rows(9), 3);
  const auto end = [&](std::size_t k) { return intervals[k].back() + 1; };
  const double found = cost(spectra, 0, end(0)) + cost(spectra, end(0), end(1)) + cost(spectra, end(1), 9);
  double lowest = found;
  for (Index a = 1; a < 8; ++a) {
    for (Index b = a + 1; b < 9; ++b) {
      lowest = std::min(lowest, cost(spectra, 0, a) + cost(spectra, a, b) + cost(spectra, b, 9));
    }
  }
  CHECK(found == doctest::Approx(lowest));
}

TEST_CASE("intervals follow the order of the wavelengths, and are not narrow") {
  const Matrix spectra = blocks(3, 4, 2);
  const Indices order = {8, 9, 10, 11, 3, 2, 1, 0, 4, 5, 6, 7};
  const std::vector<Indices> intervals = band_intervals(spectra, order, 3);
  CHECK(intervals == std::vector<Indices>{{8, 9, 10, 11}, {3, 2, 1, 0}, {4, 5, 6, 7}});
  // Bands of noise are as unlike their neighbours as can be.
  const Matrix noise = Random(3).normal_matrix(50, 160);
  for (const Indices& interval : band_intervals(noise, toy::all_rows(160), 10)) {
    CHECK(interval.size() >= 4);
  }
}

TEST_CASE("fewer bands than intervals are intervals themselves; constant bands do no harm") {
  Matrix spectra = blocks(3, 1, 2);
  spectra.col(1).setConstant(7);
  CHECK(band_intervals(spectra, toy::all_rows(3)) == std::vector<Indices>{{0}, {1}, {2}});
}

namespace {

// Three classes in five blocks of six bands: "a" and "b" differ in block 1 alone, "c" from both in block 3 alone. Bands
// of a block are alike, and every region of four pixels varies by itself.
SampleSet samples_in_blocks(std::uint64_t seed) {
  constexpr Index kRegions = 60;
  constexpr Index kPixels = 4;
  Random random(seed);
  SampleSet samples;
  samples.classes = {{1, "a", {}}, {2, "b", {}}, {3, "c", {}}};
  samples.spectra.resize(kRegions * kPixels, 30);
  for (Index i = 0; i < samples.spectra.rows(); ++i) {
    const std::int64_t region = i / kPixels;
    const int label = static_cast<int>(region % 3);
    for (Index block = 0; block < 5; ++block) {
      const double common = random.normal();
      for (Index band = 0; band < 6; ++band) {
        const double shift = block == 1 && label < 2 ? (label == 0 ? 3 : -3) : block == 3 && label == 2 ? 6 : 0;
        samples.spectra(i, 6 * block + band) = common + 0.3 * random.normal() + shift;
      }
    }
    samples.labels.push_back(label);
    samples.places.push_back({i, region, {region}});
  }
  return samples;
}

IntervalImportance importance_of(const SampleSet& samples, int threads) {
  const Model model = train_one_vs_all(samples, {}, {});
  const Matrix columns = scaled_columns(model, samples);
  const LabelledSpectra labelled{columns, samples.labels, samples.places, samples.classes.size(),
                                 profile_features(model)};
  LeftOutOptions options;
  options.repeats = 1;
  options.threads = threads;
  return interval_importance(labelled, left_out_folds(labelled, {}, options), design_of(model),
                             band_intervals(columns.leftCols(30), toy::all_rows(30), 5), model.softmax_slope, options);
}

std::size_t most_needed(const ClassImportance& importance) {
  const auto& effects = importance.effects;
  return static_cast<std::size_t>(
      std::max_element(effects.begin(), effects.end(),
                       [](const auto& x, const auto& y) { return x.loss_rise < y.loss_rise; }) -
      effects.begin());
}

}  // namespace

TEST_CASE("the only interval that separates two classes is found, and no other is taken for it") {
  const IntervalImportance found = importance_of(samples_in_blocks(1), 1);
  REQUIRE(found.intervals.size() == 5);
  CHECK(found.intervals[1] == Indices{6, 7, 8, 9, 10, 11});
  CHECK(found.all.samples == 240);
  CHECK(found.all.groups == 60);
  CHECK(found.all.whole.accuracy > 0.97);
  CHECK(most_needed(found.by_class[0]) == 1);
  CHECK(most_needed(found.by_class[1]) == 1);
  for (const std::size_t c : {0, 1}) {
    const ClassImportance& of_class = found.by_class[c];
    CHECK(of_class.samples == 80);
    CHECK(of_class.effects[1].loss_rise > 3 * of_class.effects[1].loss_rise_error);
    CHECK(of_class.effects[1].without.accuracy < 0.7);
    for (const std::size_t k : {0, 2, 4}) {
      CHECK(of_class.effects[k].loss_rise < 0.1 * of_class.effects[1].loss_rise);
      CHECK(of_class.effects[k].without.accuracy > 0.95);
    }
  }
  // What tells "c" apart lies in block 3.
  CHECK(most_needed(found.by_class[2]) == 3);
  // Alone, block 1 separates "a" from "b", and a block without differences nothing.
  CHECK(found.by_class[0].effects[1].alone.accuracy > 0.9);
  CHECK(found.all.effects[0].alone.accuracy < 0.6);
}

TEST_CASE("an interval by itself is judged by classifiers that were trained on it") {
  // Six bands suffice to tell three classes apart, and 24 others vary much and tell nothing.
  SampleSet samples = samples_in_blocks(4);
  Random random(5);
  for (Index i = 0; i < samples.spectra.rows(); ++i) {
    const int label = samples.labels[static_cast<std::size_t>(i)];
    for (Index band = 0; band < 30; ++band) {
      samples.spectra(i, band) = band < 6 ? (band % 3 == label ? 4.0 : 0.0) + random.normal() : random.normal();
    }
  }
  const Model model = train_one_vs_all(samples, {}, {});
  const Matrix columns = scaled_columns(model, samples);
  LeftOutOptions options;
  options.repeats = 1;
  const LabelledSpectra labelled{columns, samples.labels, samples.places, 3, 0};
  const std::vector<FoldRows> folds = left_out_folds(labelled, {}, options);
  const Indices interval = {0, 1, 2, 3, 4, 5};
  const Indices rest = toy::all_rows(30);
  const IntervalImportance found =
      interval_importance(labelled, folds, design_of(model), {interval, Indices(rest.begin() + 6, rest.end())},
                          model.softmax_slope, options);
  CHECK(found.all.effects[0].alone.accuracy > 0.95);
  CHECK(found.all.effects[1].alone.accuracy < 0.5);
  // The same by hand: samples that have no other bands, left out in the same folds.
  const Matrix own = columns(Eigen::all, interval);
  const LabelledSpectra only{own, samples.labels, samples.places, 3, 0};
  const Matrix decisions = left_out_decisions(only, folds, {design_of(model)}, options);
  Index right = 0;
  for (Index i = 0; i < decisions.rows(); ++i) {
    Index best = 0;
    decisions.row(i).maxCoeff(&best);
    right += best == samples.labels[static_cast<std::size_t>(i)] ? 1 : 0;
  }
  CHECK(found.all.effects[0].alone.accuracy == static_cast<double>(right) / static_cast<double>(decisions.rows()));
}

TEST_CASE("profiles stay as they are where bands are replaced or left out") {
  // Band 0 tells two pairs of classes apart, profiles tell the classes of a pair apart.
  const SampleSet samples = toy::four_classes(60, 5, 5, 1);
  const Model model = train_one_vs_all(samples, {}, {});
  REQUIRE(profile_features(model) == 6);
  const Matrix columns = scaled_columns(model, samples);
  LeftOutOptions options;
  options.repeats = 1;
  const LabelledSpectra labelled{columns, samples.labels, samples.places, 4, 6};
  const IntervalImportance found =
      interval_importance(labelled, left_out_folds(labelled, {}, options), design_of(model),
                          {{0}, {1, 2, 3, 4, 5, 6, 7}}, model.softmax_slope, options);
  CHECK(found.all.whole.accuracy > 0.9);
  CHECK(found.all.effects[0].without.accuracy > 0.4);
  CHECK(found.all.effects[0].without.accuracy < 0.6);
  CHECK(found.all.effects[0].alone.accuracy > 0.9);
}

TEST_CASE("importance is the same for any number of threads") {
  const SampleSet samples = samples_in_blocks(2);
  const IntervalImportance one = importance_of(samples, 1);
  const IntervalImportance two = importance_of(samples, 2);
  for (std::size_t k = 0; k < one.intervals.size(); ++k) {
    CHECK(one.all.effects[k].loss_rise == two.all.effects[k].loss_rise);
    CHECK(one.all.effects[k].alone.loss == two.all.effects[k].alone.loss);
  }
}

TEST_CASE("bands are filled in with the conditional mean of a normal distribution") {
  Random random(6);
  const Matrix training = random.normal_matrix(400, 4) * random.normal_matrix(4, 4);
  const Matrix spectra = random.normal_matrix(5, 4);
  const Matrix filled = replace_by_others(spectra, training, {1, 2});
  CHECK(filled.col(0) == spectra.col(0));
  CHECK(filled.col(3) == spectra.col(3));
  // By the formula, with the covariance written out.
  const Eigen::RowVectorXd mean = training.colwise().mean();
  const Matrix centred = training.rowwise() - mean;
  Matrix covariance = centred.transpose() * centred / 400;
  covariance.diagonal().array() += kConditionalRidge * covariance.trace() / 4;
  const Indices given = {0, 3};
  const Indices replaced = {1, 2};
  for (Index i = 0; i < 5; ++i) {
    const Vector deviation = (spectra.row(i) - mean)(given).transpose();
    const Vector expected =
        mean(replaced).transpose() + covariance(replaced, given) * covariance(given, given).inverse() * deviation;
    CHECK((filled.row(i)(replaced).transpose() - expected).norm() < 1e-9);
  }
  // Nothing is given: the mean itself.
  CHECK((replace_by_others(spectra, training, {0, 1, 2, 3}).rowwise() - mean).norm() < 1e-12);
}

TEST_CASE("a class that no classifier recognises where its samples are judged has no score") {
  SampleSet samples = samples_in_blocks(3);
  for (std::size_t i = 0; i < samples.labels.size(); ++i) {
    SampleUnit& unit = samples.places[i].unit;
    unit.number = samples.labels[i] == 2 ? 1000 : unit.number;
  }
  const IntervalImportance found = importance_of(samples, 1);
  CHECK(found.by_class[2].samples == 0);
  CHECK(found.by_class[2].effects.size() == 5);
  CHECK(found.all.samples == 160);
}

}  // namespace parsimap::test
