#include "parsimap/accuracy/accuracy_intervals.hpp"

#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/hypergeometric.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>

namespace parsimap {
namespace {

// Sums over the regions of what an estimate is a mean or ratio of, and what they say about its error.
struct RegionSums {
  std::int64_t regions = 0;  // with pixels that the estimate counts
  double jackknife = 0;      // sum over regions of their squared deviations, each divided by 1 - h_i
  double second = 0;         // sum over regions of h_i^2
  double fourth = 0;         // sum over regions of h_i^4

  // `deviation` is y_i - p x_i over x, `weight` is h_i = x_i / x: without this region the estimate differs by
  // deviation / (1 - h_i).
  void add(double deviation, double weight) {
    if (weight > 0) {
      ++regions;
      jackknife += weight < 1 ? std::pow(deviation / (1 - weight), 2) : 0;
      second += std::pow(weight, 2);
      fourth += std::pow(weight, 4);
    }
  }
  // The number of equally large regions whose mean varies as much as one of these.
  [[nodiscard]] double effective() const { return 1 / second; }
  // At least two regions.
  [[nodiscard]] double variance() const {
    return static_cast<double>(regions - 1) / static_cast<double>(regions) * jackknife;
  }
  // Student's t with the degrees of freedom of Satterthwaite: the variance is a sum of squares whose expectations are
  // proportional to h_i^2, because deviations of whole regions grow with their sizes.
  [[nodiscard]] double quantile() const {
    return student_quantile(std::clamp(second * second / fourth, 1.0, static_cast<double>(regions - 1)));
  }
};

// A share y/x with what the regions say about it.
struct Share {
  double part = 0;
  double whole = 0;
  RegionSums sums = {};

  [[nodiscard]] double value() const { return part / whole; }
  [[nodiscard]] bool varies() const { return part > 0 && part < whole; }
  void add_region(double y, double x) {
    if (x > 0) {
      sums.add((y - value() * x) / whole, x / whole);
    }
  }
};

struct ClassShares {
  Share producers;
  Share users;
  Share jaccard;
};

struct Shares {
  Share overall;
  std::vector<ClassShares> classes;
};

Shares shares_of(const CountMatrix& counts) {
  Shares shares;
  shares.overall = {static_cast<double>(counts.trace()), static_cast<double>(counts.sum())};
  for (Index c = 0; c < counts.rows(); ++c) {
    const auto right = static_cast<double>(counts(c, c));
    const auto reference = static_cast<double>(counts.row(c).sum());
    const auto map = static_cast<double>(counts.col(c).sum());
    // Producer's and user's accuracy, and J of which F1 is a function, as part and whole.
    shares.classes.push_back({{right, reference}, {right, map}, {right, reference + map - right}});
  }
  return shares;
}

// How much one pixel moves kappa, but for a constant: its derivative by the pixel's share.
Matrix kappa_influence(const CountMatrix& counts) {
  const Matrix shares = counts.cast<double>() / static_cast<double>(counts.sum());
  const Vector reference = shares.rowwise().sum();
  const Vector map = shares.colwise().sum();
  // With p_o = sum p_cc and p_e = sum p_c+ p_+c, kappa = (p_o - p_e) / (1 - p_e). Its derivative by p_rc is [r = c]
  // / (1 - p_e) - (1 - p_o) / (1 - p_e)^2 (p_+r + p_c+), with its mean taken away (delta method).
  const double expected = reference.dot(map);
  const double slope = (1 - shares.trace()) / std::pow(1 - expected, 2);
  Matrix influence(counts.rows(), counts.cols());
  for (Index r = 0; r < counts.rows(); ++r) {
    for (Index c = 0; c < counts.cols(); ++c) {
      influence(r, c) = (r == c ? 1 / (1 - expected) : 0) - slope * (map(r) + reference(c));
    }
  }
  return influence.array() - influence.cwiseProduct(shares).sum();
}

double effective_pixels(const Share& share) {
  if (share.sums.regions < 2) {
    return 1;
  }
  // The effective number of pixels m = p (1 - p) / v: as many independent pixels would give a share the variance v that
  // the regions show by the jackknife. The factor (z/t)^2 accounts for the error of a variance that is estimated from
  // few regions (Korn and Graubard 1998).
  const double loss = std::pow(normal_quantile() / share.sums.quantile(), 2);
  const double effective = share.value() * (1 - share.value()) / share.sums.variance() * loss;
  return std::clamp(effective, 1.0, share.whole);
}

// The number of pixels in Wilson's interval of a share: all of them if pixels are independent, and the effective number
// with regions. The regions show no variance of a share of 0 or 1: the ratio of effective to counted pixels of the
// overall accuracy is used for it, but at least one pixel per effective region.
class Trials {
 public:
  Trials() = default;  // all of them
  explicit Trials(const Share& overall)
      : kept_(overall.varies() ? effective_pixels(overall) / overall.whole : 0), by_region_(true) {}

  [[nodiscard]] double operator()(const Share& share) const {
    if (!by_region_) {
      return share.whole;
    }
    return share.varies() ? effective_pixels(share) : std::max(share.sums.effective(), kept_ * share.whole);
  }
  [[nodiscard]] std::optional<double> regions(const Share& share) const {
    return by_region_ ? std::optional(share.sums.effective()) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::int64_t> counted_regions(const Share& share) const {
    return by_region_ ? std::optional(share.sums.regions) : std::nullopt;
  }

 private:
  double kept_ = 1;
  bool by_region_ = false;
};

std::optional<Interval> share_interval(const Share& share, const Trials& trials) {
  if (!(share.whole > 0)) {
    return std::nullopt;
  }
  Interval interval = wilson_interval(share.value(), trials(share));
  interval.regions = trials.regions(share);
  return interval;
}

std::optional<Interval> f1_interval(const Share& jaccard, const Trials& trials) {
  // F1 = 2 J/(1 + J) increases with J = n_cc / (n_c+ + n_+c - n_cc), which is a share of pixels and therefore has an
  // interval of Wilson; its ends are transformed.
  const auto interval = share_interval(jaccard, trials);
  const auto f1 = [](double value) { return 2 * value / (1 + value); };
  return interval ? std::optional(Interval{f1(interval->low), f1(interval->high), interval->regions}) : std::nullopt;
}

std::optional<Interval> average_interval(const Shares& shares, const std::vector<ClassIntervals>& classes) {
  double sum = 0;
  double below = 0;
  double above = 0;
  int defined = 0;
  std::optional<double> regions;
  // Half widths of independent intervals add up in squares, on each side by itself (Zou and Donner, 2008).
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (const auto& interval = classes[c].producers_accuracy) {
      const double accuracy = shares.classes[c].producers.value();
      sum += accuracy;
      below += std::pow(accuracy - interval->low, 2);
      above += std::pow(interval->high - accuracy, 2);
      regions = defined == 0 ? interval->regions : std::min(regions, interval->regions);
      ++defined;
    }
  }
  return defined == 0
             ? std::nullopt
             : std::optional(Interval{(sum - std::sqrt(below)) / defined, (sum + std::sqrt(above)) / defined, regions});
}

AccuracyIntervals intervals_of(const Shares& shares, const Trials& trials) {
  AccuracyIntervals intervals;
  intervals.overall_accuracy = share_interval(shares.overall, trials);
  for (const ClassShares& entry : shares.classes) {
    intervals.classes.push_back({trials.counted_regions(entry.producers), share_interval(entry.producers, trials),
                                 share_interval(entry.users, trials), f1_interval(entry.jaccard, trials)});
  }
  intervals.average_accuracy = average_interval(shares, intervals.classes);
  return intervals;
}

// `variance` is that of kappa. Without any disagreement it is 0 except for rounding errors, and there is no interval.
bool has_interval(std::optional<double> kappa, double variance) { return kappa && *kappa < 1 && variance > 1e-24; }

// Kappa of few regions is as skewed as the overall accuracy p_o, of which it is a linear function where the agreement
// p_e expected by chance is given: 1 - kappa = (1 - p_o) / (1 - p_e). The effective number of pixels follows from
// kappa's variance, and the ends of Wilson's interval of p_o are transformed.
std::optional<Interval> kappa_interval(const ConfusionMatrix& confusion, const RegionSums& sums) {
  const auto kappa = confusion.kappa();
  const double accuracy = confusion.overall_accuracy().value_or(0);
  if (sums.regions < 2 || !(accuracy > 0) || !has_interval(kappa, sums.variance())) {
    return std::nullopt;
  }
  const double unexpected = (1 - accuracy) / (1 - *kappa);  // 1 - p_e
  const double error = std::sqrt(sums.variance()) * unexpected * sums.quantile() / normal_quantile();
  const double pixels = std::max(1.0, accuracy * (1 - accuracy) / (error * error));
  const Interval right = wilson_interval(accuracy, pixels);
  const auto transformed = [&](double value) { return std::max(-1.0, 1 - (1 - value) / unexpected); };
  return Interval{transformed(right.low), transformed(right.high), sums.effective()};
}

// Sums of one region, added to `shares`; returns the region's total influence on kappa.
double add_region(const CountMatrix& counts, const Matrix& influence, Shares& shares) {
  const Shares region = shares_of(counts);
  shares.overall.add_region(region.overall.part, region.overall.whole);
  for (std::size_t c = 0; c < shares.classes.size(); ++c) {
    const ClassShares& part = region.classes[c];
    shares.classes[c].producers.add_region(part.producers.part, part.producers.whole);
    shares.classes[c].users.add_region(part.users.part, part.users.whole);
    shares.classes[c].jaccard.add_region(part.jaccard.part, part.jaccard.whole);
  }
  return influence.cwiseProduct(counts.cast<double>()).sum();
}

}  // namespace

double normal_quantile() {
  static const double quantile = boost::math::quantile(boost::math::normal(), (1 + kConfidence) / 2);
  return quantile;
}

double student_quantile(double degrees_of_freedom, double confidence) {
  return boost::math::quantile(boost::math::students_t(degrees_of_freedom), (1 + confidence) / 2);
}

Interval wilson_interval(double share, double trials) {
  const double z = normal_quantile();
  // Wilson's interval (1927): the shares p_0 for which the observed share lies within z standard errors
  // sqrt(p_0 (1 - p_0) / m) of p_0. Unlike the normal approximation it stays within 0 and 1, and has a length for
  // shares of 0 and 1.
  const double penalty = z * z / trials;
  const double centre = (share + penalty / 2) / (1 + penalty);
  const double half_width = z / (1 + penalty) * std::sqrt(share * (1 - share) / trials + penalty / (4 * trials));
  // The share itself lies within, rounding or not.
  return {std::clamp(centre - half_width, 0.0, share), std::clamp(centre + half_width, share, 1.0)};
}

// The least number of successes in the population for which `successes` or more in the sample are likely enough: by
// halving, since their probability rises with that number.
static std::int64_t least_successes(std::int64_t successes, std::int64_t trials, std::int64_t population) {
  if (successes == 0) {
    return 0;
  }
  std::int64_t rejected = successes - 1;
  std::int64_t likely = population - (trials - successes);
  while (likely - rejected > 1) {
    const std::int64_t middle = rejected + (likely - rejected) / 2;
    const boost::math::hypergeometric_distribution<> drawn(static_cast<unsigned>(middle), static_cast<unsigned>(trials),
                                                           static_cast<unsigned>(population));
    const std::int64_t smallest = std::max<std::int64_t>(0, trials - (population - middle));
    const double chance =
        successes - 1 < smallest ? 1 : boost::math::cdf(complement(drawn, static_cast<double>(successes - 1)));
    (chance > (1 - kConfidence) / 2 ? likely : rejected) = middle;
  }
  return likely;
}

Interval exact_interval(std::int64_t successes, std::int64_t trials, std::optional<std::int64_t> population) {
  constexpr std::int64_t kMostPixels = 10000;
  if (population && *population <= kMostPixels) {
    const auto all = static_cast<double>(*population);
    return {static_cast<double>(least_successes(successes, trials, *population)) / all,
            1 - static_cast<double>(least_successes(trials - successes, trials, *population)) / all};
  }
  return binomial_interval(static_cast<double>(successes), static_cast<double>(trials));
}

Interval binomial_interval(double successes, double trials, double confidence) {
  using boost::math::binomial_distribution;
  const double tail = (1 - confidence) / 2;
  return {successes <= 0 ? 0 : binomial_distribution<>::find_lower_bound_on_p(trials, successes, tail),
          successes >= trials ? 1 : binomial_distribution<>::find_upper_bound_on_p(trials, successes, tail)};
}

Interval normal_interval(double estimate, double standard_error, double least, double most) {
  const double half_width = normal_quantile() * standard_error;
  return {std::max(least, estimate - half_width), std::min(most, estimate + half_width)};
}

AccuracyIntervals pixel_intervals(const ConfusionMatrix& confusion) {
  AccuracyIntervals intervals = intervals_of(shares_of(confusion.counts()), Trials());
  if (confusion.kappa()) {
    const auto total = static_cast<double>(confusion.pixels());
    // The variance of kappa for independent pixels is the mean square of their influences, divided by their number
    // (Fleiss, Cohen and Everitt 1969).
    const Matrix squares = kappa_influence(confusion.counts()).array().square();
    const double variance = squares.cwiseProduct(confusion.counts().cast<double>()).sum() / (total * total);
    if (has_interval(confusion.kappa(), variance)) {
      intervals.kappa = normal_interval(*confusion.kappa(), std::sqrt(variance), -1, 1);
    }
  }
  return intervals;
}

AccuracyIntervals region_intervals(const ConfusionMatrix& confusion, std::vector<ComparedPixel> pixels) {
  std::ranges::sort(pixels, {}, &ComparedPixel::region);
  // If no region has two pixels, pixels count as independent.
  if (std::ranges::adjacent_find(pixels, {}, &ComparedPixel::region) == pixels.end()) {
    return pixel_intervals(confusion);
  }
  Shares shares = shares_of(confusion.counts());
  const bool has_kappa = confusion.kappa().has_value();
  const Index size = confusion.size();
  const Matrix influence = has_kappa ? kappa_influence(confusion.counts()) : Matrix::Zero(size, size);
  RegionSums kappa;
  const auto total = static_cast<double>(confusion.pixels());
  CountMatrix counts(size, size);
  for (auto first = pixels.begin(); first != pixels.end();) {
    counts.setZero();
    auto next = first;
    for (; next != pixels.end() && next->region == first->region; ++next) {
      ++counts(next->reference, next->map);
    }
    // The linear part of kappa's error is the sum of the influences of all pixels, of which those of one region are
    // added before they are squared.
    kappa.add(add_region(counts, influence, shares) / total, static_cast<double>(next - first) / total);
    first = next;
  }
  AccuracyIntervals intervals = intervals_of(shares, Trials(shares.overall));
  intervals.regions = kappa.regions;
  if (has_kappa) {
    intervals.kappa = kappa_interval(confusion, kappa);
  }
  return intervals;
}

}  // namespace parsimap
