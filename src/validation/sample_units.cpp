#include "parsimap/validation/sample_units.hpp"

#include <algorithm>
#include <cmath>
#include <map>
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
  Indices order = consecutive(std::ssize(of_class));
  std::ranges::stable_sort(order, {}, [&](Index c) { return of_class[static_cast<std::size_t>(c)].size(); });
  TestUnits result;
  std::map<SampleUnit, bool> for_test;
  for (const Index number : order) {
    const auto c = static_cast<std::size_t>(number);
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
  result.tested = mapped<bool>(units, [&](const SampleUnit& unit) { return for_test.at(unit); });
  const auto points = [&](bool tested) {
    const auto is_such = [&](std::size_t i) { return result.tested[i] == tested; };
    return Matrix(positions(indices_where(units.size(), is_such), Eigen::all));
  };
  // Of every pixel, as the map knows pixels: the one at the edge of a field says little about those inside.
  result.distances = nearest_distances(points(true), points(false));
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
