// Whether probabilities are right: how often pixels of about the same largest probability are classified right (a
// reliability diagram; Murphy and Winkler 1977), and the expected calibration error that sums it up.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace parsimap {

// One of equal bins of [0, 1].
struct ReliabilityBin {
  double low = 0;
  double high = 0;
  std::int64_t pixels = 0;
  double confidence = 0;  // mean of the largest probabilities; 0 without pixels
  double accuracy = 0;    // share classified right; 0 without pixels
};

class Reliability {
 public:
  // `confidence` in [0, 1] is the largest probability of a pixel; `right`: its class is that of the reference.
  void add(double confidence, bool right);

  [[nodiscard]] std::vector<ReliabilityBin> bins() const;
  // The mean over the pixels of |accuracy - confidence| of their bins; unset without pixels.
  [[nodiscard]] std::optional<double> expected_calibration_error() const;

 private:
  struct Sum {
    std::int64_t pixels = 0;
    std::int64_t right = 0;
    double confidence = 0;
  };

  static constexpr int kBins = 20;

  std::vector<Sum> sums_ = std::vector<Sum>(kBins);
};

}  // namespace parsimap
