#include "parsimap/validation/prediction_sets.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace parsimap {

constexpr double kRounding = 1e-9;  // of sums of n parts of 1/n

Index OwnProbabilities::unit_count() const {
  return units.empty() ? 0 : *std::max_element(units.begin(), units.end()) + 1;
}

std::vector<OwnProbabilities> own_probabilities(const Matrix& scores, double slope, const std::vector<int>& labels,
                                                const std::vector<SampleUnit>& units,
                                                const std::vector<bool>& by_region) {
  std::vector<std::vector<std::pair<double, Index>>> found(by_region.size());
  std::vector<std::map<SampleUnit, Index>> numbers(by_region.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row = scores.row(static_cast<Index>(i));
    const auto c = static_cast<std::size_t>(labels[i]);
    if (std::isfinite(row(labels[i]))) {
      const SampleUnit unit = by_region[c] ? units[i] : SampleUnit{};
      const Index number = numbers[c].emplace(unit, std::ssize(numbers[c])).first->second;
      found[c].emplace_back(1 / (slope * (row.array() - row(labels[i]))).exp().sum(), number);
    }
  }
  std::vector<OwnProbabilities> classes;
  for (auto& samples : found) {
    std::sort(samples.begin(), samples.end(), std::greater<>());
    OwnProbabilities own{Vector(std::ssize(samples)), {}};
    for (const auto& [probability, unit] : samples) {
      own.probabilities(std::ssize(own.units)) = probability;
      own.units.push_back(unit);
    }
    classes.push_back(std::move(own));
  }
  return classes;
}

// m x n: which share of the samples of each unit is among the first ones, up to each.
static Matrix reached_shares(const OwnProbabilities& of_class) {
  Matrix shares = Matrix::Zero(of_class.probabilities.size(), of_class.unit_count());
  for (Index i = 0; i < shares.rows(); ++i) {
    shares(i, of_class.units[static_cast<std::size_t>(i)]) = 1;
  }
  shares = (shares.array().rowwise() / shares.array().colwise().sum()).eval();
  for (Index i = 1; i < shares.rows(); ++i) {
    shares.row(i) += shares.row(i - 1);
  }
  return shares;
}

double set_threshold(const OwnProbabilities& of_class, double level) {
  const auto units = static_cast<double>(of_class.unit_count());
  if (units == 0 || units < (units + 1) * (level - kRounding)) {
    return 0;
  }
  // Whatever the distribution, samples of the n units with a share L of n + 1 units reach the threshold of hierarchical
  // conformal prediction. Sets are too large by it, up to 1/(n+1), unless the samples of each unit are all alike.
  const Matrix shares = reached_shares(of_class);
  const Vector sums = shares.rowwise().sum();
  // The first sample up to which a sum, which grows, reaches a level, or the last one.
  const Indices samples = consecutive(sums.size() - 1);
  const auto first_reaching = [&](double reached, const auto& sum) {
    const auto below = [&](Index i) { return sum(i) < reached - kRounding; };
    return std::ranges::partition_point(samples, below) - samples.begin();
  };
  const auto threshold = [&](double sum) {
    return of_class.probabilities(first_reaching(sum, [&](Index i) { return sums(i); }));
  };
  const double guaranteed = threshold(level * (units + 1));
  // A threshold is tried at every unit by that of the others. Where the shares that reach it vary between units as much
  // as if samples were alike (r = 1), a larger mean share is asked for.
  constexpr int kSteps = 50;  // from the level to 1, and as many below
  for (int step = -kSteps; step <= kSteps; ++step) {
    const double tried = level + (1 - level) * step / kSteps;
    Eigen::ArrayXd reached(shares.cols());
    for (Index unit = 0; unit < shares.cols(); ++unit) {
      const auto of_others = [&](Index i) { return sums(i) - shares(i, unit); };
      reached(unit) = shares(first_reaching(tried * (units - 1), of_others), unit);
    }
    const double mean = reached.mean();
    const double alike = mean > 0 && mean < 1 ? (reached - mean).square().mean() / (mean * (1 - mean)) : 1;
    if (mean >= level * (1 + alike / units) - kRounding) {
      return std::max(guaranteed, threshold(tried * units));
    }
  }
  return guaranteed;
}

}  // namespace parsimap
