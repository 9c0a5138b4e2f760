#include "parsimap/accuracy/sample_plan.hpp"

#include <algorithm>
#include <cmath>

#include "parsimap/accuracy/agreement_map.hpp"
#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {
namespace {

const Names<SamplingDesign> kDesigns = {{SamplingDesign::simple, "simple"},
                                        {SamplingDesign::stratified, "stratified"},
                                        {SamplingDesign::systematic, "systematic"},
                                        {SamplingDesign::clusters, "clusters"}};
const Names<AimKind> kAims = {{AimKind::overall, "overall"},
                              {AimKind::users, "users"},
                              {AimKind::area, "area"},
                              {AimKind::difference, "difference"}};
const Names<Allocation> kAllocations = {
    {Allocation::proportional, "proportional"}, {Allocation::equal, "equal"}, {Allocation::neyman, "neyman"}};
bool of_class(AimKind kind) { return kind == AimKind::users || kind == AimKind::area; }
constexpr double kLargestAim = 0.5;
constexpr double kUsualCorrelation = 0.3;

// What the variance of an estimate consists of: sum_h (N_h / whole)^2 S_h^2 (1 / n_h - 1 / N_h), with the variance
// S_h^2 of the pixels of each stratum.
struct MeasureVariance {
  Vector unit_variances;
  double whole = 1;  // pixels that the measure is a share of
};

// The strata and classes of a map, and the accuracies that are expected.
class Expectation {
 public:
  Expectation(const CountMatrix& pixels, const std::vector<std::string>& strata,
              const std::vector<std::string>& classes, const PlanOptions& options)
      : pixels_(pixels.cast<double>()), classes_(classes), users_(Vector::Constant(pixels.cols(), options.expected)) {
    differ_ = std::ranges::find(strata, kMapsDiffer) - strata.begin();
    for (const auto& [name, accuracy] : options.expected_by) {
      users_(index_of(name)) = accuracy;
    }
    totals_ = pixels_.rowwise().sum();
    shares_ = totals_.cwiseInverse().asDiagonal() * pixels_;
    class_shares_ = pixels_.colwise().sum().transpose() / pixels_.sum();
  }

  [[nodiscard]] const Vector& totals() const { return totals_; }
  [[nodiscard]] bool of_two_maps() const { return differ_ < totals_.size(); }

  [[nodiscard]] MeasureVariance of(const Aim& aim) const {
    if (aim.kind == AimKind::overall) {
      return of_share(shares_ * users_);
    }
    if (aim.kind == AimKind::difference) {
      if (!of_two_maps()) {
        throw ConfigError("the aim '" + to_string(aim) + "' goes with a second map (--compare)");
      }
      // A pixel says +1 or -1 where the maps differ and one of them is right: at most a variance of 1. Elsewhere it
      // says 0.
      return {Vector::Unit(totals_.size(), differ_), pixels_.sum()};
    }
    const Index c = index_of(aim.class_name);
    if (aim.kind == AimKind::users) {
      // User's accuracy U is a ratio; its residuals are y - U in the class and 0 elsewhere, with the variance U (1 - U)
      // there.
      return {shares_.col(c) * users_(c) * (1 - users_(c)), pixels_.col(c).sum()};
    }
    return of_share(shares_ * reference_chances(c));
  }

  [[nodiscard]] double error_of(const Aim& aim, const Vector& points) const {
    const MeasureVariance measure = of(aim);
    const auto inverse = points.cwiseMax(1).cwiseInverse() - totals_.cwiseInverse();
    return std::sqrt((totals_.array().square() * measure.unit_variances.array() * inverse.array().max(0)).sum()) /
           measure.whole;
  }

 private:
  [[nodiscard]] Index index_of(const std::string& name) const {
    const auto found = std::ranges::find(classes_, name);
    if (found == classes_.end()) {
      throw ConfigError("the map has no class '" + name + "'; it has " + separated(classes_, ", "));
    }
    return static_cast<Index>(found - classes_.begin());
  }

  [[nodiscard]] MeasureVariance of_share(const Vector& chances) const {
    return {chances.array() * (1 - chances.array()), pixels_.sum()};
  }

  // The chances that a pixel of each class of the map is `c` in truth: wrong pixels of the other classes are divided by
  // the shares of the classes.
  [[nodiscard]] Vector reference_chances(Index c) const {
    const Vector others = (1 - class_shares_.array()).max(1e-12);
    Vector chances = (1 - users_.array()) * class_shares_(c) / others.array();
    chances(c) = users_(c);
    return chances;
  }

  Matrix pixels_;
  const std::vector<std::string>& classes_;
  Vector users_;
  Index differ_;         // the stratum in which two maps differ; beyond the last one without
  Vector totals_;        // pixels of the strata
  Matrix shares_;        // of the classes in each stratum
  Vector class_shares_;  // of the classes in all
};

// `importance` of the aims counts in Neyman's allocation.
Vector weights_of(const Expectation& expectation, const PlanOptions& options, const std::vector<Aim>& aims,
                  const Vector& importance) {
  const Vector& totals = expectation.totals();
  if (options.allocation != Allocation::neyman) {
    return options.allocation == Allocation::equal ? Vector(Vector::Ones(totals.size())) : totals;
  }
  Vector sum = Vector::Zero(totals.size());
  for (std::size_t i = 0; i < aims.size(); ++i) {
    const MeasureVariance measure = expectation.of(aims[i]);
    sum += importance(static_cast<Index>(i)) * measure.unit_variances /
           std::pow(measure.whole * aims[i].standard_error, 2);
  }
  const Vector weights = totals.cwiseProduct(sum.cwiseSqrt());
  // Strata that no aim depends on divide what the others leave of the points once these are complete.
  constexpr double kLeftOver = 1e-12;
  return weights.cwiseMax(kLeftOver * weights.maxCoeff() / totals.maxCoeff() * totals);
}

// Points of the strata: in proportion to `weights` between the least number and all pixels, `points` in all.
std::vector<std::int64_t> allocated(std::int64_t points, const Vector& weights, const Vector& least,
                                    const Vector& most) {
  const auto at = [&](double scale) -> Vector { return (scale * weights).cwiseMax(least).cwiseMin(most); };
  const auto wanted = static_cast<double>(points);
  double low = 0;
  double high = most.sum() / std::max(weights.maxCoeff(), 1e-300);
  while (at(high).sum() < std::min(wanted, most.sum()) && high < 1e300) {
    high *= 2;
  }
  constexpr int kHalvings = 200;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (low + high) / 2;
    (at(middle).sum() < wanted ? low : high) = middle;
  }
  // Whole numbers: running sums are rounded, so that no point is lost, and no stratum differs by more than one.
  const Vector exact = at(high);
  std::vector<std::int64_t> result;
  double sum = 0;
  std::int64_t given = 0;
  for (Index h = 0; h < exact.size(); ++h) {
    sum += exact(h);
    const auto rounded =
        std::clamp<std::int64_t>(std::llround(sum) - given, std::llround(least(h)), std::llround(most(h)));
    result.push_back(rounded);
    given += rounded;
  }
  return result;
}

Vector as_vector(const std::vector<std::int64_t>& points) {
  return Eigen::Map<const CountMatrix>(points.data(), static_cast<Index>(points.size()), 1).cast<double>();
}

// Divides points, and finds how many there must be.
class Sizes {
 public:
  Sizes(const Expectation& expectation, const PlanOptions& options)
      : expectation_(expectation), options_(options), aims_(options.aims) {
    if (aims_.empty()) {
      aims_ = {{expectation.of_two_maps() ? AimKind::difference : AimKind::overall, {}, 1}};
    }
    // Two points are the least that show a variance.
    const auto least = static_cast<double>(
        std::max<std::int64_t>(2, options.design == SamplingDesign::stratified ? options.least : 2));
    least_ = expectation.totals().cwiseMin(least);
    Vector importance = Vector::Ones(static_cast<Index>(aims_.size()));
    weights_ = weights_of(expectation, options, aims_, importance);
    // Aims that are met by far become unimportant, until those that decide on the size are met alike.
    constexpr int kRounds = 30;
    for (int i = 0; i < kRounds && aims_.size() > 1 && options.allocation == Allocation::neyman; ++i) {
      const Vector sizes = as_vector(of(needed())) / inflation();
      for (std::size_t k = 0; k < aims_.size(); ++k) {
        importance(static_cast<Index>(k)) *=
            std::pow(expectation.error_of(aims_[k], sizes) / aims_[k].standard_error, 2);
      }
      weights_ = weights_of(expectation, options, aims_, importance);
    }
  }

  [[nodiscard]] std::vector<std::int64_t> of(std::int64_t points) const {
    return allocated(points, weights_, least_, expectation_.totals());
  }

  [[nodiscard]] std::int64_t fewest() const { return std::llround(least_.sum()); }

  // By halving: with more points no standard error becomes larger.
  [[nodiscard]] std::int64_t needed() const {
    std::int64_t low = fewest() - 1;
    std::int64_t high = std::llround(expectation_.totals().sum());
    if (!meets(high)) {
      throw ConfigError("the aims cannot be met, since clusters would need more points than the map has pixels");
    }
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (meets(middle) ? high : low) = middle;
    }
    return high;
  }

  // Pixels of a block are alike: a block of m points is worth m / (1 + (m - 1) rho) points (Cochran 1977, 9.4).
  [[nodiscard]] double inflation() const {
    return options_.design == SamplingDesign::clusters
               ? 1 + static_cast<double>(options_.cluster_points - 1) * options_.correlation.value_or(kUsualCorrelation)
               : 1;
  }

 private:
  [[nodiscard]] bool meets(std::int64_t points) const {
    const Vector sizes = as_vector(of(points)) / inflation();
    return std::ranges::all_of(options_.aims,
                               [&](const Aim& aim) { return expectation_.error_of(aim, sizes) <= aim.standard_error; });
  }

  const Expectation& expectation_;
  const PlanOptions& options_;
  std::vector<Aim> aims_;
  Vector weights_;
  Vector least_;
};

std::int64_t size_of(const Sizes& sizes, const PlanOptions& options, std::int64_t pixels) {
  if (!options.size) {
    if (options.aims.empty()) {
      throw ConfigError("neither --aim nor --size says how large the sample is to be");
    }
    return sizes.needed();
  }
  if (*options.size < sizes.fewest()) {
    throw ConfigError("--size is " + std::to_string(*options.size) + "; the strata need " +
                      std::to_string(sizes.fewest()) + " points, --least in each");
  }
  if (*options.size > pixels) {
    throw ConfigError("--size is " + std::to_string(*options.size) + "; the map has " + std::to_string(pixels) +
                      " classified pixels");
  }
  return *options.size;
}

// Rows of strata without pixels are left out; all are one unless the sample is stratified.
CountMatrix strata_of(const CountMatrix& pixels, std::vector<std::string>& names, SamplingDesign design) {
  if (pixels.sum() == 0) {
    throw DataError("the map has no classified pixel to draw a sample from");
  }
  if (design != SamplingDesign::stratified) {
    names = {"all"};
    return pixels.colwise().sum();
  }
  const Indices kept = filtered(consecutive(pixels.rows()), [&](Index h) { return pixels.row(h).sum() > 0; });
  names = values_at(names, kept);
  return pixels(kept, Eigen::all);
}

}  // namespace

std::string to_string(SamplingDesign design) { return name_among(design, kDesigns); }
SamplingDesign parse_design(const std::string& text) { return parse_name("the design", text, kDesigns); }

std::string to_string(Allocation allocation) { return name_among(allocation, kAllocations); }
Allocation parse_allocation(const std::string& text) { return parse_name("the allocation", text, kAllocations); }

Aim parse_aim(const std::string& text) {
  const std::size_t first = text.find(':');
  const std::size_t last = text.rfind(':');
  Aim aim;
  aim.kind = parse_name("the measure of aim", text.substr(0, first), kAims);
  const bool named = of_class(aim.kind);
  // Plans are kept as texts whose parts are separated by semicolons.
  if (first == std::string::npos || named == (first == last) || text.find(';') != std::string::npos) {
    throw ConfigError(
        "the aim is '" + text +
        "'; it must be overall:ERROR, difference:ERROR, users:CLASS:ERROR or area:CLASS:ERROR, without ';'");
  }
  aim.class_name = named ? text.substr(first + 1, last - first - 1) : "";
  const auto error = parse_number<double>(text.substr(last + 1));
  if (!error || !(*error > 0) || *error > kLargestAim) {
    throw ConfigError("the standard error of aim '" + text + "' must be a number above 0 and at most 0.5");
  }
  aim.standard_error = *error;
  return aim;
}

std::string to_string(const Aim& aim) {
  return name_among(aim.kind, kAims) + (of_class(aim.kind) ? ":" + aim.class_name + ":" : ":") +
         number_text(aim.standard_error);
}

std::string measure_name(const Aim& aim) {
  switch (aim.kind) {
    case AimKind::overall:
      return "overall accuracy";
    case AimKind::difference:
      return "difference of the overall accuracies";
    case AimKind::users:
      return "user's accuracy of " + aim.class_name;
    case AimKind::area:
      break;
  }
  return "share of " + aim.class_name;
}

SamplePlan plan_sample(const CountMatrix& pixels, const std::vector<std::string>& strata,
                       const std::vector<std::string>& classes, const PlanOptions& options) {
  std::vector<std::string> names = strata;
  const CountMatrix kept = strata_of(pixels, names, options.design);
  const Expectation expectation(kept, names, classes, options);
  const Sizes sizes(expectation, options);
  const std::vector<std::int64_t> points = sizes.of(size_of(sizes, options, kept.sum()));
  SamplePlan plan{.design = options.design, .strata = {}, .promised = {}};
  for (std::size_t h = 0; h < names.size(); ++h) {
    plan.strata.push_back({names[h], kept.row(static_cast<Index>(h)).sum(), points[h]});
  }
  if (options.design == SamplingDesign::clusters) {
    plan.clusters = std::max<std::int64_t>(2, (plan.points() + options.cluster_points - 1) / options.cluster_points);
    plan.strata.front().points = plan.clusters * options.cluster_points;
  }
  if (options.design == SamplingDesign::systematic) {
    // The widest grid that has enough points on average, with cells that are nearly square in its bounds.
    const double cell = static_cast<double>(plan.pixels()) / static_cast<double>(plan.points());
    const Window extent = options.extent.value_or(Window{0, 0, plan.pixels(), plan.pixels()});
    plan.row_step =
        std::clamp(static_cast<Index>(std::sqrt(cell)), static_cast<Index>(cell) / extent.width, extent.height);
    plan.column_step = std::min(static_cast<Index>(cell / static_cast<double>(plan.row_step)), extent.width);
    plan.strata.front().points = plan.pixels() / (plan.row_step * plan.column_step);
  }
  const Vector effective = as_vector(mapped<std::int64_t>(plan.strata, &PlannedStratum::points)) / sizes.inflation();
  const auto promise = [&](AimKind kind, const std::string& name) {
    plan.promised.push_back({kind, name, 0});
    plan.promised.back().standard_error = expectation.error_of(plan.promised.back(), effective);
  };
  if (expectation.of_two_maps()) {
    promise(AimKind::difference, {});
    if (std::ranges::all_of(options.aims, [](const Aim& aim) { return aim.kind == AimKind::difference; })) {
      return plan;
    }
  }
  promise(AimKind::overall, {});
  for (const std::string& name : classes) {
    promise(AimKind::users, name);
    promise(AimKind::area, name);
  }
  return plan;
}

}  // namespace parsimap
