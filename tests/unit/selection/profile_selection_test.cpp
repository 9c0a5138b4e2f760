#include "selection/profile_selection.hpp"

#include <doctest/doctest.h>

#include "parsimap/selection/metric_selection.hpp"

#include "support/toy_samples.hpp"

using namespace parsimap;

namespace {

// Scaled spectra of samples, followed by their profiles.
Matrix columns_of(const SampleSet& samples) {
  Matrix columns(samples.size(), samples.spectra.cols() + samples.profiles.cols());
  columns << (samples.spectra.array() - 3000) / 300, samples.profiles;
  return columns;
}

MetricSelection selection_of(const SampleSet& samples, int threads = 1) {
  MetricSelectionOptions options;
  options.family = KernelFamily::gaussian;
  options.threads = threads;
  const Matrix columns = columns_of(samples);
  return select_metric({columns, samples.labels, samples.groups, samples.classes.size(), samples.profiles.cols()},
                       options);
}

}  // namespace

TEST_CASE("profiles: the share is large where they alone tell classes apart, and spectra are kept where both do") {
  const SampleSet four = toy::four_classes(60, 4, 4, 1);
  const MetricSelection by_profile = selection_of(toy::two_of_four(four, 0, 1));
  REQUIRE(by_profile.profile);
  CHECK(by_profile.profile->kept());
  CHECK(by_profile.profile->accuracy > by_profile.profile->spectra_accuracy + 0.3);
  CHECK(by_profile.profile->gain > 5 * by_profile.profile->gain_error);
  CHECK(by_profile.point.share > 0.6);
  CHECK(by_profile.point == by_profile.profile->point);
  const MetricSelection by_both = selection_of(four);
  REQUIRE(by_both.profile);
  CHECK(by_both.profile->kept());
  CHECK(by_both.profile->accuracy > 0.9);
  CHECK(by_both.profile->spectra_accuracy < 0.6);
  CHECK(by_both.point.share > 0.2);
  CHECK(by_both.point.share < 0.95);
  CHECK(by_both.judgement.scores.accuracy == by_both.profile->accuracy);
}

TEST_CASE("profiles: where spectra alone tell classes apart, profiles are left or have a small share") {
  const MetricSelection selection = selection_of(toy::two_of_four(toy::four_classes(60, 4, 4, 2), 0, 2));
  REQUIRE(selection.profile);
  CHECK(selection.point.share < 0.5);
  CHECK(selection.point.share == (selection.profile->kept() ? selection.profile->point.share : 0));
  CHECK(selection.judgement.scores.accuracy > 0.95);
}

TEST_CASE("profiles: the same choice for any number of threads") {
  const SampleSet four = toy::four_classes(25, 3, 3, 5);
  const MetricSelection one = selection_of(four);
  const MetricSelection three = selection_of(four, 3);
  CHECK(one.point == three.point);
  CHECK(one.profile == three.profile);
  CHECK(one.risk == three.risk);
}

TEST_CASE("profiles: the unit of features does not matter, and those that do not differ tell nothing") {
  SampleSet four = toy::four_classes(25, 3, 3, 5);
  const MetricSelection one = selection_of(four);
  four.profiles *= 1000;
  const MetricSelection other = selection_of(four);
  REQUIRE(one.profile);
  REQUIRE(other.profile);
  CHECK(one.profile->width == doctest::Approx(other.profile->width).epsilon(1e-6));
  CHECK(one.point.share == doctest::Approx(other.point.share).epsilon(1e-6));
  CHECK(one.point.profile_weight == doctest::Approx(1e6 * other.point.profile_weight).epsilon(1e-6));
  four.profiles.setConstant(7);
  CHECK(!selection_of(four).profile);
}

TEST_CASE("profiles: the scan of shapes is that of the spectra alone, and their choice costs machines more") {
  SampleSet four = toy::four_classes(25, 3, 3, 5);
  const MetricSelection with = selection_of(four);
  four.profiles.resize(four.size(), 0);
  const MetricSelection without = selection_of(four);
  CHECK(!without.profile);
  REQUIRE(with.scan.size() == without.scan.size());
  CHECK(with.scan[0].risk == without.scan[0].risk);
  CHECK(with.scan[0].point == without.scan[0].point);
  CHECK(with.machines > without.machines);
  CHECK(profile_operations(400, 1000, 100, 5) > 0);
}
