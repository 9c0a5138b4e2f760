#include "parsimap/accuracy/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

std::optional<double> ratio(std::int64_t part, std::int64_t whole) {
  if (whole == 0) {
    return std::nullopt;
  }
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

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

}  // namespace parsimap
