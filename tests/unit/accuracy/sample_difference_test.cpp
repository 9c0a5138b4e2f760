#include "parsimap/accuracy/sample_difference.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/accuracy/agreement_map.hpp"

#include "unit/accuracy/drawn_maps.hpp"

namespace parsimap::test {
namespace {

// Wrong in every n-th pixel.
MemoryMap other_map(std::int64_t every = 7) {
  std::vector<std::uint16_t> codes;
  for (std::int64_t pixel = 0; pixel < 1000; ++pixel) {
    codes.push_back(pixel % every == 3 ? static_cast<std::uint16_t>(3 - true_code(pixel)) : true_code(pixel));
  }
  return {40, codes, kForestAndWater, true, "other.tif"};
}

DrawnSample drawn_to_compare(MemoryMap& map, MemoryMap& other, std::int64_t size, std::uint64_t seed) {
  AgreementMap agreement(map, other);
  const std::vector<std::string> names = class_names(agreement.classes());
  const SamplePlan plan = plan_sample(count_population(map, &agreement).pixels, names, class_names(map.classes()),
                                      {.size = size, .allocation = Allocation::neyman, .least = 2});
  DrawnSample sample{.file = "plan.gpkg", .design = SamplingDesign::stratified};
  for (const PlannedStratum& stratum : plan.strata) {
    sample.strata.push_back(stratum.name);
  }
  for (const DrawnPoint& point : draw_sample(map, &agreement, plan, {5, 4, seed})) {
    sample.points.push_back({point.pixel, point.stratum, point.cluster, point.probability});
  }
  sample.labelled = std::ssize(sample.points);
  return sample;
}

SampledDifference difference_of(MemoryMap& map, MemoryMap& other, const DrawnSample& sample) {
  const LabelledPixels labels = labels_of(sample);
  const Comparison comparison = compare(map, labels, "plan.gpkg");
  return assess_difference(map, other, labels, comparison, right_of_pairs(comparison, other, labels, "plan.gpkg"),
                           sample);
}

// Over all pixels.
double true_difference(const MemoryMap& map, const MemoryMap& other) {
  double sum = 0;
  for (std::int64_t pixel = 0; pixel < 1000; ++pixel) {
    const auto right = [&](const MemoryMap& of) { return of.code(pixel) == true_code(pixel) ? 1.0 : 0.0; };
    sum += right(map) - right(other);
  }
  return sum / 1000;
}

}  // namespace

TEST_CASE("the difference of two maps is unbiased, and its intervals hold, for every kind of sample") {
  MemoryMap map = known_map();
  MemoryMap other = other_map();
  const double truth = true_difference(map, other);
  constexpr int kDraws = 200;
  const auto check = [&](const auto& draw, bool grows) {
    double sum = 0;
    double squares = 0;
    double errors = 0;
    int fixed = 0;
    int growing = 0;
    for (int seed = 0; seed < kDraws; ++seed) {
      const SampledDifference difference = difference_of(map, other, draw(static_cast<std::uint64_t>(seed)));
      sum += difference.value / kDraws;
      squares += std::pow(difference.value - truth, 2) / kDraws;
      errors += std::pow(difference.standard_error, 2) / kDraws;
      fixed += difference.interval.low <= truth && truth <= difference.interval.high ? 1 : 0;
      CHECK(difference.growing.has_value() == grows);
      growing += grows && difference.growing->low <= truth && truth <= difference.growing->high ? 1 : 0;
    }
    CHECK(std::abs(sum - truth) < 3 * std::sqrt(squares / kDraws));
    CHECK(errors == doctest::Approx(squares).epsilon(0.25));
    CHECK(fixed >= 0.91 * kDraws);
    CHECK((!grows || growing >= 0.95 * kDraws));
    return std::sqrt(squares);
  };
  const double where_they_differ =
      check([&](std::uint64_t seed) { return drawn_to_compare(map, other, 60, seed); }, true);
  const double simple = check([&](std::uint64_t seed) { return drawn(map, SamplingDesign::simple, 60, seed); }, true);
  check([&](std::uint64_t seed) { return drawn(map, SamplingDesign::stratified, 60, seed); }, false);
  check([&](std::uint64_t seed) { return drawn(map, SamplingDesign::clusters, 60, seed); }, false);
  CHECK(where_they_differ < simple / 2);
}

TEST_CASE("the difference is known where all pixels that differ are labelled, and not from two that agree") {
  MemoryMap map = known_map();
  MemoryMap other = other_map();
  const double truth = true_difference(map, other);
  const DrawnSample first = drawn_to_compare(map, other, 30, 1);
  const SampledDifference some = difference_of(map, other, first);
  const double differing = some.differing_share * 1000;
  const SampledDifference all = difference_of(map, other, drawn_to_compare(map, other, std::llround(differing) + 2, 1));
  CHECK(all.value == doctest::Approx(truth));
  CHECK(all.interval.low == doctest::Approx(truth));
  CHECK(all.interval.high == doctest::Approx(truth));
  // A map compared with one that is right everywhere: all labels say the same, which is no certainty.
  MemoryMap right = other_map(10000);
  const SampledDifference agreed = difference_of(map, right, drawn_to_compare(map, right, 12, 1));
  CHECK(agreed.value == doctest::Approx(-agreed.differing_share));
  CHECK(agreed.standard_error == 0);
  CHECK(agreed.interval.low == doctest::Approx(-agreed.differing_share));
  CHECK(agreed.interval.high > agreed.value + 0.2 * agreed.differing_share);
  const SampledDifference same = difference_of(map, map, drawn(map, SamplingDesign::simple, 60));
  CHECK(same.interval == Interval{0, 0});
  CHECK(!same.growing);
}

}  // namespace parsimap::test
