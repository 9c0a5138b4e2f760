#include "parsimap/accuracy/sequential_interval.hpp"

#include <algorithm>
#include <cmath>

namespace parsimap {
namespace {

// What is known of a stratum before the next unit.
struct Seen {
  double units = 0;
  double sum = 0;
  double squares = 0.05;  // of deviations from the mean before, and one that stands for values not seen

  [[nodiscard]] double mean() const { return (sum + 0.5) / (units + 1); }
  [[nodiscard]] double variance() const { return squares / (units + 1); }
  void add(double value) {
    squares += std::pow(value - mean(), 2);
    sum += value;
    ++units;
  }
};

// One bet: an observation whose expectation, given all before it, is the mean; the least and largest values that it
// could have had; and the stake that would win most quickly.
struct Bet {
  double observed = 0;
  double least = 0;
  double most = 0;
  double stake = 0;
};

class Bets {
 public:
  explicit Bets(const std::vector<SequentialStratum>& strata) : strata_(strata), seen_(strata.size()) {
    pixels_ = total(strata, &SequentialStratum::pixels);
    planned_ = total(strata, &SequentialStratum::planned);
  }

  // False where nothing can be said any more: a stratum has no unit left, but pixels that were not drawn.
  bool add(const SequentialUnit& unit) {
    if (begun() && !bet(unit)) {
      return false;
    }
    seen_[static_cast<std::size_t>(unit.stratum)].add(unit.value);
    return true;
  }

  [[nodiscard]] const std::vector<Bet>& all() const { return bets_; }

 private:
  // Two units of each stratum make the first estimates.
  [[nodiscard]] bool begun() const {
    for (std::size_t h = 0; h < strata_.size(); ++h) {
      if (seen_[h].units < std::min(2.0, strata_[h].planned)) {
        return false;
      }
    }
    return true;
  }

  // Z = sum_k (s_k + (N_k - n_k) p_k) / N + (N_h - n_h) / (N q_h) (x - p_h) for a value x of stratum h, which comes
  // next with probability q_h, and predictions p_k of the strata. Its expectation is the mean: the first sum is
  // cancelled where the predictions are wrong, and values that were seen count as they are.
  bool bet(const SequentialUnit& unit) {
    const bool single = strata_.size() == 1;
    const double left = planned_ - total(seen_, &Seen::units);
    double base = 0;
    double variance = 0;
    double lowest = 0;
    double highest = 0;
    double step = 0;
    for (std::size_t h = 0; h < strata_.size(); ++h) {
      const Seen& seen = seen_[h];
      const bool replaced = strata_[h].with_replacement;
      const double open = (strata_[h].pixels - (replaced ? 0 : seen.units)) / pixels_;
      base += (replaced ? 0 : seen.sum / pixels_) + open * seen.mean();
      if (open <= 0) {
        continue;
      }
      const double chance = single ? 1 : (strata_[h].planned - seen.units) / left;
      if (!(chance > 0)) {
        return false;
      }
      const double weight = open / chance;
      variance += open * weight * seen.variance();
      lowest = std::max(lowest, weight * seen.mean());
      highest = std::max(highest, weight * (1 - seen.mean()));
      step = static_cast<std::size_t>(unit.stratum) == h ? weight * (unit.value - seen.mean()) : step;
    }
    // The stake that is best for a sample of the planned size.
    const double stake = std::sqrt(2 * std::log(2 / (1 - kConfidence)) / (std::max(planned_, 1.0) * variance));
    bets_.push_back({base + step, base - lowest, base + highest, variance > 0 ? stake : 0});
    return true;
  }

  const std::vector<SequentialStratum>& strata_;
  std::vector<Seen> seen_;
  std::vector<Bet> bets_;
  double pixels_ = 0;
  double planned_ = 0;
};

// Whether the capital of bets that the observations are larger than `mean` (`sign` 1) or smaller (-1) ever reached its
// bound. A bet never risks more than three quarters of the capital.
bool is_refuted(const std::vector<Bet>& bets, double mean, double sign) {
  constexpr double kMostAtRisk = 0.75;
  const double bound = std::log(2 / (1 - kConfidence));
  double capital = 0;
  for (const Bet& bet : bets) {
    const double loss = sign > 0 ? mean - bet.least : bet.most - mean;
    const double stake = loss > 0 ? std::min(bet.stake, kMostAtRisk / loss) : bet.stake;
    capital += std::log1p(stake * sign * (bet.observed - mean));
    if (capital >= bound) {
      return true;
    }
  }
  return false;
}

// The end of the means that are not refuted, by halving: the capital of one side falls with the mean or rises with it.
double end_of(const std::vector<Bet>& bets, double sign) {
  double refuted = sign > 0 ? 0 : 1;
  if (!is_refuted(bets, refuted, sign)) {
    return refuted;
  }
  double open = 1 - refuted;
  constexpr int kHalvings = 40;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (refuted + open) / 2;
    (is_refuted(bets, middle, sign) ? refuted : open) = middle;
  }
  return refuted;
}

}  // namespace

Interval sequential_interval(const std::vector<SequentialStratum>& strata, const std::vector<SequentialUnit>& units) {
  Bets bets(strata);
  const double pixels = total(strata, &SequentialStratum::pixels);
  // Values that were seen are a part of the whole, unless units are drawn again.
  const double seen = strata.front().with_replacement ? 0 : 1;
  double right = 0;
  double wrong = 0;
  bool goes_on = true;
  for (const SequentialUnit& unit : units) {
    goes_on = goes_on && bets.add(unit);
    right += seen * unit.value;
    wrong += seen * (1 - unit.value);
  }
  const double low = std::max(end_of(bets.all(), 1), right / pixels);
  const double high = std::min(end_of(bets.all(), -1), 1 - wrong / pixels);
  return {std::min(low, high), std::max(low, high)};
}

}  // namespace parsimap
