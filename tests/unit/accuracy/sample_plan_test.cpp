#include "parsimap/accuracy/sample_plan.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/accuracy/agreement_map.hpp"
#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

const std::vector<std::string> kNames = {"forest", "water", "mire"};

// Strata that are the classes of a map, and one without pixels.
CountMatrix map_of(std::int64_t forest, std::int64_t water, std::int64_t mire) {
  CountMatrix pixels = CountMatrix::Zero(3, 3);
  pixels.diagonal() << forest, water, mire;
  return pixels;
}

std::vector<std::int64_t> points_of(const SamplePlan& plan) {
  return mapped<std::int64_t>(plan.strata, &PlannedStratum::points);
}

double promise(const SamplePlan& plan, AimKind kind, const std::string& name = {}) {
  for (const Aim& aim : plan.promised) {
    if (aim.kind == kind && aim.class_name == name) {
      return aim.standard_error;
    }
  }
  return -1;
}

}  // namespace

TEST_CASE("aims are read from texts and written back") {
  for (const char* text : {"overall:0.01", "users:Corn:0.05", "area:a:b:0.005"}) {
    CHECK(to_string(parse_aim(text)) == text);
  }
  CHECK(parse_aim("area:a:b:0.005") == Aim{AimKind::area, "a:b", 0.005});
  CHECK(measure_name(parse_aim("users:Corn:0.05")) == "user's accuracy of Corn");
  for (const char* text : {"overall", "overall:0", "overall:0.6", "overall:x:0.1", "users:0.1", "kappa:0.1",
                           "area:a;b:0.1", "overall:nan"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_aim(text), ConfigError);
  }
  CHECK(parse_design("clusters") == SamplingDesign::clusters);
  CHECK(message_of([] { parse_allocation("even"); }) ==
        "the allocation 'even' is unknown; it must be proportional, equal or neyman");
}

TEST_CASE("the size of a simple sample is that of the closed form") {
  // n = p (1 - p) / (e^2 + p (1 - p) / N), rounded up (Cochran 1977, 4.3).
  const std::int64_t all = 5000;
  const double variance = 0.9 * 0.1;
  const double size = variance / (0.02 * 0.02 + variance / static_cast<double>(all));
  PlanOptions options{.design = SamplingDesign::simple, .aims = {{AimKind::overall, {}, 0.02}}, .expected = 0.9};
  const SamplePlan plan = plan_sample(map_of(4000, 900, 100), kNames, kNames, options);
  CHECK(plan.points() == static_cast<std::int64_t>(std::ceil(size)));
  CHECK(plan.strata.front().name == "all");
  CHECK(promise(plan, AimKind::overall) <= 0.02);
  // One point less does not meet the aim.
  options.size = plan.points() - 1;
  CHECK(promise(plan_sample(map_of(4000, 900, 100), kNames, kNames, options), AimKind::overall) > 0.02);
  // A user's accuracy is that of the points of the class.
  CHECK(promise(plan, AimKind::users, "water") ==
        doctest::Approx(std::sqrt(variance / (static_cast<double>(plan.points()) * 0.18) *
                                  (1 - static_cast<double>(plan.points()) / 5000))));
}

TEST_CASE("the standard error of a stratified sample is that of an obvious loop") {
  PlanOptions options{.size = 300, .least = 60, .expected = 0.8, .expected_by = {{"mire", 0.6}}};
  const std::vector<double> pixels = {4000, 900, 100};
  const std::vector<double> users = {0.8, 0.8, 0.6};
  const SamplePlan plan = plan_sample(map_of(4000, 900, 100), kNames, kNames, options);
  CHECK(plan.points() == 300);
  double overall = 0;
  double area = 0;
  for (std::size_t h = 0; h < 3; ++h) {
    const auto points = static_cast<double>(plan.strata[h].points);
    const double factor = pixels[h] * pixels[h] * (1 / points - 1 / pixels[h]) / 5000 / 5000;
    overall += factor * users[h] * (1 - users[h]);
    if (h == 1) {
      CHECK(promise(plan, AimKind::users, "water") ==
            doctest::Approx(std::sqrt(0.8 * 0.2 * (1 / points - 1 / pixels[h]))));
    }
    // Wrong pixels of a class are mires in proportion to their share of the other classes.
    const double mire = h == 2 ? 0.6 : (1 - users[h]) * 100 / (5000 - pixels[h]);
    area += factor * mire * (1 - mire);
  }
  CHECK(promise(plan, AimKind::overall) == doctest::Approx(std::sqrt(overall)));
  CHECK(promise(plan, AimKind::area, "mire") == doctest::Approx(std::sqrt(area)));
}

TEST_CASE("points are divided by pixels, equally, or by the variance of the aim, with a least number") {
  PlanOptions options{.size = 500, .least = 20};
  CHECK(points_of(plan_sample(map_of(8000, 1000, 1000), kNames, kNames, options)) ==
        std::vector<std::int64_t>{400, 50, 50});
  options.allocation = Allocation::equal;
  options.size = 300;
  CHECK(points_of(plan_sample(map_of(8000, 1000, 1000), kNames, kNames, options)) ==
        std::vector<std::int64_t>{100, 100, 100});
  // A stratum has no more points than pixels, and none of what has no pixels.
  CHECK(points_of(plan_sample(map_of(8000, 0, 30), kNames, kNames, options)) == std::vector<std::int64_t>{270, 30});
  // Of all ways to divide 500 points, Neyman's has the smallest error of the aim.
  options = {.aims = {{AimKind::overall, {}, 0.1}},
             .size = 500,
             .allocation = Allocation::neyman,
             .least = 20,
             .expected_by = {{"forest", 0.99}, {"water", 0.6}}};
  const SamplePlan best = plan_sample(map_of(6000, 3000, 1000), kNames, kNames, options);
  const double error = promise(best, AimKind::overall);
  for (const Allocation other : {Allocation::proportional, Allocation::equal}) {
    options.allocation = other;
    CHECK(promise(plan_sample(map_of(6000, 3000, 1000), kNames, kNames, options), AimKind::overall) > error);
  }
}

TEST_CASE("all aims are met, by the smallest size") {
  PlanOptions options{.aims = {{AimKind::overall, {}, 0.03}, {AimKind::users, "mire", 0.04}}, .least = 5};
  const SamplePlan plan = plan_sample(map_of(9000, 900, 100), kNames, kNames, options);
  CHECK(promise(plan, AimKind::overall) <= 0.03);
  CHECK(promise(plan, AimKind::users, "mire") <= 0.04);
  options.size = plan.points() - 1;
  CHECK(promise(plan_sample(map_of(9000, 900, 100), kNames, kNames, options), AimKind::users, "mire") > 0.04);
}

TEST_CASE("an aim that is met by far costs no points in Neyman's allocation") {
  const CountMatrix pixels = map_of(900000, 90000, 10000);
  PlanOptions options{.aims = {{AimKind::overall, {}, 0.01}}, .allocation = Allocation::neyman, .least = 30};
  const std::int64_t alone = plan_sample(pixels, kNames, kNames, options).points();
  options.aims.push_back({AimKind::users, "water", 0.2});
  CHECK(std::abs(plan_sample(pixels, kNames, kNames, options).points() - alone) <= 2);
  // Two aims that both decide are met alike.
  options.aims.back().standard_error = 0.02;
  const SamplePlan plan = plan_sample(pixels, kNames, kNames, options);
  CHECK(promise(plan, AimKind::overall) == doctest::Approx(0.01).epsilon(0.02));
  CHECK(promise(plan, AimKind::users, "water") == doctest::Approx(0.02).epsilon(0.02));
}

TEST_CASE("clusters need more points than a simple sample, by how alike their pixels are") {
  PlanOptions options{.design = SamplingDesign::clusters,
                      .aims = {{AimKind::overall, {}, 0.02}},
                      .cluster_points = 6,
                      .correlation = 0};
  const CountMatrix pixels = map_of(900000, 90000, 10000);
  const std::int64_t simple = plan_sample(pixels, kNames, kNames, options).points();
  options.correlation = 0.2;
  const SamplePlan plan = plan_sample(pixels, kNames, kNames, options);
  CHECK(std::abs(plan.points() - 2 * simple) <= 18);
  CHECK(plan.points() == 6 * plan.clusters);
}

TEST_CASE("plans that cannot be are refused") {
  const auto refused = [](const PlanOptions& options) {
    return message_of([&] { plan_sample(map_of(80, 20, 0), kNames, kNames, options); });
  };
  CHECK(refused({}) == "neither --aim nor --size says how large the sample is to be");
  CHECK(refused({.size = 60}) == "--size is 60; the strata need 70 points, --least in each");
  CHECK(refused({.size = 101, .least = 2}) == "--size is 101; the map has 100 classified pixels");
  CHECK(refused({.aims = {{AimKind::users, "bog", 0.1}}}) == "the map has no class 'bog'; it has forest, water, mire");
  CHECK(refused({.design = SamplingDesign::clusters, .aims = {{AimKind::overall, {}, 0.01}}}) ==
        "the aims cannot be met, since clusters would need more points than the map has pixels");
  CHECK(message_of([] { plan_sample(map_of(0, 0, 0), kNames, kNames, {.size = 5}); }) ==
        "the map has no classified pixel to draw a sample from");
}

TEST_CASE("a sample that compares two maps lies where they differ") {
  CountMatrix pixels(2, 3);
  pixels << 5000, 3000, 1000, 600, 300, 100;
  const std::vector<std::string> strata = {"the maps agree", kMapsDiffer};
  PlanOptions options{.aims = {parse_aim("difference:0.005")}, .allocation = Allocation::neyman, .least = 2};
  const SamplePlan plan = plan_sample(pixels, strata, kNames, options);
  REQUIRE(plan.promised.size() == 1);
  CHECK(to_string(plan.promised[0]).starts_with("difference:"));
  CHECK(measure_name(plan.promised[0]) == "difference of the overall accuracies");
  CHECK(plan.strata[0].points == 2);
  // A tenth of the pixels differ, each with a variance of 1.
  const auto error = [](double points) { return 0.1 * std::sqrt(1 / points - 1.0 / 1000); };
  const auto points = static_cast<double>(plan.strata[1].points);
  CHECK(plan.promised[0].standard_error == doctest::Approx(error(points)));
  CHECK(error(points) <= 0.005);
  CHECK(error(points - 1) > 0.005);
  // With a number of points in place of an aim they lie there as well.
  options.aims = {};
  options.size = 80;
  CHECK(plan_sample(pixels, strata, kNames, options).strata[1].points == 78);
  // Another aim is met beside it, and promised.
  options = {
      .aims = {parse_aim("difference:0.005"), parse_aim("overall:0.02")}, .allocation = Allocation::neyman, .least = 2};
  const SamplePlan both = plan_sample(pixels, strata, kNames, options);
  CHECK(both.promised[0].standard_error <= 0.005);
  CHECK(both.promised[1].kind == AimKind::overall);
  CHECK(both.promised[1].standard_error <= 0.02);
  CHECK_THROWS_AS(plan_sample(pixels, {"a", "b"}, kNames, options), ConfigError);
  CHECK_THROWS_AS(parse_aim("difference:forest:0.01"), ConfigError);
}

TEST_CASE("points that no aim needs go to the strata that aims do not depend on, by their pixels") {
  const PlanOptions options{
      .aims = {parse_aim("users:mire:0.05")}, .size = 900, .allocation = Allocation::neyman, .least = 50};
  CHECK(points_of(plan_sample(map_of(3000, 1000, 400), kNames, kNames, options)) ==
        std::vector<std::int64_t>{375, 125, 400});
}

}  // namespace parsimap::test
