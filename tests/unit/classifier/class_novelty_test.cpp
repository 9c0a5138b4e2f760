#include "classifier/class_novelty.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "parsimap/core/random.hpp"
#include "parsimap/samples/sample_set.hpp"

#include "classifier/class_distance.hpp"
#include "support/toy_problems.hpp"
#include "support/toy_samples.hpp"

namespace parsimap::test {
TEST_CASE("the law of a sample is found, in its body and beyond its largest value") {
  // P(X >= x) = x^-3 for x >= 1.
  Random random(5);
  Vector sample(20000);
  for (double& value : sample) {
    value = std::pow(1 - random.uniform(), -1.0 / 3.0);
  }
  const TailTable table = fit_tail(sample);
  CHECK(table.exponent == doctest::Approx(3).epsilon(0.05));
  for (const double x : {1.1, 1.5, 2.0, 3.0, 10.0, 1000.0}) {
    CHECK(tail_probability(table, x) == doctest::Approx(std::pow(x, -3)).epsilon(x > 100 ? 0.3 : 0.08));
  }
}

TEST_CASE("probabilities are those of the ranks") {
  // 9 values, of which the 4 largest give the exponent: ranks 1 to 5 are points of the table.
  const TailTable table = fit_tail(Vector{{7, 1, 9, 3, 5, 2, 4, 8, 6}});
  REQUIRE(table.values.size() == 5);
  CHECK(tail_probability(table, 0) == 1);
  CHECK(tail_probability(table, 1) == doctest::Approx(0.9));
  CHECK(tail_probability(table, 2.5) == doctest::Approx(0.75));
  CHECK(tail_probability(table, 5) == doctest::Approx(0.5));
  const double exponent = 4 / std::log(6.0 * 7 * 8 * 9 / (5 * 5 * 5 * 5));
  CHECK(tail_probability(table, 20) == doctest::Approx(0.5 * std::pow(0.25, exponent)));
}

TEST_CASE("a distance that is not a number is beyond all others") {
  const TailTable table = fit_tail(Vector{{7, 1, 9, 3, 5, 2, 4, 8, 6}});
  CHECK(tail_probability(table, std::numeric_limits<double>::infinity()) == 0);
  CHECK(tail_probability(table, std::numeric_limits<double>::quiet_NaN()) == 0);
}

TEST_CASE("it never grows, for any sample") {
  for (const Vector& sample : {Vector(Vector::Zero(2)), Vector(Vector::Constant(50, 4)), Vector{{0, 3}},
                               Vector{{1, 1, 1, 2, 2, 2, 2, 9}}, Vector(Vector::LinSpaced(300, 0, 1))}) {
    const TailTable table = fit_tail(sample);
    double previous = 1;
    for (double x = 0; x < 40; x += 0.01) {
      const double p = tail_probability(table, x);
      REQUIRE(std::isfinite(p));
      REQUIRE(p <= previous);
      REQUIRE(p >= 0);
      previous = p;
    }
    for (Index i = 1; i < table.values.size(); ++i) {
      CHECK(table.values(i) > table.values(i - 1));
      CHECK(table.probabilities(i) < table.probabilities(i - 1));
    }
  }
}

TEST_CASE("pooled novelty: a class of one sample is known around its mean and nowhere else") {
  const SampleSet samples = toy::three_classes(40, 2);
  const Matrix spectra = fit_scaling(samples.spectra, ScalingRule::global).apply(samples.spectra);
  GaussianRule rule;
  rule.least_variance = 1e-8;
  const PooledNovelty pooled = pooled_novelty(spectra, samples, rule, 2);
  CHECK(pooled.distances.size() == samples.size());
  CHECK((pooled.distances.array() >= 0).all());
  CHECK(pooled.distances == pooled_novelty(spectra, samples, rule, 1).distances);
  const ClassNovelty novelty = novelty_about_mean(pooled, spectra.topRows(1));
  CHECK(novelty.gaussian.mean == spectra.row(0).transpose());
  const Vector distances = squared_mahalanobis(novelty.gaussian, spectra);
  CHECK(tail_probability(novelty.tail, distances(0)) == 1);
  Matrix far = spectra.topRows(1);
  far(0, 5) += 1000;
  CHECK(tail_probability(novelty.tail, squared_mahalanobis(novelty.gaussian, far)(0)) < 0.05);
}

TEST_CASE("novelty folds: whole regions where there are five, else every fifth sample") {
  SampleSet samples = toy::three_classes(20, 1);
  for (std::size_t i = 0; i < samples.places.size(); ++i) {
    samples.places[i].region = static_cast<std::int64_t>(i / 10);  // six regions
  }
  const Indices rows = {0, 5, 12, 18, 25, 33, 41, 58};
  const Indices folds = novelty_folds(samples, rows);
  REQUIRE(folds.size() == rows.size());
  std::map<std::int64_t, std::set<Index>> of_region;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    CHECK(folds[k] >= 0);
    CHECK(folds[k] < kNoveltyFolds);
    of_region[samples.places[static_cast<std::size_t>(rows[k])].region].insert(folds[k]);
  }
  for (const auto& [region, used] : of_region) {
    CHECK(used.size() == 1);
  }
  const Indices few = {0, 1, 2, 3, 4, 5, 6};
  const Indices by_sample = novelty_folds(samples, few);
  CHECK(by_sample == Indices{0, 1, 2, 3, 4, 0, 1});
}

TEST_CASE("novelty folds: as many regions as samples are dealt out in their order") {
  // Eighty thousand of them: a search through all regions for each sample would be felt here.
  constexpr Index kSamples = 80000;
  SampleSet samples;
  Indices rows;
  for (Index i = 0; i < kSamples; ++i) {
    samples.places.push_back({i, kSamples - i});
    rows.push_back(i);
  }
  const Indices folds = novelty_folds(samples, rows);
  bool in_turn = true;
  for (Index i = 0; i < kSamples; ++i) {
    in_turn = in_turn && folds[static_cast<std::size_t>(i)] == (kSamples - 1 - i) % kNoveltyFolds;
  }
  CHECK(in_turn);
}

namespace {

constexpr Index kBands = 40;

// Samples of class c: a mean and three strong directions of its own, white noise, heavier tails than a Gaussian's.
Matrix draw(int c, Index n, std::uint64_t seed) {
  Random random(seed);
  const auto stream = static_cast<std::uint64_t>(c);
  const Matrix directions = toy::orthonormal(kBands, 3, 50 + stream);
  const Vector mean = 0.6 * Random(9, stream).normal_matrix(kBands, 1).col(0);
  // Compilers evaluate the terms of a sum in orders of their own.
  const Matrix noise = random.normal_matrix(n, kBands);
  Matrix spectra = random.normal_matrix(n, 3) * (3 * directions.transpose()) + 0.5 * noise;
  for (Index i = 0; i < n; ++i) {
    spectra.row(i) *= 0.8 + 0.4 * random.uniform();
  }
  return spectra.rowwise() + mean.transpose();
}

SampleSet two_known_classes(Index per_class) {
  SampleSet samples;
  samples.classes = {{1, "a", {}}, {2, "b", {}}};
  samples.spectra.resize(2 * per_class, kBands);
  samples.spectra << draw(0, per_class, 1), draw(1, per_class, 2);
  for (Index i = 0; i < 2 * per_class; ++i) {
    samples.labels.push_back(i < per_class ? 0 : 1);
    samples.places.push_back({i});
  }
  return samples;
}

std::vector<double> novelties(const std::vector<ClassNovelty>& classes, const Matrix& spectra) {
  std::vector<double> values;
  for (Index i = 0; i < spectra.rows(); ++i) {
    double likeliest = 0;
    for (const ClassNovelty& one : classes) {
      const Vector distance = ClassDistance(one.gaussian, one.samples)(spectra.row(i)).from_class();
      likeliest = std::max(likeliest, tail_probability(one.tail, distance(0)));
    }
    values.push_back(1 - likeliest);
  }
  return values;
}

// Two classes of 200 samples and a third of `few`, which lies apart from them.
SampleSet one_small_class(Index few) {
  SampleSet samples = two_known_classes(200);
  samples.classes.push_back({3, "small", {}});
  samples.spectra.conservativeResize(400 + few, kBands);
  samples.spectra.bottomRows(few) = draw(2, few, 3);
  for (Index i = 0; i < few; ++i) {
    samples.labels.push_back(2);
    samples.places.push_back({400 + i});
  }
  return samples;
}

// The probability that one of `high` is above one of `low`, ties counting half.
double area_under_curve(const std::vector<double>& low, const std::vector<double>& high) {
  double above = 0;
  for (const double x : low) {
    for (const double y : high) {
      above += y > x ? 1 : y == x ? 0.5 : 0;
    }
  }
  return above / static_cast<double>(low.size() * high.size());
}

double share_above(const std::vector<double>& values, double limit) {
  return static_cast<double>(std::count_if(values.begin(), values.end(), [&](double x) { return x > limit; })) /
         static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("a class left out of training stands out, known classes keep their share") {
  const SampleSet samples = two_known_classes(400);
  const std::vector<ClassNovelty> classes = fit_novelty(samples.spectra, samples, {}, 2);
  REQUIRE(classes.size() == 2);
  std::vector<double> known = novelties(classes, draw(0, 2000, 11));
  const std::vector<double> second = novelties(classes, draw(1, 2000, 12));
  known.insert(known.end(), second.begin(), second.end());
  const std::vector<double> unknown = novelties(classes, draw(2, 2000, 13));
  CHECK(share_above(known, 0.95) > 0.035);
  CHECK(share_above(known, 0.95) < 0.065);
  CHECK(share_above(known, 0.99) < 0.02);
  CHECK(area_under_curve(known, unknown) > 0.99);
  CHECK(share_above(unknown, 0.95) > 0.95);
}

TEST_CASE("few samples make it rough, not alarmed") {
  const SampleSet samples = two_known_classes(12);
  const std::vector<ClassNovelty> classes = fit_novelty(samples.spectra, samples, {}, 1);
  const std::vector<double> known = novelties(classes, draw(0, 1000, 21));
  CHECK(share_above(known, 0.95) < 0.15);
  CHECK(area_under_curve(known, novelties(classes, draw(2, 1000, 22))) > 0.9);
  const SampleSet fewest = two_known_classes(2);
  CHECK(share_above(novelties(fit_novelty(fewest.spectra, fewest, {}, 1), draw(0, 100, 23)), 0.999) < 0.5);
}

TEST_CASE("a class of a few pixels does not hide what is unlike all classes") {
  for (const Index few : {1, 2, 3, 5, 7, 8, 10}) {
    CAPTURE(few);
    const SampleSet samples = one_small_class(few);
    const std::vector<ClassNovelty> classes = fit_novelty(samples.spectra, samples, {}, 2);
    REQUIRE(classes.size() == 3);
    std::vector<double> known = novelties(classes, draw(0, 500, 41));
    const std::vector<double> second = novelties(classes, draw(1, 500, 42));
    known.insert(known.end(), second.begin(), second.end());
    const std::vector<double> unknown = novelties(classes, draw(3, 500, 43));
    CHECK(share_above(known, 0.95) < 0.07);
    CHECK(share_above(unknown, 0.95) > 0.1);
    CHECK(area_under_curve(known, unknown) > 0.9);
    CHECK(share_above(novelties(classes, samples.spectra.bottomRows(few)), 0.95) < 0.5);
  }
}

TEST_CASE("rules that take all directions of few samples leave novelty something to tell by") {
  for (const Index per_class : {12, 16}) {
    for (const std::string rule : {"bic", "variance:0.9999"}) {
      CAPTURE(per_class);
      CAPTURE(rule);
      const SampleSet samples = two_known_classes(per_class);
      const std::vector<ClassNovelty> classes = fit_novelty(samples.spectra, samples, parse_dimension_rule(rule), 1);
      const std::vector<double> known = novelties(classes, draw(0, 500, 51));
      const std::vector<double> unknown = novelties(classes, draw(2, 500, 52));
      CHECK(share_above(known, 0.95) < 0.15);
      CHECK(area_under_curve(known, unknown) > 0.9);
      CHECK(share_above(unknown, 0.95) > 0.7);
    }
  }
}

TEST_CASE("classes of equal spectra know their own pixels") {
  SampleSet samples = two_known_classes(30);
  const Matrix one = draw(0, 1, 61);
  samples.spectra.topRows(30) = one.replicate(30, 1);
  const std::vector<ClassNovelty> classes = fit_novelty(samples.spectra, samples, {}, 1);
  CHECK(novelties(classes, one)[0] < 0.5);
  CHECK(novelties(classes, draw(3, 1, 62))[0] > 0.9);
  samples.spectra.bottomRows(30) = draw(1, 1, 63).replicate(30, 1);
  const std::vector<ClassNovelty> both = fit_novelty(samples.spectra, samples, {}, 1);
  CHECK(share_above(novelties(both, samples.spectra), 0.5) == 0);
}

TEST_CASE("where no class has more than a sample or two, little is called novel") {
  for (const Index per_class : {1, 2, 3}) {
    CAPTURE(per_class);
    const SampleSet samples = two_known_classes(per_class);
    const std::vector<ClassNovelty> classes = fit_novelty(samples.spectra, samples, {}, 1);
    const std::vector<double> known = novelties(classes, draw(0, 100, 71));
    CHECK(share_above(known, 0.95) < 0.2);
    for (const double value : known) {
      CHECK((value >= 0 && value <= 1));
    }
  }
}

TEST_CASE("where a class has regions, whole ones are held out") {
  // Regions differ far more between each other than inside: pixels of another region are that far, too.
  SampleSet samples = two_known_classes(300);
  Random random(31);
  const Matrix shifts = 2 * random.normal_matrix(10, kBands);
  for (Index i = 0; i < samples.size(); ++i) {
    const Index region = i % 300 / 30;
    samples.places[static_cast<std::size_t>(i)].region = region + 1;
    samples.spectra.row(i) += shifts.row(region);
  }
  const std::vector<ClassNovelty> whole = fit_novelty(samples.spectra, samples, {DimensionMethod::fixed, 3}, 1);
  samples.places.assign(samples.places.size(), {});
  const std::vector<ClassNovelty> split = fit_novelty(samples.spectra, samples, {DimensionMethod::fixed, 3}, 1);
  const double median = whole[0].tail.values(whole[0].tail.values.size() / 2);
  CHECK(median > 1.2 * split[0].tail.values(split[0].tail.values.size() / 2));
  CHECK(whole[0].gaussian.mean == split[0].gaussian.mean);
}

TEST_CASE("up to fifty samples of a class are kept, ten of many classes, and none of a small class") {
  const SampleSet samples = one_small_class(5);
  const std::vector<ClassNovelty> classes = fit_novelty(samples.spectra, samples, {}, 1);
  CHECK(classes[0].samples.rows() == 50);
  CHECK(classes[2].samples.rows() == 0);
  for (const auto& kept : classes[1].samples.rowwise()) {
    CHECK((samples.spectra.middleRows(200, 200).rowwise() - kept).rowwise().squaredNorm().minCoeff() == 0);
  }
  // About one in twenty of other spectra of the class have none of them within the radius.
  const Matrix others = draw(1, 4000, 77);
  const Matrix from_samples = ClassDistance(classes[1].gaussian, classes[1].samples)(others).from_samples;
  const Index far = (from_samples.rowwise().minCoeff().array() > classes[1].radius).count();
  CHECK(far > 80);
  CHECK(far < 400);
  CHECK(kept_samples(30, 2) == consecutive(30));
  CHECK(std::ssize(kept_samples(300, 100)) == 25);
  CHECK(std::ssize(kept_samples(300, 3000)) == 10);
}

TEST_CASE("a class may have nearly all of its samples in one of its regions") {
  SampleSet samples = two_known_classes(300);
  for (Index i = 0; i < samples.size(); ++i) {
    samples.places[static_cast<std::size_t>(i)].region = i % 300 < 4 ? i % 300 : 4;
  }
  const std::vector<ClassNovelty> classes = fit_novelty(samples.spectra, samples, {}, 1);
  REQUIRE(std::isfinite(classes[0].radius));
  CHECK(classes[0].radius > 0);
  CHECK(novelties(classes, draw(0, 1, 99))[0] < 1);
}

TEST_CASE("threads change nothing") {
  const SampleSet samples = two_known_classes(60);
  const std::vector<ClassNovelty> one = fit_novelty(samples.spectra, samples, {}, 1);
  const std::vector<ClassNovelty> three = fit_novelty(samples.spectra, samples, {}, 3);
  for (std::size_t c = 0; c < one.size(); ++c) {
    CHECK(one[c].tail.values == three[c].tail.values);
    CHECK(one[c].tail.exponent == three[c].tail.exponent);
    CHECK(one[c].gaussian.subspace.directions == three[c].gaussian.subspace.directions);
    CHECK(one[c].samples == three[c].samples);
    CHECK(one[c].radius == three[c].radius);
  }
}

}  // namespace parsimap::test
