#include "parsimap/accuracy/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "parsimap/accuracy/accuracy_intervals.hpp"
#include "parsimap/accuracy/comparison.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"

namespace parsimap {

static std::optional<double> ratio(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? std::nullopt : std::optional(static_cast<double>(part) / static_cast<double>(whole));
}

ConfusionMatrix::ConfusionMatrix(std::vector<std::string> names)
    : names_(std::move(names)),
      counts_(CountMatrix::Zero(static_cast<Index>(names_.size()), static_cast<Index>(names_.size()))) {}

ConfusionMatrix::ConfusionMatrix(std::vector<std::string> names, CountMatrix counts)
    : names_(std::move(names)), counts_(std::move(counts)) {
  const auto classes = static_cast<Index>(names_.size());
  if (counts_.rows() != classes || counts_.cols() != classes) {
    throw DataError("a confusion matrix of " + std::to_string(classes) + " classes cannot have " +
                    std::to_string(counts_.rows()) + " rows and " + std::to_string(counts_.cols()) + " columns");
  }
  if ((counts_.array() < 0).any()) {
    throw DataError("a confusion matrix cannot hold the negative count " + std::to_string(counts_.minCoeff()));
  }
}

void ConfusionMatrix::add(Index reference, Index map, std::int64_t count) { counts_(reference, map) += count; }

std::optional<double> ConfusionMatrix::overall_accuracy() const { return ratio(counts_.trace(), pixels()); }

std::optional<double> ConfusionMatrix::average_accuracy() const {
  // The mean over classes that the reference has.
  double sum = 0;
  Index defined = 0;
  for (Index c = 0; c < size(); ++c) {
    if (const auto accuracy = class_accuracy(c).producers_accuracy) {
      sum += *accuracy;
      ++defined;
    }
  }
  return defined == 0 ? std::nullopt : std::optional<double>(sum / static_cast<double>(defined));
}

std::optional<double> ConfusionMatrix::kappa() const {
  // kappa = (p_o - p_e) / (1 - p_e) with p_e = sum_c n_c+ n_+c / n^2: the agreement beyond chance, relative to the
  // largest that is possible.
  const std::int64_t total = pixels();
  double expected = 0;
  for (Index c = 0; c < size(); ++c) {
    const ClassAccuracy sums = class_accuracy(c);
    // If reference and map consist of the same single class, p_e = 1 and kappa is undefined. This is checked in whole
    // numbers, because 1 - p_e may not be exactly 0 after rounding.
    if (sums.reference_pixels == total && sums.map_pixels == total) {
      return std::nullopt;
    }
    expected += (static_cast<double>(sums.reference_pixels) / static_cast<double>(total)) *
                (static_cast<double>(sums.map_pixels) / static_cast<double>(total));
  }
  const auto observed = overall_accuracy();
  return observed ? std::optional<double>((*observed - expected) / (1 - expected)) : std::nullopt;
}

ClassAccuracy ConfusionMatrix::class_accuracy(Index index) const {
  // Recall is n_cc / n_c+, precision n_cc / n_+c, and F1 their harmonic mean 2 n_cc / (n_c+ + n_+c).
  const std::int64_t right = counts_(index, index);
  const std::int64_t reference = counts_.row(index).sum();
  const std::int64_t map = counts_.col(index).sum();
  return {reference, map, ratio(right, reference), ratio(right, map), ratio(2 * right, reference + map)};
}

std::optional<Disagreement> disagreement(const Matrix& weights) {
  const double total = weights.sum();
  if (!(total > 0)) {
    return std::nullopt;
  }
  Disagreement result;
  // A pixel in the wrong class is missing from one class and too much in another, so that differences of areas count
  // twice in the sum over classes: hence the half. What remains of the disagreement is allocation,
  // sum_c min(n_c+ - n_cc, n_+c - n_cc) / n (Pontius and Millones 2011).
  for (Index c = 0; c < weights.rows(); ++c) {
    const double reference = weights.row(c).sum();
    const double map = weights.col(c).sum();
    result.quantity += std::abs(reference - map) / 2;
    result.allocation += std::min(reference, map) - weights(c, c);
  }
  return Disagreement{result.quantity / total, result.allocation / total};
}

void Reliability::add(double confidence, bool right) {
  // A confidence of exactly 1 belongs to the last bin.
  const int bin = std::clamp(static_cast<int>(confidence * kBins), 0, kBins - 1);
  Sum& sum = sums_[static_cast<std::size_t>(bin)];
  ++sum.pixels;
  sum.right += right ? 1 : 0;
  sum.confidence += confidence;
}

std::vector<ReliabilityBin> Reliability::bins() const {
  std::vector<ReliabilityBin> bins;
  // Bins without a pixel have confidence and accuracy 0 and do not count in the error.
  for (int i = 0; i < kBins; ++i) {
    const Sum& sum = sums_[static_cast<std::size_t>(i)];
    const auto pixels = static_cast<double>(std::max<std::int64_t>(sum.pixels, 1));
    bins.push_back({static_cast<double>(i) / kBins, static_cast<double>(i + 1) / kBins, sum.pixels,
                    sum.confidence / pixels, static_cast<double>(sum.right) / pixels});
  }
  return bins;
}

std::optional<double> Reliability::expected_calibration_error() const {
  double error = 0;
  std::int64_t pixels = 0;
  // The mean over pixels of the distance between confidence and accuracy of their bins.
  for (const ReliabilityBin& bin : bins()) {
    error += static_cast<double>(bin.pixels) * std::abs(bin.accuracy - bin.confidence);
    pixels += bin.pixels;
  }
  return pixels == 0 ? std::nullopt : std::optional(error / static_cast<double>(pixels));
}

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
  return mapped<Kind>(counts, [](const auto& one) {
    return Kind{static_cast<double>(one.first.first), static_cast<double>(one.first.second), one.second};
  });
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
  const auto pixels = static_cast<double>(total(regions, &RegionDifference::pixels));
  return static_cast<double>(total(regions, &RegionDifference::difference)) / pixels;
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

static std::int64_t& count_of(PairedCounts& counts, bool first_right, bool second_right) {
  if (first_right) {
    return second_right ? counts.both_right : counts.first_only;
  }
  return second_right ? counts.second_only : counts.both_wrong;
}

// Independent pixels are regions of one pixel each.
static std::vector<RegionDifference> pixel_differences(const PairedCounts& counts) {
  std::vector<RegionDifference> pixels(static_cast<std::size_t>(counts.pixels()), {1, 0});
  const auto better = pixels.begin() + counts.first_only;
  std::fill(pixels.begin(), better, RegionDifference{1, 1});
  std::fill(better, better + counts.second_only, RegionDifference{1, -1});
  return pixels;
}

std::vector<std::optional<RightOfPair>> right_of_pairs(const Comparison& comparison, ClassMapSource& second,
                                                       const LabelledPixels& reference,
                                                       const std::string& reference_name) {
  const ClassMatch second_match = match_classes(second, reference, reference_name);
  const Indices column_of = index_of_codes(second.classes());
  const std::vector<std::uint16_t> codes = codes_at(second, reference.pixels);
  std::vector<std::optional<RightOfPair>> right(codes.size());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const Index column = column_of[codes[i]];
    if (comparison.columns[i] >= 0 && column >= 0) {
      const LabelledPixel& pixel = reference.pixels[i];
      right[i] = {comparison.columns[i] == comparison.match.row_of(pixel), column == second_match.row_of(pixel)};
    }
  }
  return right;
}

MapComparison compare_maps(const ClassMapSource& first, const ClassMapSource& second, const LabelledPixels& reference,
                           const std::vector<std::optional<RightOfPair>>& right) {
  MapComparison result;
  result.map = second.name();
  std::map<SampleUnit, RegionDifference> regions;
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (!right[i]) {
      ++result.unclassified_pixels;
      continue;
    }
    ++count_of(result.counts, right[i]->first, right[i]->second);
    // A region counts by how many more of its pixels the first map has right.
    RegionDifference& region = regions[reference.unit_of(reference.pixels[i].region)];
    ++region.pixels;
    region.difference += static_cast<int>(right[i]->first) - static_cast<int>(right[i]->second);
  }
  if (result.counts.pixels() == 0) {
    throw DataError(first.name() + " and " + second.name() +
                    " have no reference pixel that both classify; there is nothing to compare");
  }
  result.test = mcnemar_test(result.counts);
  std::vector<RegionDifference> drawn;
  if (reference.has_regions) {
    result.regions = static_cast<std::int64_t>(regions.size());
    drawn = mapped<RegionDifference>(regions, [](const auto& one) { return one.second; });
  } else {
    drawn = pixel_differences(result.counts);
  }
  result.difference = bootstrap_difference(drawn, 0);
  return result;
}

}  // namespace parsimap
