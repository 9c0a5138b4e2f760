// The shapes of metrics that are compared, and the points at which classifiers of one are: coarse grids, and the steps
// that refine a point.
#pragma once

#include <vector>

#include "parsimap/validation/left_out.hpp"

namespace parsimap {

// The shapes of the family, and the same once more of spectra scaled within classes where these are tried and can be
// judged.
std::vector<MetricShape> tried_shapes(const LabelledSpectra& samples, KernelFamily family);

// The number of blends that class models are estimated for.
std::size_t blend_count(const std::vector<MetricShape>& shapes);

// Every width of 0.1, 0.5, 2.5, 12.5 with every one of these C, without profiles.
std::vector<TrainingPoint> scan_points(const std::vector<double>& penalties);

// The point itself and one step in every direction, inside the bounds: a factor of 10 in C and 5 in width in the scan,
// of 3.2 and 2.2 in what follows it.
std::vector<TrainingPoint> scan_steps(const TrainingPoint& point);
std::vector<TrainingPoint> neighbourhood(const TrainingPoint& point);

// Kernels of profiles beside the spectra at their width: every share of 1/4, 1/2, 3/4 with a mean squared distance of
// two profiles of 0.1, 0.5, 2.5, 12.5 and the C of the spectra, a tenth or ten times of it. `distance` > 0: the mean
// squared distance of profiles at weight 1.
std::vector<TrainingPoint> profile_points(const TrainingPoint& spectra, double distance);

// The point itself, which has a share above 0, and one step in every direction: beside those of neighbourhood() a
// factor of 1.8 in share / (1 - share), and of 2.2 in the weight of the profiles.
std::vector<TrainingPoint> profile_neighbourhood(const TrainingPoint& point, double distance);

// Whether two points differ by rounding at most, as a point does from itself after a step there and back.
bool nearly_equal(const TrainingPoint& a, const TrainingPoint& b);

}  // namespace parsimap
