#include "parsimap/accuracy/sample_difference.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "parsimap/accuracy/agreement_map.hpp"
#include "parsimap/accuracy/assessment.hpp"
#include "parsimap/accuracy/sample_draw.hpp"
#include "parsimap/accuracy/sequential_interval.hpp"
#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

// What assess_difference() knows of each labelled point, and of the pixels of both maps.
struct DifferenceUnits {
  std::vector<SequentialUnit> units;  // first right less second right, from -1 to 1
  std::vector<bool> differ;           // the maps, at the point
  double differing = 0;               // pixels
  double both = 0;                    // pixels that both maps classify
};

// Mean of the units of a stratum, or of the means of its clusters, and the variance of that mean.
std::pair<double, double> mean_of_stratum(const std::vector<SequentialUnit>& values,
                                          const std::vector<LabelledUnit>& units, std::size_t h, double pixels) {
  // A point is a cluster of its own where there are none.
  std::map<std::int64_t, std::pair<double, double>> clusters;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i].stratum == static_cast<Index>(h)) {
      auto& [values_of, size] = clusters[units[i].cluster > 0 ? units[i].cluster : -static_cast<std::int64_t>(i)];
      values_of += values[i].value;
      ++size;
    }
  }
  const bool points = units.front().cluster == 0;
  const auto count = static_cast<double>(clusters.size());
  const auto mean_of = [](const auto& entry) { return entry.second.first / entry.second.second; };
  const double sum = total(clusters, mean_of);
  const double squares = total(clusters, [&](const auto& entry) { return std::pow(mean_of(entry) - sum / count, 2); });
  const double finite = points ? std::max(0.0, 1 - count / pixels) : 1;
  return {sum / count, finite * squares / count / std::max(1.0, count - 1)};
}

// Of a sample whose points in the pixels where the maps differ are a simple one of these, of `planned` points.
std::optional<double> planned_where_maps_differ(const DrawnSample& sample, const std::vector<DrawnStratum>& drawn,
                                                const std::vector<LabelledUnit>& units, const DifferenceUnits& pairs) {
  if (sample.design == SamplingDesign::simple) {
    return static_cast<double>(sample.points.size()) * pairs.differing / drawn.front().pixels;
  }
  const auto name = static_cast<std::size_t>(std::ranges::find(sample.strata, kMapsDiffer) - sample.strata.begin());
  if (name == sample.strata.size() || std::llround(drawn[name].pixels) != std::llround(pairs.differing)) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (pairs.differ[i] != (units[i].stratum == static_cast<Index>(name))) {
      return std::nullopt;
    }
  }
  return static_cast<double>(drawn[name].points);
}

void set_difference_intervals(SampledDifference& difference, const DifferenceUnits& pairs,
                              std::optional<double> planned) {
  const double share = pairs.differing / pairs.both;
  const auto of_share = [&](const Interval& of, double scale) {
    return Interval{std::max(-share, scale * (2 * of.low - 1)), std::min(share, scale * (2 * of.high - 1))};
  };
  const Indices rows = indices_where(pairs.units.size(), [&](std::size_t i) { return pairs.differ[i]; });
  const auto differing = mapped<SequentialUnit>(values_at(pairs.units, rows), [](const SequentialUnit& unit) {
    return SequentialUnit{0, (unit.value + 1) / 2};
  });
  if (difference.standard_error > 0) {
    const double moved = (1 + difference.value) / 2;
    difference.interval =
        of_share(wilson_interval(moved, moved * (1 - moved) / std::pow(difference.standard_error / 2, 2)), 1);
  } else {
    // Where all units of each stratum agree, no more pixels differ from them than an unseen share; each changes by 2.
    const auto seen = static_cast<double>(differing.size());
    const double unseen = seen >= pairs.differing ? 0 : seen > 0 ? 1 - wilson_interval(1, seen).low : 1;
    difference.interval = {std::max(-share, difference.value - 2 * unseen * share),
                           std::min(share, difference.value + 2 * unseen * share)};
  }
  if (planned && pairs.differing > 0) {
    difference.growing = of_share(sequential_interval({{pairs.differing, *planned}}, differing), share);
  }
}

}  // namespace

SampledDifference assess_difference(ClassMapSource& map, ClassMapSource& second, const LabelledPixels& reference,
                                    const Comparison& comparison, const std::vector<std::optional<RightOfPair>>& right,
                                    const DrawnSample& sample) {
  AgreementMap agreement(map, second);
  const Population population = count_population(agreement, nullptr);
  const CountVector pixels = population.pixels.colwise().sum().transpose();
  const std::vector<DrawnStratum> drawn = drawn_strata(sample);
  check_population(sample, drawn, pixels.sum());
  DifferenceUnits pairs{.units = {},
                        .differ = {},
                        .differing = static_cast<double>(pixels(1)),
                        .both = static_cast<double>(pixels(0) + pixels(1))};
  if (pairs.both == 0) {
    throw DataError("no pixel has a class both in " + map.name() + " and in " + second.name());
  }
  const std::vector<LabelledUnit> units = labelled_units(sample, reference, comparison);
  check_enough(sample, drawn, units);
  const std::vector<std::uint16_t> codes = codes_at(agreement, reference.pixels);
  for (const LabelledUnit& unit : units) {
    const auto& pair = right[unit.pixel];
    pairs.units.push_back(
        {unit.stratum, pair ? static_cast<double>(pair->first) - static_cast<double>(pair->second) : 0});
    pairs.differ.push_back(codes[unit.pixel] == 2);
  }
  SampledDifference difference{.interval = {}, .differing_share = pairs.differing / pairs.both};
  double variance = 0;
  for (std::size_t h = 0; h < drawn.size(); ++h) {
    const auto [mean, of_mean] = mean_of_stratum(pairs.units, units, h, drawn[h].pixels);
    difference.value += drawn[h].pixels / pairs.both * mean;
    variance += std::pow(drawn[h].pixels / pairs.both, 2) * of_mean;
  }
  difference.standard_error = std::sqrt(variance);
  set_difference_intervals(difference, pairs, planned_where_maps_differ(sample, drawn, units, pairs));
  difference.labelled = std::ssize(units);
  difference.planned = std::ssize(sample.points);
  const auto aim = std::ranges::find(sample.aims, AimKind::difference, &Aim::kind);
  if (aim != sample.aims.end()) {
    const double error = shown_error(difference.standard_error, difference.interval);
    difference.points =
        points_for(aim->standard_error, error, static_cast<double>(units.size()), total(drawn, &DrawnStratum::pixels));
  }
  return difference;
}

}  // namespace parsimap
