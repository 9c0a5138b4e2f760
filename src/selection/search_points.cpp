#include "search_points.hpp"

#include <algorithm>
#include <cmath>

#include "parsimap/validation/unit_design.hpp"

namespace parsimap {

constexpr double kWidths[] = {0.1, 0.5, 2.5, 12.5};
constexpr double kShares[] = {0.25, 0.5, 0.75};

constexpr double kScanWidthStep = 5;
constexpr double kScanPenaltyStep = 10;
constexpr double kWidthStep = 2.2;
constexpr double kPenaltyStep = 3.2;
constexpr double kOddsStep = 1.8;

// Below these bounds classifiers are nearly linear or nearly constant: their decision values depend more on the sizes
// of the classes than on the spectra, and with few regions they cannot be distinguished from better ones. A larger C
// does not change the accuracy, but makes coefficients too large to be summed in single precision.
constexpr double kLowestWidth = 0.1;
constexpr double kLowestPenalty = 10;
constexpr double kHighestPenalty = 1e4;

// A kernel of profiles narrower than this is 0 between all profiles that are not nearly equal.
constexpr double kHighestProfileWidth = 60;

// With a share below this, or as close to 1, one of the two kernels has no effect but its computing time.
constexpr double kLowestShare = 0.04;

static std::vector<TrainingPoint> with_steps(const TrainingPoint& point, const std::vector<TrainingPoint>& steps) {
  // The point itself comes first, so that it wins among equal risks. Steps that a bound has moved back to it are left
  // out.
  std::vector<TrainingPoint> points = {point};
  add_all(points, filtered(steps, [&](const TrainingPoint& step) { return !(step == point); }));
  return points;
}

static double other_share(double share, double factor) {
  // A step multiplies the odds mu / (1 - mu), so that steps are small near 0 and 1 and the share stays between them.
  const double odds = factor * share / (1 - share);
  return std::clamp(odds / (1 + odds), kLowestShare, 1 - kLowestShare);
}

// One step in width and C, by these factors.
static std::vector<TrainingPoint> spectral_steps(const TrainingPoint& point, double width_step = kWidthStep,
                                                 double penalty_step = kPenaltyStep) {
  std::vector<TrainingPoint> steps(4, point);
  steps[0].C = std::max(kLowestPenalty, point.C / penalty_step);
  steps[1].C = std::min(kHighestPenalty, point.C * penalty_step);
  steps[2].width = std::max(kLowestWidth, point.width / width_step);
  steps[3].width = point.width * width_step;
  return steps;
}

std::vector<MetricShape> tried_shapes(const LabelledSpectra& samples, KernelFamily family) {
  std::vector<MetricShape> shapes = metric_shapes(family);
  if (samples.standardising.size() > 0 && unit_count(units_of(samples.places)) >= kFewestUnits) {
    for (MetricShape shape : metric_shapes(family)) {
      shape.standardised = true;
      shapes.push_back(shape);
    }
  }
  return shapes;
}

std::size_t blend_count(const std::vector<MetricShape>& shapes) {
  const auto blend = [](const MetricShape& shape) { return shape.standardised ? -1 - shape.blend : shape.blend; };
  return distinct(mapped<double>(shapes, blend)).size();
}

std::vector<TrainingPoint> scan_points(const std::vector<double>& penalties) {
  std::vector<TrainingPoint> points;
  for (const double width : kWidths) {
    for (const double C : penalties) {
      points.push_back({width, C});
    }
  }
  return points;
}

std::vector<TrainingPoint> scan_steps(const TrainingPoint& point) {
  return with_steps(point, spectral_steps(point, kScanWidthStep, kScanPenaltyStep));
}

std::vector<TrainingPoint> neighbourhood(const TrainingPoint& point) {
  return with_steps(point, spectral_steps(point));
}

std::vector<TrainingPoint> profile_points(const TrainingPoint& spectra, double distance) {
  std::vector<TrainingPoint> points;
  for (const double profile_width : kWidths) {
    for (const double share : kShares) {
      for (const double factor : {0.1, 1.0, 10.0}) {
        const double C = std::clamp(factor * spectra.C, kLowestPenalty, kHighestPenalty);
        if (factor == 1 || C != spectra.C) {
          points.push_back({spectra.width, C, share, profile_width / distance});
        }
      }
    }
  }
  return points;
}

bool nearly_equal(const TrainingPoint& a, const TrainingPoint& b) {
  const auto equal = [](double x, double y) { return std::abs(x - y) <= 1e-9 * std::max(x, y); };
  return equal(a.width, b.width) && equal(a.C, b.C) && equal(a.share, b.share) &&
         equal(a.profile_weight, b.profile_weight);
}

std::vector<TrainingPoint> profile_neighbourhood(const TrainingPoint& point, double distance) {
  std::vector<TrainingPoint> steps = spectral_steps(point);
  steps.insert(steps.end(), 4, point);
  steps[4].share = other_share(point.share, 1 / kOddsStep);
  steps[5].share = other_share(point.share, kOddsStep);
  steps[6].profile_weight = std::max(kLowestWidth / distance, point.profile_weight / kWidthStep);
  steps[7].profile_weight = std::min(kHighestProfileWidth / distance, point.profile_weight * kWidthStep);
  return with_steps(point, steps);
}

}  // namespace parsimap
