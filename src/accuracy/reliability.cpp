#include "parsimap/accuracy/reliability.hpp"

#include <algorithm>
#include <cmath>

namespace parsimap {

void Reliability::add(double confidence, bool right) {
  const int bin = std::clamp(static_cast<int>(confidence * kBins), 0, kBins - 1);
  Sum& sum = sums_[static_cast<std::size_t>(bin)];
  ++sum.pixels;
  sum.right += right ? 1 : 0;
  sum.confidence += confidence;
}

std::vector<ReliabilityBin> Reliability::bins() const {
  std::vector<ReliabilityBin> bins;
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
  for (const ReliabilityBin& bin : bins()) {
    error += static_cast<double>(bin.pixels) * std::abs(bin.accuracy - bin.confidence);
    pixels += bin.pixels;
  }
  return pixels == 0 ? std::nullopt : std::optional(error / static_cast<double>(pixels));
}

}  // namespace parsimap
