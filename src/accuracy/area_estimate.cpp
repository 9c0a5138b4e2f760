#include "parsimap/accuracy/area_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

// What y and x are for a sample unit, by its reference and map class: 0 or 1.
using Indicator = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic>;

class Estimator {
 public:
  Estimator(std::vector<Stratum> strata, bool finite_population)
      : strata_(std::move(strata)), finite_population_(finite_population) {
    for (const Stratum& stratum : strata_) {
      pixels_ += static_cast<double>(stratum.pixels());
    }
  }

  [[nodiscard]] double total(const Indicator& y) const {
    double sum = 0;
    for (const Stratum& stratum : strata_) {
      sum += static_cast<double>(stratum.pixels()) * mean(stratum, y);
    }
    return sum;
  }

  [[nodiscard]] Estimate share(const Indicator& y) const {
    return with_interval(total(y) / pixels_, std::sqrt(variance(y, Indicator::Ones(y.rows(), y.cols()))) / pixels_);
  }

  // Nothing where no unit has x.
  [[nodiscard]] std::optional<Estimate> ratio(const Indicator& y, const Indicator& x) const {
    const double whole = total(x);
    if (!(whole > 0)) {
      return std::nullopt;
    }
    const double value = total(y) / whole;
    return with_interval(value, std::sqrt(variance(y - value * x, x)) / whole);
  }

 private:
  static double mean(const Stratum& stratum, const Indicator& y) {
    return (y * stratum.units.cast<double>().array()).sum() / static_cast<double>(stratum.sample_size());
  }

  // The variance of the total of `values`, which are 0 where `domain` is.
  [[nodiscard]] double variance(const Indicator& values, const Indicator& domain) const {
    double sum = 0;
    for (const Stratum& stratum : strata_) {
      const auto pixels = static_cast<double>(stratum.pixels());
      const auto units = static_cast<double>(stratum.sample_size());
      const double sampled = finite_population_ ? units / pixels : 0;
      sum += pixels * pixels * (1 - sampled) * unit_variance(stratum, values, domain) / units;
    }
    return sum;
  }

  static double unit_variance(const Stratum& stratum, const Indicator& values, const Indicator& domain) {
    const auto units = static_cast<double>(stratum.sample_size());
    if (stratum.sample_size() > 1) {
      const double centre = mean(stratum, values);
      return mean(stratum, (values - centre).square()) * units / (units - 1);
    }
    // The map tells where a class of its own cannot be.
    const auto possible = domain.colwise().maxCoeff().transpose() * stratum.map_pixels.cast<double>().array();
    constexpr double largest_variance = 0.25;
    return possible.sum() > 0 ? largest_variance : 0;
  }

  static Estimate with_interval(double value, double standard_error) {
    // Rounding leaves next to nothing where all units agree.
    constexpr double none = 1e-12;
    if (standard_error < none) {
      return {value, 0, std::nullopt};
    }
    return {value, standard_error, normal_interval(value, standard_error, 0, 1)};
  }

  std::vector<Stratum> strata_;
  bool finite_population_;
  double pixels_ = 0;
};

std::vector<Stratum> usable(const std::vector<Stratum>& strata) {
  std::vector<Stratum> kept;
  for (const Stratum& stratum : strata) {
    if (stratum.pixels() > 0 && stratum.sample_size() == 0) {
      throw DataError("stratum '" + stratum.name + "' has " + std::to_string(stratum.pixels()) +
                      " pixels and no sample unit; a stratified sample has some in every stratum");
    }
    if (stratum.pixels() > 0) {
      kept.push_back(stratum);
    }
  }
  if (kept.empty()) {
    throw DataError("there are no pixels to estimate areas of");
  }
  return kept;
}

CountVector map_pixels(const std::vector<Stratum>& strata) {
  CountVector pixels = CountVector::Zero(strata.front().map_pixels.size());
  for (const Stratum& stratum : strata) {
    pixels += stratum.map_pixels;
  }
  return pixels;
}

Stratum united(const Stratum& first, const Stratum& second) {
  return {first.name + " + " + second.name, first.map_pixels + second.map_pixels, first.units + second.units};
}

}  // namespace

AreaEstimate estimate_areas(const std::vector<Stratum>& strata, bool finite_population) {
  const std::vector<Stratum> kept = usable(strata);
  const CountVector mapped = map_pixels(kept);
  const Index classes = mapped.size();
  const Estimator estimator(kept, finite_population);
  const Indicator none = Indicator::Zero(classes, classes);
  AreaEstimate estimate;
  estimate.pixels = mapped.sum();
  estimate.overall_accuracy = estimator.share(Matrix::Identity(classes, classes).array());
  estimate.shares = Matrix::Zero(classes, classes);
  for (Index r = 0; r < classes; ++r) {
    Indicator both = none;
    Indicator in_reference = none;
    Indicator in_map = none;
    both(r, r) = 1;
    in_reference.row(r) = 1;
    in_map.col(r) = 1;
    estimate.classes.push_back({static_cast<double>(mapped(r)) / static_cast<double>(estimate.pixels),
                                estimator.share(in_reference), estimator.ratio(both, in_reference),
                                estimator.ratio(both, in_map)});
    for (Index c = 0; c < classes; ++c) {
      Indicator cell = none;
      cell(r, c) = 1;
      estimate.shares(r, c) = estimator.total(cell) / static_cast<double>(estimate.pixels);
    }
  }
  estimate.disagreement = disagreement(estimate.shares).value();
  for (const Stratum& stratum : kept) {
    if (stratum.sample_size() == 1) {
      estimate.single_unit_strata.push_back(stratum.name);
    }
  }
  return estimate;
}

std::vector<Stratum> merge_small_strata(std::vector<Stratum> strata) {
  std::erase_if(strata, [](const Stratum& stratum) { return stratum.pixels() == 0; });
  const std::int64_t units = std::accumulate(strata.begin(), strata.end(), std::int64_t{0},
                                             [](std::int64_t sum, const Stratum& s) { return sum + s.sample_size(); });
  if (units < 2) {
    throw DataError("areas cannot be estimated from " + std::to_string(units) + " sample units; two are the least");
  }
  while (true) {
    std::vector<std::size_t> order(strata.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return strata[a].sample_size() < strata[b].sample_size(); });
    if (strata[order[0]].sample_size() >= 2) {
      return strata;
    }
    const auto [left, right] = std::minmax(order[0], order[1]);
    strata[left] = united(strata[left], strata[right]);
    strata.erase(strata.begin() + static_cast<std::ptrdiff_t>(right));
  }
}

}  // namespace parsimap
