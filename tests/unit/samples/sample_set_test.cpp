#include "parsimap/samples/sample_set.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

#include "support/toy_samples.hpp"

namespace parsimap::test {
namespace {

SampleSet four_samples() {
  SampleSet samples;
  samples.spectra.resize(4, 2);
  samples.spectra << 1, 2, 3, 4, 5, 6, 7, 8;
  samples.labels = {0, 2, 2, 0};
  samples.classes = {{1, "a", {}}, {2, "b", {}}, {3, "c", {}}};
  samples.places = {{10, 1, {1}}, {11, 2, {1}}, {12, 2, {1}}, {13, 1, {1}}};
  return samples;
}

}  // namespace

TEST_CASE("sample set: counts by class, empty ones included") {
  CHECK(class_counts(four_samples()) == std::vector<Index>{2, 0, 2});
}

TEST_CASE("sample set: a subset keeps rows together, in the order asked for") {
  const SampleSet part = subset(four_samples(), {3, 1});
  CHECK(part.size() == 2);
  CHECK(part.spectra(0, 0) == 7);
  CHECK(part.spectra(1, 1) == 4);
  CHECK(part.labels == std::vector<int>{0, 2});
  CHECK(part.places == std::vector<SamplePlace>{{13, 1, {1}}, {11, 2, {1}}});
  CHECK(part.classes.size() == 3);
}

TEST_CASE("sample set: the rows of one class") {
  CHECK(class_rows(four_samples(), 2) == Indices{1, 2});
  CHECK(class_rows(four_samples(), 1).empty());
}

TEST_CASE("sample set: the regions of one class") {
  SampleSet samples = four_samples();
  CHECK(region_count(samples, 0) == 1);
  CHECK(region_count(samples, 1) == 0);
  samples.places[2].region = 7;
  CHECK(region_count(samples, 2) == 2);
}

TEST_CASE("band medians: of odd and of even numbers of samples, whatever a few of them are") {
  Matrix spectra(5, 2);
  spectra << 1, 10, 2, 20, 3, 1e12, 4, 40, -1e12, 50;
  CHECK(band_medians(spectra) == Vector{{2, 40}});
  CHECK(band_medians(spectra.topRows(4)) == Vector{{2.5, 30}});
}

TEST_CASE("usual distance: the median, else the root mean square, else 1") {
  CHECK(usual_distance(Vector{{1, 2, 1e12}}) == 2);
  CHECK(usual_distance(Vector{{1, 2, 1e12}}, 1.5) == 3);
  CHECK(usual_distance(Vector{{0, 0, 0, 4}}) == doctest::Approx(2));
  CHECK(usual_distance(Vector::Zero(3)) == 1);
}

TEST_CASE("outliers: bad values are found, the worst first, with how bad they are") {
  Matrix x = Random(1).normal_matrix(101, 4);
  CHECK(find_outliers(x).empty());
  x.row(20).setConstant(1e5);
  x(70, 2) = -1e12;
  const std::vector<Outlier> outliers = find_outliers(x);
  REQUIRE(outliers.size() == 2);
  CHECK(outliers[0].sample == 70);
  CHECK(outliers[1].sample == 20);
  // The median length of four standard normal values is 1.83.
  CHECK(outliers[0].ratio == doctest::Approx(1e12 / 1.83).epsilon(0.15));
  CHECK(outliers[1].ratio == doctest::Approx(2e5 / 1.83).epsilon(0.15));
}

TEST_CASE("outliers: the limit is a thousand times the usual distance") {
  // The median is 0 and the median distance 1.
  Matrix x(5, 1);
  x << -1, 0, 1, 1, -1000;
  CHECK(find_outliers(x).empty());
  x(4, 0) = -1001;
  REQUIRE(find_outliers(x).size() == 1);
  CHECK(find_outliers(x)[0].ratio == 1001);
}

TEST_CASE("outliers: samples that are all alike, or but for a few, have none") {
  CHECK(find_outliers(Matrix::Constant(1, 3, 5)).empty());
  Matrix x = Matrix::Constant(50, 3, 5);
  CHECK(find_outliers(x).empty());
  x(4, 1) = 6;
  CHECK(find_outliers(x).empty());
}

namespace {

// The definition, by sorting.
double median_of(const Vector& values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();
  return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

}  // namespace

TEST_CASE("scaling: global keeps relations between bands, and half of the samples lie within 1 of the medians") {
  Matrix x = Random(1).normal_matrix(50, 4);
  x.col(2) *= 30;
  const Matrix scaled = fit_scaling(x, ScalingRule::global).apply(x);
  for (Index band = 0; band < 4; ++band) {
    CHECK(std::abs(median_of(scaled.col(band))) < 1e-14);
  }
  CHECK(median_of(scaled.rowwise().norm()) == doctest::Approx(1));
  const double ratio = (x(0, 0) - x(1, 0)) / (x(0, 2) - x(1, 2));
  CHECK((scaled(0, 0) - scaled(1, 0)) / (scaled(0, 2) - scaled(1, 2)) == doctest::Approx(ratio));
}

TEST_CASE("scaling: standardise gives median 0 and robust deviation 1, and leaves a constant band finite") {
  Matrix x = Random(2).normal_matrix(41, 3);
  x.col(1) = (x.col(1) * 5).array() + 100;
  x.col(2).setConstant(7);
  const Matrix scaled = fit_scaling(x, ScalingRule::standardise).apply(x);
  for (const Index band : {0, 1}) {
    CHECK(std::abs(median_of(scaled.col(band))) < 1e-14);
    CHECK(1.4826 * median_of(scaled.col(band).cwiseAbs()) == doctest::Approx(1));
  }
  CHECK(scaled.col(2).cwiseAbs().maxCoeff() == 0);
  const Matrix many = Random(5).normal_matrix(20000, 1) * 7;
  CHECK(fit_scaling(many, ScalingRule::standardise).scale(0) == doctest::Approx(7).epsilon(0.03));
}

TEST_CASE("scaling: within classes a band is divided by the deviation from the medians of the classes") {
  constexpr Index kSamples = 20000;
  Matrix x = Random(7).normal_matrix(kSamples, 3);
  std::vector<int> labels;
  for (Index i = 0; i < kSamples; ++i) {
    // No sample has the second class.
    labels.push_back(i % 4 == 0 ? 2 : 0);
    x(i, 0) = 3 * x(i, 0) + 100 * labels.back();
    x(i, 2) = labels.back() == 2 ? 8 : 5;
  }
  const Scaling within = fit_scaling(x, ScalingRule::within_classes, labels);
  CHECK(within.offset == fit_scaling(x, ScalingRule::standardise).offset);
  CHECK(within.scale(0) == doctest::Approx(3).epsilon(0.03));
  CHECK(within.scale(1) == doctest::Approx(1).epsilon(0.03));
  // A band that is constant in every class has its deviation over all samples, of which a quarter differs by 3.
  CHECK(within.scale(2) == doctest::Approx(1.5));
  CHECK(fit_scaling(x, ScalingRule::standardise).scale(0) > 3.5);
  CHECK(fit_scaling(x, ScalingRule::within_classes).scale == fit_scaling(x, ScalingRule::standardise).scale);
}

TEST_CASE("scaling: one bad pixel changes next to nothing for the others") {
  const Matrix good = Random(6).normal_matrix(60, 5).array() + 100;
  Matrix bad = good;
  bad.row(17).setConstant(1e12);
  for (const ScalingRule rule : {ScalingRule::global, ScalingRule::standardise}) {
    const Scaling before = fit_scaling(good, rule);
    const Scaling after = fit_scaling(bad, rule);
    CHECK((after.offset - before.offset).cwiseAbs().maxCoeff() < 0.2);
    CHECK((after.scale.array() / before.scale.array() - 1).abs().maxCoeff() < 0.2);
  }
}

TEST_CASE("scaling: where most samples are equal, the mean square takes the median's place") {
  Matrix x = Matrix::Zero(10, 2);
  x(3, 0) = 6;
  x(3, 1) = 8;
  x(9, 0) = -30;
  CHECK(fit_scaling(x, ScalingRule::global).scale(1) == doctest::Approx(10));
  CHECK(fit_scaling(x, ScalingRule::standardise).scale(1) == doctest::Approx(8 / std::sqrt(10)));
  CHECK(fit_scaling(Matrix::Constant(4, 2, 3), ScalingRule::global).scale == Vector::Ones(2));
  CHECK(fit_scaling(Matrix::Constant(1, 2, 3), ScalingRule::global).offset == Vector::Constant(2, 3));
}

namespace {

// Two classes of normally distributed values, 60 samples of 4 bands each.
Matrix normal_classes() {
  Matrix x = Random(8).normal_matrix(120, 4);
  x.bottomRows(60).array() += 3;
  return x;
}

std::vector<int> two_classes() {
  std::vector<int> labels(120, 0);
  std::fill(labels.begin() + 60, labels.end(), 1);
  return labels;
}

}  // namespace

TEST_CASE("compression: for bands that are skewed within classes, and whatever their unit is") {
  const Matrix x = normal_classes();
  CHECK(compression_units(x, two_classes()).size() == 0);
  const Vector units = compression_units(x.array().exp().matrix(), two_classes());
  REQUIRE(units.size() == 4);
  CHECK(compression_units(1000 * x.array().exp().matrix(), two_classes()).isApprox(1000 * units));
  // Classes that differ by a factor, each of them normal, are not skewed; neither are a constant and a single value.
  Matrix far = x.array() + 20;
  far.bottomRows(60) *= 100;
  CHECK(compression_units(far, two_classes()).size() == 0);
  CHECK(compression_units(Matrix::Constant(120, 4, 7), two_classes()).size() == 0);
  CHECK(compression_units(x.topRows(1), {0}).size() == 0);
}

TEST_CASE("compression: no bad value decides") {
  Matrix x = normal_classes();
  x.row(5).setConstant(500);
  x.row(80).setConstant(-900);
  CHECK(compression_units(x, two_classes()).size() == 0);
}

TEST_CASE("scaling: with units, spectra are scaled as their inverse hyperbolic sines are") {
  const Matrix x = 10 * normal_classes().array().exp().matrix();
  const Vector units = Vector::LinSpaced(4, 5, 20);
  const Matrix sines = (x * units.cwiseInverse().asDiagonal()).array().asinh().matrix() * units.asDiagonal();
  for (const ScalingRule rule : {ScalingRule::global, ScalingRule::within_classes}) {
    const Scaling scaling = fit_scaling(x, rule, two_classes(), units);
    CHECK(scaling.units == units);
    CHECK(scaling.apply(x).isApprox(fit_scaling(sines, rule, two_classes()).apply(sines), 1e-12));
    CHECK(scaling.undo(scaling.apply(x)).isApprox(x, 1e-10));
    CHECK(scaling.undo(scaling.apply(-x)).isApprox(-x, 1e-10));
    // Of pixels, columns beyond the bands are left as they are.
    Spectra pixels(120, 6);
    pixels << x.cast<float>(), Spectra::Constant(120, 2, 30);
    Spectra expected = pixels;
    expected.leftCols(4) = sines.cast<float>();
    CHECK(scaling.compressed(pixels).isApprox(expected, 1e-6F));
    CHECK(scaling.compressed(pixels.topRows(7)) == scaling.compressed(pixels).topRows(7));
  }
}

TEST_CASE("scaling: none changes nothing") {
  const Matrix x = Random(3).normal_matrix(5, 3);
  CHECK(fit_scaling(x, ScalingRule::none).apply(x) == x);
}

TEST_CASE("scaling: names go both ways, unknown ones are refused") {
  for (const ScalingRule rule :
       {ScalingRule::none, ScalingRule::global, ScalingRule::standardise, ScalingRule::within_classes}) {
    CHECK(parse_scaling_rule(to_string(rule)) == rule);
  }
  CHECK_THROWS_WITH_AS(parse_scaling_rule("minmax"),
                       "scaling 'minmax' is unknown; it must be none, global, standardise or within-classes",
                       ConfigError);
}

TEST_CASE("outlying samples: bad values are taken out, but not all samples of a class") {
  SampleSet samples = toy::three_classes(20, 7);
  CHECK(outlying_samples(samples).empty());
  samples.spectra(4, 3) = 1e12;
  samples.spectra(9, 0) = -1e11;
  const std::vector<Outlier> outliers = outlying_samples(samples);
  REQUIRE(outliers.size() == 2);
  CHECK(outliers[0].sample == 4);
  CHECK(outliers[1].sample == 9);
  const SampleSet left = without_outliers(samples, outliers);
  CHECK(left.size() == 58);
  CHECK(left.spectra.row(4) == samples.spectra.row(5));
  CHECK(left.labels[8] == samples.labels[10]);

  samples.classes.push_back({7, "d", {}});
  samples.labels[4] = 3;
  const std::vector<Outlier> others = outlying_samples(samples);
  REQUIRE(others.size() == 1);
  CHECK(others[0].sample == 9);
}

TEST_CASE("integers below 0 that are read without their sign are refused") {
  Matrix spectra(2, 4);
  spectra << -100, -3, 20, 60, 10, 40, 90, 120;
  // Scenes that go on with signs, that are a little brighter, and models without values below 0 are as they should be.
  CHECK_NOTHROW(check_signs(spectra, "the model", -1, 253, "b.img"));
  CHECK_NOTHROW(check_signs(spectra, "the model", 10, 150, "b.img"));
  CHECK_NOTHROW(check_signs(spectra.cwiseAbs(), "the model", 10, 253, "b.img"));
  CHECK_THROWS_WITH_AS(check_signs(spectra, "the model", 10, 253, "b.img"),
                       doctest::Contains("b.img: its values lie between 10 and 253, but those of the model between "
                                         "-100 and 120"),
                       DataError);
}

}  // namespace parsimap::test
