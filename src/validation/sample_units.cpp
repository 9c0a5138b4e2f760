#include "parsimap/validation/sample_units.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "parsimap/core/random.hpp"
#include "parsimap/validation/unit_design.hpp"

namespace parsimap {

std::vector<SampleUnit> block_units(const Matrix& points, double side) {
  std::map<std::pair<double, double>, std::int64_t> blocks;
  std::vector<SampleUnit> units;
  for (const auto& point : points.rowwise()) {
    const std::pair<double, double> block(std::floor(point(0) / side), std::floor(point(1) / side));
    units.push_back({blocks.emplace(block, std::ssize(blocks)).first->second, SampleUnit::Reason::matched});
  }
  return units;
}

TestUnits draw_test_units(const std::vector<int>& labels, std::size_t classes, const std::vector<SampleUnit>& units,
                          double share, std::uint64_t seed, const Matrix& positions) {
  std::vector<std::set<SampleUnit>> of_class(classes);
  for (std::size_t i = 0; i < units.size(); ++i) {
    of_class[static_cast<std::size_t>(labels[i])].insert(units[i]);
  }
  std::vector<std::size_t> order(classes);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t c) { return of_class[c].size(); });
  TestUnits result;
  std::map<SampleUnit, bool> for_test;
  for (const std::size_t c : order) {
    const std::vector<SampleUnit> own(of_class[c].begin(), of_class[c].end());
    const Index n = std::ssize(own);
    if (n == 1) {
      result.untested.push_back(static_cast<int>(c));
    }
    const auto rounded = static_cast<Index>(std::lround(share * static_cast<double>(n)));
    Index left = n < 2 ? 0 : std::clamp<Index>(rounded, 1, n - 1);
    left -= std::ranges::count_if(own,
                                  [&](const SampleUnit& unit) { return for_test.contains(unit) && for_test.at(unit); });
    for (const Index k : Random(seed, c).permutation(n)) {
      if (for_test.emplace(own[static_cast<std::size_t>(k)], left > 0).second) {
        --left;
      }
    }
  }
  result.test_units = std::ranges::count_if(for_test, [](const auto& unit) { return unit.second; });
  result.training_units = std::ssize(for_test) - result.test_units;
  Indices trained;
  Indices tested;
  for (std::size_t i = 0; i < units.size(); ++i) {
    result.tested.push_back(for_test.at(units[i]));
    (result.tested.back() ? tested : trained).push_back(static_cast<Index>(i));
  }
  // Of every pixel, as the map knows pixels: the one at the edge of a field says little about those inside.
  result.distances = nearest_distances(positions(tested, Eigen::all), positions(trained, Eigen::all));
  std::ranges::sort(result.distances);
  return result;
}

void take_units(const std::vector<SampleUnit>& units, const Indices& rows, std::vector<SamplePlace>& places) {
  const std::int64_t count = 1 + std::ranges::max_element(units)->number;
  std::map<SampleUnit, std::int64_t> others;
  for (SamplePlace& place : places) {
    if (!place.in_scene()) {
      place.unit = {others.emplace(place.unit, count + std::ssize(others)).first->second, SampleUnit::Reason::library};
    }
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    places[static_cast<std::size_t>(rows[k])].unit = units[k];
  }
}

}  // namespace parsimap
