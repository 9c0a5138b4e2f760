#include "parsimap/accuracy/assessment.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "parsimap/accuracy/sample_draw.hpp"
#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

// What y and x are for a sample unit, by its reference and map class: 0 or 1.
using Indicator = Eigen::Array<double, Eigen::Dynamic, Eigen::Dynamic>;

class Estimator {
 public:
  Estimator(std::vector<Stratum> strata, bool finite_population, const IntervalOf& interval)
      : strata_(std::move(strata)), finite_population_(finite_population), interval_(interval) {
    const Index classes = strata_.front().units.rows();
    classified_ = Indicator::Ones(classes, classes);
    pixels_ = total(classified_);
    has_unclassified_ =
        std::ranges::any_of(strata_, [](const auto& stratum) { return stratum.unclassified_units > 0; });
  }

  // Estimated pixels that the map classifies: all, unless it leaves sample units unclassified.
  [[nodiscard]] double pixels() const { return pixels_; }

  // Y = sum_h N_h mean_h(y): the mean of the sample units of a stratum stands for all of its pixels (docs/method.md,
  // "Accuracy and areas").
  [[nodiscard]] double total(const Indicator& y) const {
    double sum = 0;
    for (const Stratum& stratum : strata_) {
      sum += static_cast<double>(stratum.pixels()) * mean(stratum, y);
    }
    return sum;
  }

  [[nodiscard]] Estimate share(const Indicator& y) const {
    if (has_unclassified_) {
      return ratio(y, classified_).value();
    }
    // Y/N with the standard error of Y over N; the domain of a share is the whole population.
    return with_interval(total(y) / pixels_, std::sqrt(variance(y, classified_)) / pixels_, y, classified_, true);
  }

  // Nothing where no unit has x.
  [[nodiscard]] std::optional<Estimate> ratio(const Indicator& y, const Indicator& x) const {
    const double whole = total(x);
    if (!(whole > 0)) {
      return std::nullopt;
    }
    const double value = total(y) / whole;
    // The error of a ratio R = Y / X is that of the total of the residuals y - R x, to first order.
    return with_interval(value, std::sqrt(variance(y - value * x, x)) / whole, y, x, false);
  }

 private:
  static double sum(const CountMatrix& units, const Indicator& y) { return (y * units.cast<double>().array()).sum(); }

  static double mean(const Stratum& stratum, const Indicator& y) {
    if (!stratum.clusters.empty()) {
      // Of blocks that are drawn in proportion to their pixels, the mean of their means is that of all pixels.
      return parsimap::total(stratum.clusters, [&](const SampleCluster& cluster) { return mean(cluster, y); }) /
             static_cast<double>(stratum.clusters.size());
    }
    return sum(stratum.units, y) / static_cast<double>(stratum.sample_size());
  }

  static double mean(const SampleCluster& cluster, const Indicator& y) {
    return sum(cluster.units, y) / static_cast<double>(cluster.drawn);
  }

  // The variance of the total of `values`, which are 0 where `domain` is.
  [[nodiscard]] double variance(const Indicator& values, const Indicator& domain) const {
    double sum = 0;
    for (const Stratum& stratum : strata_) {
      const auto pixels = static_cast<double>(stratum.pixels());
      const auto units = drawn(stratum);
      // One term N_h^2 (1 - f_h) s_h^2 / n_h of the variance of a total (Cochran, Sampling Techniques, stratified
      // sampling).
      const double sampled = finite_population_ && stratum.clusters.empty() ? units / pixels : 0;
      sum += pixels * pixels * (1 - sampled) * unit_variance(stratum, values, domain) / units;
    }
    return sum;
  }

  // Units that were drawn independently: pixels, or the blocks of two stages.
  static double drawn(const Stratum& stratum) {
    return static_cast<double>(stratum.clusters.empty() ? stratum.sample_size()
                                                        : static_cast<std::int64_t>(stratum.clusters.size()));
  }

  static double unit_variance(const Stratum& stratum, const Indicator& values, const Indicator& domain) {
    const double units = drawn(stratum);
    if (units > 1) {
      const double centre = mean(stratum, values);
      const double spread = stratum.clusters.empty() ? pixel_spread(stratum, values, centre)
                                                     : cluster_spread(stratum.clusters, values, centre);
      return spread * units / (units - 1);
    }
    // The variance cannot be estimated from a single unit. 1/4 is the largest possible one of values between 0 and 1;
    // it is 0 if no pixel of the stratum has a map class that the property is about.
    const auto possible = domain.colwise().maxCoeff().transpose() * stratum.map_pixels.cast<double>().array();
    constexpr double largest_variance = 0.25;
    return possible.sum() > 0 ? largest_variance : 0;
  }

  // From the counts of the cells: each unit is one of K x K kinds, or unclassified with the value 0.
  static double pixel_spread(const Stratum& stratum, const Indicator& values, double centre) {
    return mean(stratum, (values - centre).square()) + static_cast<double>(stratum.unclassified_units) /
                                                           static_cast<double>(stratum.sample_size()) * centre * centre;
  }

  static double cluster_spread(const std::vector<SampleCluster>& clusters, const Indicator& values, double centre) {
    return parsimap::total(clusters,
                           [&](const SampleCluster& cluster) { return std::pow(mean(cluster, values) - centre, 2); }) /
           static_cast<double>(clusters.size());
  }

  [[nodiscard]] Estimate with_interval(double value, double standard_error, const Indicator& y, const Indicator& x,
                                       bool of_all) const {
    // If all units agree, the standard error is 0 except for rounding errors, and there is no usual interval.
    constexpr double none = 1e-12;
    Estimate estimate{value, standard_error < none ? 0 : standard_error, std::nullopt};
    if (interval_) {
      estimate.interval = interval_(estimate, y, x, of_all);
    } else if (estimate.standard_error > 0) {
      estimate.interval = normal_interval(value, standard_error, 0, 1);
    }
    return estimate;
  }

  std::vector<Stratum> strata_;
  bool finite_population_;
  const IntervalOf& interval_;
  Indicator classified_;
  bool has_unclassified_ = false;
  double pixels_ = 0;
};

std::vector<Stratum> usable(const std::vector<Stratum>& strata) {
  const std::vector<Stratum> kept = filtered(strata, [](const Stratum& stratum) { return stratum.pixels() > 0; });
  for (const Stratum& stratum : kept) {
    // Without a unit nothing is known of a stratum, so the total cannot be estimated.
    if (stratum.sample_size() == 0) {
      throw DataError("stratum '" + stratum.name + "' has " + std::to_string(stratum.pixels()) +
                      " pixels and no sample unit; a stratified sample has some in every stratum");
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

// Two strata as one: their pixels and units add up.
Stratum united(const Stratum& first, const Stratum& second) {
  return {first.name + " + " + second.name, first.map_pixels + second.map_pixels, first.units + second.units};
}

}  // namespace

AreaEstimate estimate_areas(const std::vector<Stratum>& strata, bool finite_population, const IntervalOf& interval) {
  const std::vector<Stratum> kept = usable(strata);
  const CountVector mapped_pixels = map_pixels(kept);
  const Index classes = mapped_pixels.size();
  const Estimator estimator(kept, finite_population, interval);
  const Matrix same = Matrix::Identity(classes, classes);
  const Matrix all = Matrix::Ones(classes, classes);
  AreaEstimate estimate;
  estimate.pixels = mapped_pixels.sum();
  // y is 1 for the units whose classes agree, the diagonal of reference by map class.
  estimate.overall_accuracy = estimator.share(same.array());
  estimate.shares = Matrix::Zero(classes, classes);
  for (Index r = 0; r < classes; ++r) {
    // The shares and accuracies of class r follow from indicators of its row, its column, and the cell where both
    // meet.
    const Indicator in_reference = same.col(r) * all.row(r);
    const Indicator in_map = all.col(r) * same.row(r);
    const Indicator both = in_reference * in_map;
    estimate.classes.push_back({static_cast<double>(mapped_pixels(r)) / static_cast<double>(estimate.pixels),
                                estimator.share(in_reference), estimator.ratio(both, in_reference),
                                estimator.ratio(both, in_map)});
    for (Index c = 0; c < classes; ++c) {
      const Indicator cell = same.col(r) * same.row(c);
      estimate.shares(r, c) = estimator.total(cell) / estimator.pixels();
    }
  }
  // Disagreement is that of the estimated shares of area, not of the counts of the sample.
  estimate.disagreement = disagreement(estimate.shares).value();
  estimate.single_unit_strata = mapped<std::string>(
      filtered(kept, [](const Stratum& stratum) { return stratum.sample_size() == 1; }), &Stratum::name);
  return estimate;
}

std::vector<Stratum> merge_small_strata(std::vector<Stratum> strata) {
  std::erase_if(strata, [](const Stratum& stratum) { return stratum.pixels() == 0; });
  const std::int64_t units = total(strata, &Stratum::sample_size);
  if (units < 2) {
    throw DataError("areas cannot be estimated from " + std::to_string(units) + " sample units; two are the least");
  }
  while (true) {
    // The two smallest strata become one until the smallest has two units, which is the least that shows a variance.
    // The united stratum takes the place of the first of the two.
    std::vector<std::size_t> order(strata.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t h) { return strata[h].sample_size(); });
    if (strata[order[0]].sample_size() >= 2) {
      return strata;
    }
    const auto [left, right] = std::minmax(order[0], order[1]);
    strata[left] = united(strata[left], strata[right]);
    strata.erase(strata.begin() + static_cast<std::ptrdiff_t>(right));
  }
}

namespace {

// The index of the stratum of every reference pixel that the map classifies, -1 for the others.
Indices strata_of_units(ClassMapSource& strata, const LabelledPixels& reference, const Comparison& comparison) {
  const Indices stratum_of = index_of_codes(strata.classes());
  const std::vector<std::uint16_t> codes = codes_at(strata, reference.pixels);
  Indices units(codes.size(), -1);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    if (comparison.columns[i] < 0) {
      continue;
    }
    units[i] = stratum_of[codes[i]];
    if (units[i] < 0) {
      const std::int64_t pixel = reference.pixels[i].pixel;
      const Index width = strata.grid().width;
      throw DataError(strata.name() + " has no stratum at column " + std::to_string(pixel % width) + ", row " +
                      std::to_string(pixel / width) + ", where the reference has a pixel; every unit of a stratified " +
                      "sample belongs to a stratum");
    }
  }
  return units;
}

// `names` begins with those of the strata; `units` has the stratum of every reference pixel, as strata_of_units().
std::vector<Stratum> fill_strata(const std::vector<std::string>& names, const CountMatrix& population,
                                 const Indices& units, const LabelledPixels& reference, const Comparison& comparison) {
  const Index classes = comparison.confusion.size();
  std::vector<Stratum> strata;
  for (Index h = 0; h < population.rows(); ++h) {
    Stratum stratum{names[static_cast<std::size_t>(h)], CountVector::Zero(classes),
                    CountMatrix::Zero(classes, classes)};
    stratum.map_pixels.head(population.cols()) = population.row(h).transpose();
    strata.push_back(std::move(stratum));
  }
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i] >= 0) {
      const Index row = comparison.match.row_of(reference.pixels[i]);
      ++strata[static_cast<std::size_t>(units[i])].units(row, comparison.columns[i]);
    }
  }
  return strata;
}

// The names of strata that merging has made.
std::vector<std::string> new_names(const std::vector<Stratum>& merged, const std::vector<std::string>& names) {
  return filtered(mapped<std::string>(merged, &Stratum::name),
                  [&](const auto& name) { return std::ranges::find(names, name) == names.end(); });
}

}  // namespace

AreaAssessment assess_areas(ClassMapSource& map, const LabelledPixels& reference, const Comparison& comparison,
                            SamplingDesign design, ClassMapSource* strata, std::optional<double> pixel_area) {
  // The classes of the map are the strata where there is no raster of them: the column of a reference pixel in the
  // confusion matrix is then its stratum.
  const Population population = count_population(map, strata);
  const Indices units = strata != nullptr ? strata_of_units(*strata, reference, comparison) : comparison.columns;
  const std::vector<std::string> names = strata != nullptr ? class_names(strata->classes()) : comparison.match.names;
  std::vector<Stratum> filled = fill_strata(names, population.pixels, units, reference, comparison);
  AreaAssessment areas;
  if (design == SamplingDesign::simple) {
    filled = merge_small_strata(std::move(filled));
    areas.merged_strata = new_names(filled, names);
  }
  areas.design = design;
  areas.strata = strata != nullptr ? std::optional(strata->name()) : std::nullopt;
  areas.estimate = estimate_areas(filled, strata != nullptr);
  areas.pixel_area = pixel_area;
  areas.unclassified_pixels = population.unclassified;
  areas.pixels_outside_strata = population.outside_strata;
  return areas;
}

AreaUnit area_unit(const AreaAssessment& areas) {
  const auto pixels = static_cast<double>(areas.estimate.pixels);
  if (!areas.pixel_area) {
    return {"pixels", pixels};
  }
  // Square metres; areas of less than a hectare are given in square metres.
  constexpr double kHectare = 1e4;
  const double area = pixels * *areas.pixel_area;
  return area < kHectare ? AreaUnit{"m2", area} : AreaUnit{"ha", area / kHectare};
}

}  // namespace parsimap
