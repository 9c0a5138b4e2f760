#include "profile_selection.hpp"

#include <utility>

#include "machine_points.hpp"

namespace parsimap {
namespace {

// Steps to a better neighbour at most. From the grid to any point between its own it takes four.
constexpr std::size_t kProfileSteps = 5;

}  // namespace

ProfileSelection select_profile(LeftOutJudge& scanner, LeftOutJudge& judge, const MetricShape& shape,
                                const LeftOutJudge::Outcome& spectra) {
  const double distance = judge.profile_distance();
  MachinePoint start = scanner.best_of(shape, profile_points(spectra.point.width, distance)).point;
  LeftOutJudge::Outcome best = judge.best_of(shape, profile_neighbourhood(start, distance));
  for (std::size_t i = 1; i < kProfileSteps && !(best.point == start); ++i) {
    start = best.point;
    best = judge.best_of(shape, profile_neighbourhood(start, distance));
  }
  const ShapeScore beside = judge.score(shape, spectra, best);
  ProfileScore score{best.point,         best.point.profile_weight * distance,
                     beside.risk,        beside.gain,
                     beside.gain_error,  1 - best.errors,
                     1 - spectra.errors, beside.samples};
  return {std::move(best), score};
}

double profile_operations(Index scanned, Index compared, Index bands, std::size_t classes) {
  const MachinePoint point{1, 100, 0.5, 1};
  return machine_operations(scanned, bands, classes, profile_points(1, 1).size()) +
         static_cast<double>(kProfileSteps) *
             machine_operations(compared, bands, classes, profile_neighbourhood(point, 1).size());
}

}  // namespace parsimap
