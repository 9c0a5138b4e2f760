#include "selection/search_points.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace parsimap;

TEST_CASE("shapes are tried in both scalings where there are two and ten units to judge them") {
  const std::vector<MetricShape> shapes = metric_shapes(KernelFamily::hdda);
  for (const Index units : {9, 10}) {
    const Matrix spectra = Matrix::Zero(units, 2);
    const std::vector<int> labels(static_cast<std::size_t>(units), 0);
    const auto places = mapped<SamplePlace>(consecutive(units), [](Index i) { return SamplePlace{i, i, {i}}; });
    LabelledSpectra samples{spectra, labels, places, 1};
    CHECK(tried_shapes(samples, KernelFamily::hdda) == shapes);
    samples.standardising = Vector::Ones(2);
    const std::vector<MetricShape> tried = tried_shapes(samples, KernelFamily::hdda);
    REQUIRE(tried.size() == (units == 10 ? 2 : 1) * shapes.size());
    CHECK(blend_count(tried) == (units == 10 ? 2 : 1) * blend_count(shapes));
    CHECK(tried.back().standardised == (units == 10));
  }
}

TEST_CASE("classifier points: a grid of widths and penalties, and steps from a point that stay inside the bounds") {
  const std::vector<TrainingPoint> grid = scan_points({20, 200});
  CHECK(grid.size() == 8);
  CHECK(grid.front() == TrainingPoint{0.1, 20});
  CHECK(grid.back() == TrainingPoint{12.5, 200});
  // Steps of the scan in width lead from one of its points to the next.
  const std::vector<TrainingPoint> coarse = scan_steps({0.5, 100});
  REQUIRE(coarse.size() == 5);
  CHECK(coarse[1].C == doctest::Approx(10));
  CHECK(coarse[2].C == doctest::Approx(1000));
  CHECK(nearly_equal(coarse[3], {0.1, 100}));
  CHECK(nearly_equal(coarse[4], {2.5, 100}));
  const std::vector<TrainingPoint> inside = neighbourhood({0.5, 100});
  CHECK(inside.size() == 5);
  CHECK(inside.front() == TrainingPoint{0.5, 100});
  // No step leaves the bounds, and a step that would stay is no step.
  CHECK(neighbourhood({0.1, 10}).size() == 3);
}

TEST_CASE("classifier points: profiles are weighed in units of their mean squared distance") {
  for (const double distance : {1.0, 40.0}) {
    const std::vector<TrainingPoint> points = profile_points({0.5, 100}, distance);
    CHECK(points.size() == 36);
    CHECK(points.front().profile_weight * distance == doctest::Approx(0.1));
    CHECK(points.back().profile_weight * distance == doctest::Approx(12.5));
    const TrainingPoint middle{0.5, 100, 0.5, 2.5 / distance};
    const std::vector<TrainingPoint> steps = profile_neighbourhood(middle, distance);
    CHECK(steps.size() == 9);
    CHECK(steps.front() == middle);
    CHECK(std::all_of(steps.begin(), steps.end(), [](const TrainingPoint& step) { return step.share > 0; }));
  }
}

TEST_CASE("classifier points: shares come near to 0 and 1 and stay between") {
  for (const double first : {0.25, 0.75}) {
    TrainingPoint point{0.5, 100, first, 1};
    for (int i = 0; i < 20; ++i) {
      const std::vector<TrainingPoint> steps = profile_neighbourhood(point, 1);
      const auto further = [&](const TrainingPoint& a, const TrainingPoint& b) {
        return first < 0.5 ? a.share > b.share : a.share < b.share;
      };
      point.share = std::max_element(steps.begin(), steps.end(), further)->share;
    }
    CHECK(std::min(point.share, 1 - point.share) == doctest::Approx(0.04));
  }
}
