#include "parsimap/accuracy/sample_assessment.hpp"

#include <algorithm>
#include <cmath>

#include "parsimap/accuracy/sample_draw.hpp"
#include "parsimap/accuracy/sequential_interval.hpp"

namespace parsimap {
namespace {

// The units as strata of the estimators: a stratum that was drawn from, or all.
std::vector<Stratum> strata_of(const DrawnSample& sample, const std::vector<DrawnStratum>& drawn,
                               const std::vector<LabelledUnit>& units, Index classes) {
  const CountMatrix none = CountMatrix::Zero(classes, classes);
  std::vector<Stratum> strata;
  for (std::size_t h = 0; h < drawn.size(); ++h) {
    strata.push_back({sample.strata[h], CountVector::Zero(classes), none, std::llround(drawn[h].pixels)});
  }
  for (const LabelledUnit& unit : units) {
    Stratum& stratum = strata[static_cast<std::size_t>(unit.stratum)];
    if (unit.cluster > static_cast<std::int64_t>(stratum.clusters.size())) {
      stratum.clusters.push_back({none, 0});
    }
    if (unit.cluster > 0) {
      ++stratum.clusters.back().drawn;
    }
    if (unit.map < 0) {
      ++stratum.unclassified_units;
      continue;
    }
    ++stratum.units(unit.reference, unit.map);
    if (unit.cluster > 0) {
      ++stratum.clusters.back().units(unit.reference, unit.map);
    }
  }
  return strata;
}

// Intervals for the size of the sample, as IntervalOf.
class FixedIntervals {
 public:
  FixedIntervals(const DrawnSample& sample, const std::vector<Stratum>& strata)
      : strata_(strata), simple_(sample.design == SamplingDesign::simple) {}

  [[nodiscard]] Interval operator()(const Estimate& estimate, const Matrix& y, const Matrix& x, bool of_all) const {
    const Stratum& first = strata_.front();
    if (simple_) {
      // Of simple samples, those of a class are one of the class, whose pixels are not counted.
      return exact_interval(count(first.units, y), count(first.units, x),
                            of_all ? std::optional(first.pixels()) : std::nullopt);
    }
    const double share = std::clamp(estimate.value, 0.0, 1.0);
    if (estimate.standard_error > 0 && share > 0 && share < 1) {
      const double loss =
          first.clusters.empty()
              ? 1
              : std::pow(normal_quantile() / student_quantile(static_cast<double>(first.clusters.size()) - 1), 2);
      return wilson_interval(share, share * (1 - share) / std::pow(estimate.standard_error, 2) * loss);
    }
    // Where all units of each stratum agree, the estimate is wrong by no more than the share of pixels that do not.
    const double trials = trials_without_variance(x);
    const double others = trials > 0 ? 1 - wilson_interval(1, trials).low : 0;
    return {std::max(0.0, share - others), std::min(1.0, share + others)};
  }

 private:
  static std::int64_t count(const CountMatrix& units, const Matrix& cells) {
    return std::llround(units.cast<double>().cwiseProduct(cells).sum());
  }

  // Where all units agree: Kish's effective number of units by their weights (Survey Sampling, 1965), or the
  // clusters with one that counts. 0 where every pixel was drawn.
  [[nodiscard]] double trials_without_variance(const Matrix& x) const {
    double sum = 0;
    double squares = 0;
    for (const Stratum& stratum : strata_) {
      if (!stratum.clusters.empty()) {
        return static_cast<double>(std::ranges::count_if(
            stratum.clusters, [&](const SampleCluster& cluster) { return count(cluster.units, x) > 0; }));
      }
      const auto drawn = static_cast<double>(stratum.sample_size());
      const auto pixels = static_cast<double>(stratum.pixels());
      const auto units = static_cast<double>(count(stratum.units, x));
      sum += pixels / drawn * units;
      squares += std::pow(pixels / drawn, 2) * units * (1 - drawn / pixels);
    }
    return squares > 0 ? sum * sum / squares : 0;
  }

  const std::vector<Stratum>& strata_;
  bool simple_ = false;
};

// Intervals of a growing sample.
class GrowingIntervals {
 public:
  // `mapped` has the pixels of every class of the matrix in the map.
  GrowingIntervals(const DrawnSample& sample, const std::vector<DrawnStratum>& drawn,
                   const std::vector<LabelledUnit>& units, const Comparison& comparison, const CountVector& mapped)
      : sample_(sample), drawn_(drawn), units_(units), comparison_(comparison), mapped_(mapped) {
    classified_ = std::ranges::none_of(units, [](const LabelledUnit& unit) { return unit.map < 0; });
  }

  // A measure of all pixels; `value` is that of a unit. None of systematic samples, whose order says nothing, and where
  // the map leaves units unclassified, which makes a ratio of it.
  template <typename Value>
  [[nodiscard]] std::optional<Interval> of_all(const Value& value) const {
    if (!classified_ || sample_.design == SamplingDesign::systematic) {
      return std::nullopt;
    }
    if (sample_.design == SamplingDesign::clusters) {
      return of_clusters(value);
    }
    const auto strata = mapped<SequentialStratum>(drawn_, [](const DrawnStratum& stratum) {
      return SequentialStratum{std::round(stratum.pixels), static_cast<double>(stratum.points)};
    });
    const auto values = mapped<SequentialUnit>(units_, [&](const LabelledUnit& unit) {
      return SequentialUnit{unit.stratum, value(unit)};
    });
    return sequential_interval(strata, values);
  }

  // User's accuracy, where the points of a class of the map are a simple sample of it: of simple samples, and of those
  // whose strata are the classes of the map.
  [[nodiscard]] std::optional<Interval> users_accuracy(Index c) const {
    const bool simple = sample_.design == SamplingDesign::simple;
    const auto pixels = static_cast<double>(mapped_(c));
    const auto class_stratum = stratum_of(c);
    if (!classified_ || pixels == 0 || (!simple && !class_stratum)) {
      return std::nullopt;
    }
    const double planned = simple ? static_cast<double>(sample_.points.size()) * pixels / mapped_.cast<double>().sum()
                                  : static_cast<double>(drawn_[*class_stratum].points);
    const auto values = mapped<SequentialUnit>(
        filtered(units_, [&](const LabelledUnit& unit) { return unit.map == c; }), [&](const auto& unit) {
          return SequentialUnit{0, unit.reference == c ? 1.0 : 0.0};
        });
    return sequential_interval({{pixels, planned}}, values);
  }

 private:
  template <typename Value>
  [[nodiscard]] Interval of_clusters(const Value& value) const {
    std::vector<SequentialUnit> means;
    std::vector<double> sizes;
    for (const LabelledUnit& unit : units_) {
      if (static_cast<std::size_t>(unit.cluster) > means.size()) {
        means.push_back({0, 0});
        sizes.push_back(0);
      }
      means.back().value += value(unit);
      ++sizes.back();
    }
    for (std::size_t i = 0; i < means.size(); ++i) {
      means[i].value /= sizes[i];
    }
    const auto planned = static_cast<double>(sample_.points.back().cluster);
    return sequential_interval({{drawn_.front().pixels, planned, true}}, means);
  }

  // The stratum that is class `c` of the map: of the same name and pixels, and with all units of the class; for all
  // strata or none.
  [[nodiscard]] std::optional<std::size_t> stratum_of(Index c) const {
    const std::vector<std::string>& names = comparison_.match.names;
    std::optional<std::size_t> found;
    for (std::size_t h = 0; h < drawn_.size(); ++h) {
      const auto name = std::ranges::find(names, sample_.strata[h]) - names.begin();
      if (name == static_cast<std::ptrdiff_t>(names.size()) ||
          std::llround(drawn_[h].pixels) != mapped_(static_cast<Index>(name)) ||
          std::ranges::any_of(units_, [&](const LabelledUnit& unit) {
            return unit.stratum == static_cast<Index>(h) && unit.map != static_cast<Index>(name);
          })) {
        return std::nullopt;
      }
      found = static_cast<Index>(name) == c ? h : found;
    }
    return sample_.design == SamplingDesign::stratified ? found : std::nullopt;
  }

  const DrawnSample& sample_;
  const std::vector<DrawnStratum>& drawn_;
  const std::vector<LabelledUnit>& units_;
  const Comparison& comparison_;
  const CountVector& mapped_;
  bool classified_ = true;
};

const Estimate* measure_of(const AreaEstimate& estimate, const Aim& aim, const std::vector<std::string>& names) {
  if (aim.kind == AimKind::overall) {
    return &estimate.overall_accuracy;
  }
  const auto c = static_cast<std::size_t>(std::ranges::find(names, aim.class_name) - names.begin());
  if (c == names.size()) {
    return nullptr;
  }
  const ClassEstimate& entry = estimate.classes[c];
  return aim.kind == AimKind::area ? &entry.share : entry.users_accuracy ? &*entry.users_accuracy : nullptr;
}

AimProgress progress_of(const Aim& aim, const Estimate* measure, double labelled, double pixels) {
  AimProgress progress{to_string(aim)};
  if (measure == nullptr) {
    return progress;
  }
  const double error = shown_error(measure->standard_error, *measure->interval);
  progress.standard_error = error;
  progress.points = points_for(aim.standard_error, error, labelled, pixels);
  return progress;
}

CountVector mapped_pixels(const Population& population, Index classes) {
  CountVector mapped = CountVector::Zero(classes);
  mapped.head(population.pixels.cols()) = population.pixels.colwise().sum().transpose();
  return mapped;
}

}  // namespace

AreaAssessment assess_sample(ClassMapSource& map, const LabelledPixels& reference, const Comparison& comparison,
                             const DrawnSample& sample, std::optional<double> pixel_area) {
  const Index classes = comparison.confusion.size();
  const Population population = count_population(map, nullptr);
  const CountVector mapped = mapped_pixels(population, classes);
  const std::vector<DrawnStratum> drawn = drawn_strata(sample);
  check_population(sample, drawn, mapped.sum());
  const std::vector<LabelledUnit> units = labelled_units(sample, reference, comparison);
  check_enough(sample, drawn, units);
  const std::vector<Stratum> strata = strata_of(sample, drawn, units, classes);

  AreaAssessment areas;
  areas.design = sample.design;
  areas.pixel_area = pixel_area;
  areas.unclassified_pixels = population.unclassified;
  areas.estimate = estimate_areas(strata, true, FixedIntervals(sample, strata));
  areas.estimate.pixels = mapped.sum();
  const GrowingIntervals growing(sample, drawn, units, comparison, mapped);
  SampleProgress progress{.file = sample.file,
                          .planned = static_cast<std::int64_t>(sample.points.size()),
                          .labelled = static_cast<std::int64_t>(units.size())};
  progress.overall_accuracy = growing.of_all([](const auto& unit) { return unit.reference == unit.map ? 1.0 : 0.0; });
  for (Index c = 0; c < classes; ++c) {
    areas.estimate.classes[static_cast<std::size_t>(c)].mapped_share =
        static_cast<double>(mapped(c)) / static_cast<double>(mapped.sum());
    progress.classes.push_back(
        {growing.of_all([&](const auto& unit) { return unit.reference == c ? 1.0 : 0.0; }), growing.users_accuracy(c)});
  }
  const double pixels = total(drawn, &DrawnStratum::pixels);
  for (const Aim& aim : sample.aims) {
    progress.aims.push_back(progress_of(aim, measure_of(areas.estimate, aim, comparison.match.names),
                                        static_cast<double>(units.size()), pixels));
  }
  areas.sample = std::move(progress);
  return areas;
}

}  // namespace parsimap
