#include "parsimap/accuracy/accuracy_intervals.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "parsimap/accuracy/accuracy.hpp"
#include "parsimap/core/random.hpp"

namespace parsimap::test {
namespace {

ConfusionMatrix congalton() {
  // Congalton (1991), table 1, turned: its rows are map.
  CountMatrix counts(4, 4);
  counts << 65, 6, 0, 4, 4, 81, 11, 7, 22, 5, 85, 3, 24, 8, 19, 90;
  return {{"deciduous", "conifer", "agriculture", "shrub"}, counts};
}

// Every pixel that the matrix counts, in regions of `size`.
std::vector<ComparedPixel> pixels_of(const ConfusionMatrix& confusion, std::int64_t size) {
  std::vector<ComparedPixel> pixels;
  for (Index r = 0; r < confusion.size(); ++r) {
    for (Index c = 0; c < confusion.size(); ++c) {
      for (std::int64_t i = 0; i < confusion.counts()(r, c); ++i) {
        pixels.push_back({r, c, {static_cast<std::int64_t>(pixels.size()) / size}});
      }
    }
  }
  return pixels;
}

double width(const std::optional<Interval>& interval) { return interval->high - interval->low; }

}  // namespace

TEST_CASE("intervals of shares are Wilson's") {
  const AccuracyIntervals intervals = pixel_intervals(congalton());
  CHECK_FALSE(intervals.regions);
  CHECK(intervals.overall_accuracy == wilson_interval(321.0 / 434, 434));
  CHECK(intervals.classes[1].producers_accuracy == wilson_interval(81.0 / 103, 103));
  CHECK(intervals.classes[1].users_accuracy == wilson_interval(81.0 / 100, 100));
}

TEST_CASE("kappa's standard error is the published one") {
  // Congalton and Green: KHAT 0.65, its large-sample variance 0.0007778.
  const AccuracyIntervals intervals = pixel_intervals(congalton());
  const double error = width(intervals.kappa) / 2 / normal_quantile();
  CHECK(error * error == doctest::Approx(0.0007778).epsilon(1e-3));
  CHECK((intervals.kappa->low + intervals.kappa->high) / 2 == doctest::Approx(*congalton().kappa()));
}

TEST_CASE("of many pixels, intervals of F1 and average accuracy are those of the delta method") {
  CountMatrix counts(2, 2);
  counts << 60000, 9000, 20000, 111000;
  const ConfusionMatrix confusion({"a", "b"}, counts);
  const AccuracyIntervals intervals = pixel_intervals(confusion);
  const double f1 = *confusion.class_accuracy(0).f1;
  const double f1_error = std::sqrt(f1 * (1 - f1) * (2 - f1) / (69000 + 80000));
  CHECK(width(intervals.classes[0].f1) == doctest::Approx(2 * normal_quantile() * f1_error).epsilon(1e-3));
  double variance = 0;
  for (Index c = 0; c < 2; ++c) {
    const ClassAccuracy accuracy = confusion.class_accuracy(c);
    const double share = *accuracy.producers_accuracy;
    variance += share * (1 - share) / static_cast<double>(accuracy.reference_pixels) / 4;
  }
  CHECK(width(intervals.average_accuracy) ==
        doctest::Approx(2 * normal_quantile() * std::sqrt(variance)).epsilon(1e-3));
}

TEST_CASE("full agreement leaves open intervals, and none for kappa") {
  const ConfusionMatrix confusion({"a", "b", "c"}, (CountMatrix(3, 3) << 7, 0, 0, 0, 3, 0, 0, 0, 0).finished());
  const AccuracyIntervals intervals = pixel_intervals(confusion);
  CHECK(intervals.overall_accuracy->low < 0.8);
  CHECK(intervals.overall_accuracy->high == 1);
  CHECK(intervals.classes[1].f1->low < 0.7);
  CHECK(intervals.average_accuracy->low > intervals.classes[1].producers_accuracy->low);
  CHECK(intervals.average_accuracy->high == doctest::Approx(1));
  CHECK_FALSE(intervals.kappa);
  CHECK_FALSE(intervals.classes[2].producers_accuracy);
  CHECK_FALSE(intervals.classes[2].f1);
  CHECK_FALSE(pixel_intervals(ConfusionMatrix({"a"})).overall_accuracy);
}

TEST_CASE("regions of one pixel are independent pixels") {
  const ConfusionMatrix confusion = congalton();
  const AccuracyIntervals pixels = pixel_intervals(confusion);
  const AccuracyIntervals regions = region_intervals(confusion, pixels_of(confusion, 1));
  CHECK_FALSE(regions.regions);
  CHECK(regions.overall_accuracy == pixels.overall_accuracy);
  CHECK(regions.kappa == pixels.kappa);
}

TEST_CASE("pixels that are all alike in their region count once, whatever the order") {
  // 40 of 50 regions right: with one pixel and with nine the same, but for Student's t.
  CountMatrix counts(2, 2);
  counts << 22, 3, 7, 18;
  const ConfusionMatrix once({"a", "b"}, counts);
  const ConfusionMatrix ninefold({"a", "b"}, counts * std::int64_t{9});
  std::vector<ComparedPixel> pixels = pixels_of(ninefold, 9);
  const AccuracyIntervals regions = region_intervals(ninefold, pixels);
  const AccuracyIntervals single = pixel_intervals(once);
  CHECK(regions.regions == 50);
  CHECK(width(regions.overall_accuracy) == doctest::Approx(width(single.overall_accuracy)).epsilon(0.05));
  CHECK(width(regions.kappa) == doctest::Approx(width(single.kappa)).epsilon(0.05));
  CHECK(width(regions.classes[0].users_accuracy) ==
        doctest::Approx(width(single.classes[0].users_accuracy)).epsilon(0.08));
  CHECK(width(pixel_intervals(ninefold).overall_accuracy) < 0.4 * width(regions.overall_accuracy));
  std::reverse(pixels.begin(), pixels.end());
  const AccuracyIntervals reversed = region_intervals(ninefold, pixels);
  CHECK(reversed.overall_accuracy == regions.overall_accuracy);
}

TEST_CASE("a class without errors borrows from the others, and counts every region") {
  CountMatrix counts(2, 2);
  counts << 90, 0, 45, 45;
  const ConfusionMatrix confusion({"a", "b"}, counts);
  const AccuracyIntervals intervals = region_intervals(confusion, pixels_of(confusion, 9));
  const Interval producers = intervals.classes[0].producers_accuracy.value();
  CHECK(producers.low <= wilson_interval(1, 10).low + 1e-12);
  CHECK(producers.low > wilson_interval(1, 5).low);
  const ConfusionMatrix perfect({"a", "b"}, (CountMatrix(2, 2) << 90, 0, 0, 45).finished());
  const AccuracyIntervals all_right = region_intervals(perfect, pixels_of(perfect, 9));
  CHECK(all_right.overall_accuracy->low == doctest::Approx(wilson_interval(1, 15).low));
  CHECK(all_right.classes[1].users_accuracy->low == doctest::Approx(wilson_interval(1, 5).low));
  CHECK(*all_right.classes[1].users_accuracy->regions == doctest::Approx(5));
}

TEST_CASE("one region says next to nothing") {
  const ConfusionMatrix confusion({"a", "b"}, (CountMatrix(2, 2) << 90, 10, 0, 0).finished());
  const AccuracyIntervals intervals = region_intervals(confusion, pixels_of(confusion, 100));
  CHECK(intervals.regions == 1);
  CHECK(width(intervals.overall_accuracy) > 0.7);
  CHECK_FALSE(intervals.kappa);
}

TEST_CASE("of uneven regions, the few large ones decide") {
  // 9 regions of 10 pixels and one of 910: as much as 1.2 equal ones.
  ConfusionMatrix confusion({"a", "b"});
  std::vector<ComparedPixel> pixels;
  for (std::int64_t region = 0; region < 10; ++region) {
    for (int i = 0; i < (region == 0 ? 910 : 10); ++i) {
      pixels.push_back({i % 2, i % (region + 3) == 0 ? 1 - i % 2 : i % 2, {region}});
      confusion.add(pixels.back().reference, pixels.back().map);
    }
  }
  const AccuracyIntervals intervals = region_intervals(confusion, pixels);
  CHECK(*intervals.overall_accuracy->regions == doctest::Approx(1e6 / (910. * 910 + 900)));
  CHECK(*intervals.kappa->regions == doctest::Approx(*intervals.overall_accuracy->regions));
  CHECK(intervals.average_accuracy->regions <= intervals.classes[0].producers_accuracy->regions);
  CHECK_FALSE(pixel_intervals(confusion).kappa->regions);
}

TEST_CASE("intervals from regions of uneven sizes with skewed errors cover the truth") {
  // 40 polygons of lognormal sizes, a quarter of them mostly wrong; half of the classes. Both true values are known.
  Random random(11);
  constexpr int kSamples = 1500;
  const double truth = 0.75 * 0.98 + 0.25 * 0.3;
  int overall = 0;
  int kappa = 0;
  double regions = 0;
  for (int s = 0; s < kSamples; ++s) {
    ConfusionMatrix confusion({"a", "b"});
    std::vector<ComparedPixel> pixels;
    for (std::int64_t region = 0; region < 40; ++region) {
      const double share = random.uniform() < 0.75 ? 0.98 : 0.3;
      const Index label = random.index(2);
      const auto size = static_cast<int>(std::max(1.0, std::exp(2.5 + 0.8 * random.normal())));
      for (int i = 0; i < size; ++i) {
        pixels.push_back({label, random.uniform() < share ? label : 1 - label, {region}});
        confusion.add(label, pixels.back().map);
      }
    }
    const AccuracyIntervals found = region_intervals(confusion, pixels);
    regions += found.overall_accuracy->regions.value() / kSamples;
    overall += found.overall_accuracy->low <= truth && truth <= found.overall_accuracy->high ? 1 : 0;
    kappa += found.kappa->low <= 2 * truth - 1 && 2 * truth - 1 <= found.kappa->high ? 1 : 0;
  }
  CHECK(regions > kEnoughRegions);
  CHECK(overall > 0.93 * kSamples);
  CHECK(overall < 0.97 * kSamples);
  CHECK(kappa > 0.93 * kSamples);
  CHECK(kappa < 0.97 * kSamples);
}

TEST_CASE("intervals from regions cover the truth where those from pixels do not") {
  // 24 polygons of 5 to 44 pixels; of each a share of its own is right, 0.8 on average.
  Random random(17);
  constexpr int kSamples = 400;
  int by_region = 0;
  int by_pixel = 0;
  const auto covers = [](const std::optional<Interval>& interval) {
    return interval->low <= 0.8 && 0.8 <= interval->high;
  };
  for (int s = 0; s < kSamples; ++s) {
    ConfusionMatrix confusion({"a", "b"});
    std::vector<ComparedPixel> pixels;
    for (std::int64_t region = 0; region < 24; ++region) {
      const double share = 0.6 + 0.4 * random.uniform();
      const Index size = 5 + random.index(40);
      for (Index i = 0; i < size; ++i) {
        const Index map = random.uniform() < share ? 0 : 1;
        pixels.push_back({0, map, {region}});
        confusion.add(0, map);
      }
    }
    by_region += covers(region_intervals(confusion, pixels).overall_accuracy) ? 1 : 0;
    by_pixel += covers(pixel_intervals(confusion).overall_accuracy) ? 1 : 0;
  }
  CHECK(by_region > 0.92 * kSamples);
  CHECK(by_region < 0.99 * kSamples);
  CHECK(by_pixel < 0.85 * kSamples);
}

TEST_CASE("Wilson's interval of Newcombe's published cases") {
  // Newcombe (1998), Statistics in Medicine 17, table I, method 3.
  const auto check = [](double successes, double trials, double low, double high) {
    const Interval interval = wilson_interval(successes / trials, trials);
    CHECK(std::abs(interval.low - low) < 6e-5);
    CHECK(std::abs(interval.high - high) < 6e-5);
  };
  check(81, 263, 0.2553, 0.3662);
  check(15, 148, 0.0624, 0.1605);
  check(1, 29, 0.0061, 0.1718);
  CHECK(wilson_interval(0, 20).low == 0);
  CHECK(wilson_interval(0, 20).high == doctest::Approx(0.1611).epsilon(1e-3));
}

TEST_CASE("Wilson's interval solves the score equation, and mirrors with the share") {
  const double z = normal_quantile();
  CHECK(z == doctest::Approx(1.959963984540054).epsilon(1e-14));
  const Interval interval = wilson_interval(0.83, 41.5);
  for (const double bound : {interval.low, interval.high}) {
    CHECK(std::abs(0.83 - bound) == doctest::Approx(z * std::sqrt(bound * (1 - bound) / 41.5)));
  }
  const Interval mirrored = wilson_interval(0.17, 41.5);
  CHECK(mirrored.low == doctest::Approx(1 - interval.high));
  CHECK(mirrored.high == doctest::Approx(1 - interval.low));
}

TEST_CASE("Wilson's interval is never of zero width and covers as often as it says") {
  for (const double share : {0.0, 1.0}) {
    const Interval interval = wilson_interval(share, 1);
    CHECK(interval.high - interval.low > 0.7);
  }
  for (const double truth : {0.3, 0.7, 0.9, 0.95}) {
    const int trials = 60;
    const boost::math::binomial distribution(trials, truth);
    double covered = 0;
    for (int k = 0; k <= trials; ++k) {
      const Interval interval = wilson_interval(static_cast<double>(k) / trials, trials);
      covered += interval.low <= truth && truth <= interval.high ? boost::math::pdf(distribution, k) : 0;
    }
    CHECK(covered > 0.92);
    CHECK(covered < 0.98);
  }
}

TEST_CASE("a normal interval is cut where values end") {
  CHECK(normal_interval(0.5, 0.1, 0, 1).low == doctest::Approx(0.5 - 0.1959963984540054));
  CHECK(normal_interval(0.95, 0.1, 0, 1).high == 1);
  CHECK(normal_interval(-0.95, 0.1, -1, 1).low == -1);
}

TEST_CASE("exact intervals are those of Clopper and Pearson, and narrower without replacement") {
  // 8 of 10: published as 0.4439 to 0.9748.
  const Interval published = exact_interval(8, 10, std::nullopt);
  CHECK(published.low == doctest::Approx(0.4439).epsilon(1e-4));
  CHECK(published.high == doctest::Approx(0.9748).epsilon(1e-4));
  CHECK(exact_interval(0, 20, std::nullopt).low == 0);
  CHECK(exact_interval(0, 20, std::nullopt).high == doctest::Approx(1 - std::pow(0.025, 1.0 / 20)));
  CHECK(exact_interval(20, 20, std::nullopt).high == 1);
  const Interval finite = exact_interval(8, 10, 15);
  CHECK(finite.low > published.low);
  CHECK(finite.high < published.high);
  CHECK(exact_interval(8, 10, 10) == Interval{0.8, 0.8});
  CHECK(exact_interval(8, 10, 200000) == published);
  // Every population holds its number of successes in at least 95 % of all samples of 6 of 12 pixels.
  for (int successes = 0; successes <= 12; ++successes) {
    double covered = 0;
    double all = 0;
    for (unsigned chosen = 0; chosen < (1U << 12U); ++chosen) {
      if (std::popcount(chosen) == 6) {
        const Interval interval = exact_interval(std::popcount(chosen & ((1U << successes) - 1)), 6, 12);
        const double share = successes / 12.0;
        covered += interval.low <= share + 1e-12 && share <= interval.high + 1e-12 ? 1 : 0;
        ++all;
      }
    }
    CHECK(covered >= 0.95 * all);
  }
}

}  // namespace parsimap::test
