#include "parsimap/accuracy/drawn_sample.hpp"

#include <algorithm>
#include <cmath>

#include "parsimap/accuracy/agreement_map.hpp"
#include "parsimap/core/error.hpp"

namespace parsimap {

bool DrawnSample::only_compares() const {
  return std::ranges::find(strata, kMapsDiffer) != strata.end() &&
         std::ranges::all_of(aims, [](const Aim& aim) { return aim.kind == AimKind::difference; });
}

std::vector<DrawnStratum> drawn_strata(const DrawnSample& sample) {
  std::vector<DrawnStratum> strata(sample.strata.size());
  for (const DrawnPoint& point : sample.points) {
    DrawnStratum& stratum = strata[static_cast<std::size_t>(point.stratum)];
    ++stratum.points;
    stratum.pixels += 1 / point.probability;
  }
  if (sample.design == SamplingDesign::clusters) {
    // Each of a clusters with m points has the probability a m / N.
    const DrawnPoint& first = sample.points.front();
    const auto clusters = largest<std::int64_t>(sample.points, &DrawnPoint::cluster);
    const auto size = std::ranges::count(sample.points, first.cluster, &DrawnPoint::cluster);
    strata.front().pixels = static_cast<double>(clusters * size) / first.probability;
  }
  return strata;
}

std::vector<LabelledUnit> labelled_units(const DrawnSample& sample, const LabelledPixels& reference,
                                         const Comparison& comparison) {
  auto labelled = sample.labelled;
  // A cluster that is not complete yet does not count.
  while (sample.design == SamplingDesign::clusters && labelled > 0 &&
         labelled < static_cast<std::int64_t>(sample.points.size()) &&
         sample.points[static_cast<std::size_t>(labelled) - 1].cluster ==
             sample.points[static_cast<std::size_t>(sample.labelled)].cluster) {
    --labelled;
  }
  std::vector<LabelledUnit> units;
  for (std::int64_t i = 0; i < labelled; ++i) {
    const DrawnPoint& point = sample.points[static_cast<std::size_t>(i)];
    const auto found = std::ranges::lower_bound(reference.pixels, point.pixel, {}, &LabelledPixel::pixel);
    const auto pixel = static_cast<std::size_t>(found - reference.pixels.begin());
    units.push_back({point.stratum, point.cluster, comparison.match.row_of(*found), comparison.columns[pixel], pixel});
  }
  return units;
}

void check_enough(const DrawnSample& sample, const std::vector<DrawnStratum>& drawn,
                  const std::vector<LabelledUnit>& units) {
  if (sample.design == SamplingDesign::clusters) {
    const std::int64_t clusters = units.empty() ? 0 : units.back().cluster;
    if (clusters < 2) {
      throw DataError(sample.file + " has " + std::to_string(clusters) +
                      " completely labelled clusters; two are the least that show a variance");
    }
    return;
  }
  for (std::size_t h = 0; h < drawn.size(); ++h) {
    const std::int64_t least = std::min<std::int64_t>(2, drawn[h].points);
    const auto labelled = std::ranges::count(units, static_cast<Index>(h), &LabelledUnit::stratum);
    if (labelled < least) {
      throw DataError(sample.file + " has " + std::to_string(labelled) + " labelled points in stratum '" +
                      sample.strata[h] + "'; " + std::to_string(least) +
                      " are the least that show a variance, and come first in the order of the sample");
    }
  }
}

void check_population(const DrawnSample& sample, const std::vector<DrawnStratum>& drawn, std::int64_t mapped) {
  const double pixels = std::round(total(drawn, &DrawnStratum::pixels));
  if (sample.design != SamplingDesign::systematic && static_cast<double>(mapped) > pixels) {
    throw DataError("the strata of " + sample.file + " have " + std::to_string(std::llround(pixels)) +
                    " pixels by its inclusion probabilities, and the map classifies " + std::to_string(mapped) +
                    ": points without a label were removed, or it was drawn from another map");
  }
}

double shown_error(double standard_error, const Interval& interval) {
  return standard_error > 0 ? standard_error : (interval.high - interval.low) / 2 / normal_quantile();
}

std::int64_t points_for(double aim, double error, double labelled, double pixels) {
  const double now = 1 / labelled - 1 / pixels;
  const double then = std::pow(aim / std::max(error, 1e-300), 2) * now + 1 / pixels;
  return static_cast<std::int64_t>(std::ceil(std::min(1 / then, pixels) - 1e-9));
}

}  // namespace parsimap
