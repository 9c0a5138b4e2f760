#include "parsimap/validation/label_forecast.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "parsimap/core/random.hpp"
#include "parsimap/validation/learning_curve.hpp"
#include "parsimap/validation/left_out_risk.hpp"

namespace parsimap {
namespace {

// Parts of the units that a fold leaves for training: evenly spread in the logarithm.
constexpr std::array<double, 4> kParts = {0.25, 0.4, 0.63, 1};
constexpr auto kPoints = static_cast<Index>(kParts.size());

// The parts of every fold, one after the other, and their mean sizes as shares of all units.
struct NestedParts {
  std::vector<FoldRows> folds;
  Vector sizes = Vector::Zero(kPoints);
};

NestedParts nested_parts(const LabelledSpectra& samples, const std::vector<SampleUnit>& units,
                         const std::vector<FoldRows>& folds, std::uint64_t seed) {
  NestedParts parts;
  const auto all = static_cast<double>(unit_count(units));
  for (std::size_t f = 0; f < folds.size(); ++f) {
    // Units by class; one of several classes counts as one of the first.
    std::map<SampleUnit, int> class_of;
    for (const Index row : folds[f].train) {
      const auto i = static_cast<std::size_t>(row);
      const auto [entry, added] = class_of.emplace(units[i], samples.labels[i]);
      entry->second = std::min(entry->second, samples.labels[i]);
    }
    std::vector<std::vector<SampleUnit>> of_class(samples.classes);
    for (const auto& [unit, c] : class_of) {
      of_class[static_cast<std::size_t>(c)].push_back(unit);
    }
    // One random order for each class; a part has the first units of all orders.
    Random random(seed, f);
    const auto orders =
        mapped<Indices>(of_class, [&](const auto& of_one) { return random.permutation(std::ssize(of_one)); });
    for (Index j = 0; j < kPoints; ++j) {
      std::set<SampleUnit> taken;
      for (std::size_t c = 0; c < of_class.size(); ++c) {
        const double count = std::ceil(kParts[static_cast<std::size_t>(j)] * static_cast<double>(of_class[c].size()));
        for (std::size_t k = 0; static_cast<double>(k) < count; ++k) {
          taken.insert(of_class[c][static_cast<std::size_t>(orders[c][k])]);
        }
      }
      FoldRows part = folds[f];
      std::erase_if(part.train, [&](Index row) { return !taken.contains(units[static_cast<std::size_t>(row)]); });
      parts.folds.push_back(std::move(part));
      parts.sizes(j) += static_cast<double>(taken.size()) / all / static_cast<double>(folds.size());
    }
  }
  return parts;
}

struct Extrapolated {
  LearningCurve curve;
  double training_share;  // of p (1 - p), p the accuracy: variance of a classifier of as many labels as there are
  double units;
  double degrees_of_freedom;
};

// How many left-out samples are right, by classifiers trained on each of the parts. Samples are counted in cells: those
// of one class in one unit.
class PartAccuracies {
 public:
  PartAccuracies(const LabelledSpectra& samples, const Indices& untrusted, const ClassifierDesign& design,
                 const std::vector<Index>& class_units, const LeftOutOptions& options);

  [[nodiscard]] const Vector& class_sizes() const { return class_sizes_; }
  // Of the mean over classes with these weights (K), which sum up to 1. `fixed`: not the shares of the samples.
  [[nodiscard]] Extrapolated curve(const Vector& weights, bool fixed, bool may_rise) const;

 private:
  void train(const LabelledSpectra& samples, const ClassifierDesign& design, const LeftOutOptions& options);
  [[nodiscard]] Vector accuracies(const Vector& weights) const { return mean_.transpose() * weights(class_of_); }
  [[nodiscard]] Matrix covariance(const Vector& weights, bool fixed) const;
  [[nodiscard]] double training_share(const Vector& weights) const;
  void estimate_class_variances();

  NestedParts parts_;
  double repeats_;
  Vector class_units_, class_sizes_;  // K; sizes in samples
  Indices cell_of_;                   // n
  Indices unit_of_, class_of_;        // by cell
  Index units_ = 0;
  Vector share_;                       // by cell, of the samples of its class
  Matrix right_;                       // cells x parts, of the samples of the class; 0 where it is not tested
  Matrix mean_;                        // cells x J, over the repeats
  Vector variances_, more_variances_;  // K, of the accuracy of each class; beyond that over its own units
};

PartAccuracies::PartAccuracies(const LabelledSpectra& samples, const Indices& untrusted, const ClassifierDesign& design,
                               const std::vector<Index>& class_units, const LeftOutOptions& options)
    : repeats_(static_cast<double>(options.repeats)),
      class_units_(Eigen::Map<const Eigen::VectorX<Index>>(class_units.data(), std::ssize(class_units)).cast<double>()),
      class_sizes_(Vector::Zero(class_units_.size())) {
  const std::vector<SampleUnit> units = units_of(samples.places);
  std::vector<std::pair<SampleUnit, int>> keys;
  for (std::size_t i = 0; i < units.size(); ++i) {
    keys.emplace_back(units[i], samples.labels[i]);
    class_sizes_(samples.labels[i]) += 1;
  }
  const auto cells = distinct(keys);
  cell_of_ = ranks(keys).places;
  unit_of_ = ranks(mapped<SampleUnit>(cells, &std::pair<SampleUnit, int>::first)).places;
  class_of_ = mapped<Index>(cells, &std::pair<SampleUnit, int>::second);
  units_ = unit_count(units);
  share_ = Vector::Zero(std::ssize(cells));
  for (std::size_t i = 0; i < units.size(); ++i) {
    share_(cell_of_[i]) += 1 / class_sizes_(samples.labels[i]);
  }
  parts_ = nested_parts(samples, units, left_out_folds(samples, untrusted, options), options.seed);
  train(samples, design, options);
  estimate_class_variances();
}

void PartAccuracies::train(const LabelledSpectra& samples, const ClassifierDesign& design,
                           const LeftOutOptions& options) {
  right_ = Matrix::Zero(share_.size(), std::ssize(parts_.folds));
  leave_out_folds({design}, samples.spectra, samples.labels, parts_.folds, options.threads, options.progress,
                  [&](std::size_t part, RefittedClassifiers&& classifiers) {
                    const Indices& held = parts_.folds[part].test;
                    const std::vector<int> labels = values_at(samples.labels, held);
                    // A class that was not trained is never found.
                    const Vector right =
                        left_out_correct(classifiers.decisions(samples.spectra(held, Eigen::all)), labels);
                    for (std::size_t i = 0; i < held.size(); ++i) {
                      right_(cell_of_[static_cast<std::size_t>(held[i])], static_cast<Index>(part)) +=
                          right(static_cast<Index>(i)) / class_sizes_(labels[i]);
                    }
                  });
  mean_ = Matrix::Zero(share_.size(), kPoints);
  for (Index part = 0; part < right_.cols(); ++part) {
    mean_.col(part % kPoints) += right_.col(part) / repeats_;
  }
}

// Of the accuracies at the points, over units.
Matrix PartAccuracies::covariance(const Vector& weights, bool fixed) const {
  Matrix centres = accuracies(weights).transpose().replicate(weights.size(), 1);
  Vector corrections = Vector::Ones(weights.size());
  if (fixed) {
    centres.setZero();
    for (std::size_t cell = 0; cell < class_of_.size(); ++cell) {
      centres.row(class_of_[cell]) += mean_.row(static_cast<Index>(cell));
    }
    corrections = (class_units_.array() / (class_units_.array() - 1).max(1)).sqrt();
  }
  Matrix deviations = Matrix::Zero(units_, kPoints);
  Vector used = Vector::Zero(units_);
  for (std::size_t i = 0; i < class_of_.size(); ++i) {
    const Index c = class_of_[i];
    const auto cell = static_cast<Index>(i);
    deviations.row(unit_of_[i]) += weights(c) * corrections(c) * (mean_.row(cell) - share_(cell) * centres.row(c));
    used(unit_of_[i]) = weights(c) > 0 ? 1 : used(unit_of_[i]);
  }
  return deviations.transpose() * deviations * (fixed ? 1 : used.sum() / (used.sum() - 1));
}

// Of the classes, each with its own weight 1.
void PartAccuracies::estimate_class_variances() {
  const Index classes = class_units_.size();
  constexpr Index kLast = kPoints - 1;
  Vector own = Vector::Zero(classes);
  Vector chance = Vector::Zero(classes);  // of units that are right or wrong as a whole
  // Which share of the variance of units that are right or wrong as a whole they have is taken to be alike in all
  // classes. It begins with one such unit, so that no error does not mean no variance.
  double between = 0.25;
  double most = 0.25;
  for (Index c = 0; c < classes; ++c) {
    const double units = class_units_(c);
    if (units >= static_cast<double>(kFewestCurveUnits)) {
      const double right = accuracies(Vector::Unit(classes, c))(kLast);
      own(c) = covariance(Vector::Unit(classes, c), true)(kLast, kLast);
      between += (units - 1) * units * own(c);
      most += (units - 1) * right * (1 - right);
      const double moderate = (units * right + 0.5) / (units + 1);
      chance(c) = moderate * (1 - moderate) / units;
    }
  }
  variances_ = (own + chance * std::min(1.0, between / most)) / 2;
  more_variances_ = (variances_ - own).cwiseMax(0);
}

// The variance of the accuracy p of classifiers that are trained on different labels, as many as there are, as a share
// of p (1 - p). Two units that one classifier is tested on are better or worse than usual together where the classifier
// is: the mean product of their differences from the mean over the repeats is its variance. Small parts have hardly any
// label in common. The share is taken to fall with the size of the parts.
double PartAccuracies::training_share(const Vector& weights) const {
  const Vector right = accuracies(weights);
  double products = 0;
  double pairs = 0;
  for (std::size_t part = 0; part < parts_.folds.size(); ++part) {
    const Index j = static_cast<Index>(part) % kPoints;
    const double size = parts_.sizes(j);
    if (size > 0.5) {
      continue;
    }
    Matrix units = Matrix::Zero(units_, 2);  // difference and weight
    for (const Index cell : distinct(values_at(cell_of_, parts_.folds[part].test))) {
      const double weight = weights(class_of_[static_cast<std::size_t>(cell)]);
      units.row(unit_of_[static_cast<std::size_t>(cell)]) +=
          weight * Eigen::RowVector2d(right_(cell, static_cast<Index>(part)) - mean_(cell, j), share_(cell));
    }
    const Eigen::RowVector2d of_pairs = units.colwise().sum().cwiseAbs2() - units.colwise().squaredNorm();
    products += of_pairs(0) * size / (1 - size);
    pairs += of_pairs(1) * right(j) * (1 - right(j));
  }
  return repeats_ > 1 && pairs > 0 ? std::max(0.0, products / pairs * repeats_ / (repeats_ - 1)) : 0;
}

Extrapolated PartAccuracies::curve(const Vector& weights, bool fixed, bool may_rise) const {
  const double training = training_share(weights);
  const Vector squares = weights.cwiseAbs2();
  const Vector parts = squares.cwiseProduct(variances_);
  // Satterthwaite (1946).
  const double spread = (parts.array().square() / (class_units_.array() - 1).max(1)).sum();
  const double units = (weights.array() > 0).select(class_units_, 0).sum();
  const double degrees = spread > 0 ? parts.sum() * parts.sum() / spread : units - 1;
  MeasuredCurve measured{parts_.sizes, 1 - accuracies(weights).array(), covariance(weights, fixed), degrees};
  measured.covariance.array() += squares.dot(more_variances_);
  const double folds = static_cast<double>(parts_.folds.size()) / static_cast<double>(kPoints);
  measured.covariance.diagonal().array() +=
      training * measured.errors.array() * (1 - measured.errors.array()) * (1 / parts_.sizes.array() - 1) / folds;
  return {LearningCurve(measured, may_rise), training, units, degrees};
}

ForecastValue value_of(const Extrapolated& of, double growth) {
  constexpr double kOfInterval = 0.9;
  constexpr double kNormal = 1e6;  // degrees of freedom
  const LearningCurve::Error error = of.curve.at(growth);
  ForecastValue value{1 - of.curve.at(1).mean, 1 - error.mean, {}};
  // Both the labels that there are and those that there will be are a draw: left-out accuracies say hardly anything of
  // which way these deviate from the mean over draws (Bates, Hastie and Tibshirani 2024).
  const double moderate = (of.units * value.then + 0.5) / (of.units + 1);
  const double whole = moderate * (1 - moderate);
  // Beyond the labels that there are the shape of the curve is an assumption: half of the gain is its error.
  const double gain = value.then - value.now;
  const double variance = error.variance + gain * gain / 4 + of.training_share * whole * (1 + 1 / growth);
  // The exact interval of as many independent units as have this variance, with Student's t (Korn and Graubard 1998).
  const double t = student_quantile(kNormal, kOfInterval) / student_quantile(of.degrees_of_freedom, kOfInterval);
  const double trials = whole / variance * t * t;
  value.interval = binomial_interval(trials * value.then, trials, kOfInterval);
  return value;
}

std::optional<Index> enough_features(const LearningCurve& overall, Index features) {
  const auto pays = [&](Index more) {
    const double size = 1 + static_cast<double>(more) / static_cast<double>(features);
    return overall.at(size).mean - overall.at(2 * size).mean >= kPayingGain;
  };
  const auto most = static_cast<Index>(kLargestGrowth * static_cast<double>(features));
  if (pays(most)) {
    return {};
  }
  const Indices more = consecutive(most);
  return std::ranges::partition_point(more, pays) - more.begin();
}

}  // namespace

LabelForecast forecast_accuracy(const LabelledSpectra& samples, const Indices& untrusted,
                                const ClassifierDesign& design, Index more, const Vector& shares,
                                const LeftOutOptions& options) {
  const std::vector<std::int64_t> regions = regions_of(samples.places);
  LabelForecast forecast;
  forecast.more = more;
  forecast.features = std::ssize(std::set<std::int64_t>(regions.begin(), regions.end()));
  forecast.units = units_by_class(samples.labels, samples.classes, units_of(samples.places));
  forecast.classes.resize(samples.classes);
  const Index judged = std::ranges::count_if(forecast.units, [](Index units) { return units >= kFewestCurveUnits; });
  if (judged < 2) {
    return forecast;
  }
  const PartAccuracies accuracies(samples, untrusted, design, forecast.units, options);
  const double growth = 1 + static_cast<double>(more) / static_cast<double>(forecast.features);
  const auto classes = static_cast<Index>(samples.classes);
  Vector counted = Vector::Zero(classes);
  for (Index c = 0; c < classes; ++c) {
    const auto k = static_cast<std::size_t>(c);
    if (forecast.units[k] >= kFewestCurveUnits) {
      counted(c) = 1;
      forecast.classes[k] = value_of(accuracies.curve(Vector::Unit(classes, c), true, true), growth);
    }
  }
  forecast.average = value_of(accuracies.curve(counted / counted.sum(), true, false), growth);
  const Vector weights = counted.cwiseProduct(shares.size() > 0 ? shares : accuracies.class_sizes());
  const Extrapolated overall = accuracies.curve(weights / weights.sum(), shares.size() > 0, false);
  forecast.overall = value_of(overall, growth);
  forecast.enough = enough_features(overall.curve, forecast.features);
  return forecast;
}

}  // namespace parsimap
