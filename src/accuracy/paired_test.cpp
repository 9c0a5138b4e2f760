#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "parsimap/accuracy/comparison.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

namespace parsimap {
namespace {

// Regions with the same numbers of pixels and of differences are interchangeable in a draw, and are drawn as one kind:
// independent pixels, however many, are of three kinds.
struct Kind {
  double pixels = 0;
  double difference = 0;
  std::int64_t regions = 0;
};

std::vector<Kind> kinds_of(const std::vector<RegionDifference>& regions) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> counts;
  for (const RegionDifference& region : regions) {
    ++counts[{region.pixels, region.difference}];
  }
  std::vector<Kind> kinds;
  for (const auto& [key, count] : counts) {
    kinds.push_back({static_cast<double>(key.first), static_cast<double>(key.second), count});
  }
  return kinds;
}

// One draw of G regions with replacement. The numbers of regions of the kinds have a multinomial distribution, which is
// drawn as one binomial number after the other.
double drawn_difference(const std::vector<Kind>& kinds, std::int64_t regions, Random& random) {
  // Of n draws among G regions, the number that fall on the first kind is binomial with the share of that kind; what
  // is left is distributed among the other kinds in the same way.
  double pixels = 0;
  double difference = 0;
  std::int64_t to_draw = regions;
  std::int64_t kinds_left = regions;
  for (const Kind& kind : kinds) {
    const double chance = static_cast<double>(kind.regions) / static_cast<double>(kinds_left);
    const auto drawn = static_cast<double>(random.binomial(to_draw, chance));
    pixels += drawn * kind.pixels;
    difference += drawn * kind.difference;
    to_draw -= static_cast<std::int64_t>(drawn);
    kinds_left -= kind.regions;
  }
  return difference / pixels;
}

double difference_of(const std::vector<RegionDifference>& regions) {
  double pixels = 0;
  double difference = 0;
  for (const RegionDifference& region : regions) {
    pixels += static_cast<double>(region.pixels);
    difference += static_cast<double>(region.difference);
  }
  return difference / pixels;
}

// The factor t/z sqrt(G/(G - 1)) by which the percentiles of few regions are too close to the estimate (Hesterberg
// 2015); it approaches 1 for many regions.
double small_sample_factor(std::size_t regions) {
  const auto count = static_cast<double>(regions);
  return student_quantile(count - 1) / normal_quantile() * std::sqrt(count / (count - 1));
}

}  // namespace

McNemarTest mcnemar_test(const PairedCounts& counts) {
  constexpr std::int64_t least_for_chi_square = 25;
  const auto discordant = static_cast<double>(counts.discordant());
  if (counts.discordant() < least_for_chi_square) {
    // Under the hypothesis of equal accuracy each discordant pixel is a fair coin. The probability of as uneven a
    // result or more so, on both sides, is twice that of the smaller count or less.
    const std::int64_t fewer = std::min(counts.first_only, counts.second_only);
    double ways = 1;  // to choose k of the discordant pixels
    double sum = 1;
    for (std::int64_t k = 1; k <= fewer; ++k) {
      ways *= (discordant - static_cast<double>(k) + 1) / static_cast<double>(k);
      sum += ways;
    }
    return {true, 0, std::min(1.0, 2 * std::ldexp(sum, -static_cast<int>(counts.discordant())))};
  }
  // Edwards' correction takes one off the difference, since counts are whole numbers and chi-square is not. With one
  // degree of freedom chi-square is the square of a standard normal variable.
  const auto difference = std::abs(static_cast<double>(counts.first_only - counts.second_only));
  const double statistic = std::pow(std::max(0.0, difference - 1), 2) / discordant;
  return {false, statistic, std::erfc(std::sqrt(statistic / 2))};
}

// The percentiles of the replicates about the estimate, widened as the header says.
std::optional<Interval> bootstrap_difference(const std::vector<RegionDifference>& regions, std::uint64_t seed) {
  const std::vector<Kind> kinds = kinds_of(regions);
  Random random(seed);
  std::vector<double> differences(kBootstrapReplicates);
  for (double& difference : differences) {
    difference = drawn_difference(kinds, static_cast<std::int64_t>(regions.size()), random);
  }
  std::sort(differences.begin(), differences.end());
  // With 1999 replicates the 2.5th percentile is the 50th smallest.
  const auto rank = static_cast<std::size_t>(std::lround((kBootstrapReplicates + 1) * (1 - kConfidence) / 2));
  if (differences.front() == differences.back()) {
    return std::nullopt;
  }
  const double estimate = difference_of(regions);
  // Both ends keep their side of the estimate: their distances from it are multiplied by the factor, so that a skew
  // distribution keeps its skew interval.
  const double factor = small_sample_factor(regions.size());
  const auto stretched = [&](double end) { return std::clamp(estimate + factor * (end - estimate), -1.0, 1.0); };
  return Interval{stretched(differences[rank - 1]), stretched(differences[differences.size() - rank])};
}

namespace {

std::int64_t& count_of(PairedCounts& counts, bool first_right, bool second_right) {
  if (first_right) {
    return second_right ? counts.both_right : counts.first_only;
  }
  return second_right ? counts.second_only : counts.both_wrong;
}

// Independent pixels are regions of one pixel each.
std::vector<RegionDifference> pixel_differences(const PairedCounts& counts) {
  std::vector<RegionDifference> pixels(static_cast<std::size_t>(counts.pixels()), {1, 0});
  const auto better = pixels.begin() + counts.first_only;
  std::fill(pixels.begin(), better, RegionDifference{1, 1});
  std::fill(better, better + counts.second_only, RegionDifference{1, -1});
  return pixels;
}

}  // namespace

MapComparison compare_maps(const ClassMapSource& first, const Comparison& comparison, ClassMapSource& second,
                           const LabelledPixels& reference, const std::string& reference_name) {
  const ClassMatch second_match = match_classes(second, reference, reference_name);
  const Indices column_of = index_of_codes(second.classes());
  const std::vector<std::uint16_t> codes = codes_at(second, reference.pixels);
  MapComparison result;
  result.map = second.name();
  std::map<std::int64_t, RegionDifference> regions;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const LabelledPixel& pixel = reference.pixels[i];
    const Index first_column = comparison.columns[i];
    const Index second_column = column_of[codes[i]];
    if (first_column < 0 || second_column < 0) {
      ++result.unclassified_pixels;
      continue;
    }
    const bool first_right = first_column == comparison.match.row_of(pixel);
    const bool second_right = second_column == second_match.row_of(pixel);
    ++count_of(result.counts, first_right, second_right);
    // A region counts by how many more of its pixels the first map has right.
    RegionDifference& region = regions[pixel.region];
    ++region.pixels;
    region.difference += static_cast<int>(first_right) - static_cast<int>(second_right);
  }
  if (result.counts.pixels() == 0) {
    throw DataError(first.name() + " and " + second.name() +
                    " have no reference pixel that both classify; there is nothing to compare");
  }
  result.test = mcnemar_test(result.counts);
  std::vector<RegionDifference> drawn;
  if (reference.has_regions) {
    result.regions = static_cast<std::int64_t>(regions.size());
    for (const auto& [region, difference] : regions) {
      drawn.push_back(difference);
    }
  } else {
    drawn = pixel_differences(result.counts);
  }
  result.difference = bootstrap_difference(drawn, 0);
  return result;
}

}  // namespace parsimap
