#include "class_novelty.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/hdda/class_statistics.hpp"
#include "parsimap/samples/sampling.hpp"
#include "parsimap/validation/folds.hpp"

#include "class_distance.hpp"

namespace parsimap {

constexpr Index kPoints = 20;          // of the table, at most
constexpr Index kFewestLargest = 10;   // values that give the exponent, where there are as many in half of the sample
constexpr double kLeastValue = 1e-12;  // logarithms are taken
constexpr Index kNearSamples = 95;     // percent that are near to another one
constexpr double kLargestExponent = 100;  // of a sample whose largest values are equal

TailTable fit_tail(Vector sample) {
  // Hill's estimate (1975) of the exponent of the tail from the m largest values: h = m / sum log(D_i / D_last), where
  // D_last is the largest of the other values. m is a tenth of the sample, at least ten, but at most half of it: few
  // enough to be the tail, and enough for an exponent with a standard error of about h / sqrt(m). The other values give
  // the table of quantiles (docs/method.md, "Novelty").
  const Index n = sample.size();
  sample = sample.cwiseMax(kLeastValue);
  std::sort(sample.begin(), sample.end());
  const Index largest = std::max(n / 10, std::min(kFewestLargest, n / 2));
  const Index body = n - largest;
  const double threshold = sample(body - 1);
  const double excess = (sample.tail(largest).array() / threshold).log().sum();

  TailTable table;
  table.exponent = std::min(kLargestExponent, static_cast<double>(largest) / std::max(excess, kLeastValue));
  const Index points = std::min(kPoints, body);
  table.values.resize(points);
  table.probabilities.resize(points);
  Index count = 0;
  for (Index i = 1; i <= points; ++i) {
    // The value of rank j of n is reached or exceeded with the probability (n + 1 - j)/(n + 1).
    const Index rank = i * body / points;
    // Of equal values only the last is kept, because the values of the table must ascend.
    if (count > 0 && !(sample(rank - 1) > table.values(count - 1))) {
      --count;
    }
    table.values(count) = sample(rank - 1);
    table.probabilities(count) = static_cast<double>(n + 1 - rank) / static_cast<double>(n + 1);
    ++count;
  }
  table.values.conservativeResize(count);
  table.probabilities.conservativeResize(count);
  return table;
}

double tail_probability(const TailTable& table, double value) {
  // A distance that is no number belongs to a damaged spectrum, which is as novel as can be.
  if (std::isnan(value)) {
    return 0;
  }
  const Index last = table.values.size() - 1;
  // Beyond the table the probability decreases like a power of the distance, and is continuous at the last value.
  // Within it is interpolated linearly, from 1 at the distance 0.
  if (value >= table.values(last)) {
    return table.probabilities(last) * std::pow(table.values(last) / value, table.exponent);
  }
  const Index above = std::upper_bound(table.values.begin(), table.values.end(), value) - table.values.begin();
  const double low = above > 0 ? table.values(above - 1) : 0;
  const double start = above > 0 ? table.probabilities(above - 1) : 1;
  const double fraction = (value - low) / (table.values(above) - low);
  return start + fraction * (table.probabilities(above) - start);
}

namespace {

// Samples in groups, each of which has a mean of its own, while all have one covariance.
struct Groups {
  std::vector<int> labels;  // of every sample
  Vector sizes;             // of every group

  Groups(std::vector<int> of_samples, std::size_t count) : labels(std::move(of_samples)) {
    sizes = Vector::Zero(static_cast<Index>(count));
    for (const int label : labels) {
      sizes(label) += 1;
    }
  }
  [[nodiscard]] Index freedom() const { return static_cast<Index>(labels.size()) - (sizes.array() > 0).count(); }
  [[nodiscard]] Groups at(const Indices& rows) const {
    return {values_at(labels, rows), static_cast<std::size_t>(sizes.size())};
  }
};

// The classes, or all samples as one group where classes leave too few degrees of freedom for a covariance.
Groups groups_of(const SampleSet& samples) {
  Groups classes(samples.labels, samples.classes.size());
  return classes.freedom() >= kFewestSamples ? classes : Groups(std::vector<int>(samples.labels.size(), 0), 1);
}

// The fold of every sample. Groups begin with different folds, so that small groups do not all fill the first.
Indices folds_by_group(const SampleSet& samples, const Groups& groups) {
  const std::vector<Indices> rows = rows_by_class(groups.labels, static_cast<std::size_t>(groups.sizes.size()));
  Indices folds(groups.labels.size());
  for (std::size_t group = 0; group < rows.size(); ++group) {
    const Indices own = novelty_folds(samples, rows[group]);
    for (std::size_t k = 0; k < own.size(); ++k) {
      folds[static_cast<std::size_t>(rows[group][k])] = (own[k] + static_cast<Index>(group)) % kNoveltyFolds;
    }
  }
  return folds;
}

// The Gaussian of the covariance within the groups. Its mean is zero, because the spectra it is used for are centred
// before.
ClassGaussian gaussian_about_zero(const Matrix& spectra, const Groups& groups, const GaussianRule& rule) {
  const auto count = static_cast<std::size_t>(groups.sizes.size());
  ClassGaussian gaussian =
      class_gaussian(class_statistics(centred_by_class(spectra, groups.labels, count)), groups.freedom(), rule);
  gaussian.mean.setZero();
  return gaussian;
}

// By how much squared distances from a mean of so many samples are larger than from the true one: that mean is off by
// 1/k of the variance itself.
double mean_factor(double samples) { return 1 + 1 / samples; }

// Squared distances of the held-out samples from the means of their groups, as if these were the true means. Samples of
// groups that the fold holds as a whole have no mean to be measured from and are left out.
std::vector<double> held_out_distances(const Matrix& spectra, const Groups& groups, const FoldRows& rows,
                                       const GaussianRule& rule) {
  // Covariance and means are those of the other folds. The held-out samples are centred on the mean of their own group,
  // and the error of this mean is removed from their squared distances.
  const Matrix seen = spectra(rows.train, Eigen::all);
  const Groups seen_groups = groups.at(rows.train);
  const std::vector<int> labels = groups.at(rows.test).labels;
  const Matrix means = class_means(seen, seen_groups.labels, static_cast<std::size_t>(groups.sizes.size()));
  const Matrix centred = spectra(rows.test, Eigen::all) - means(labels, Eigen::all);
  const Vector from_means = squared_mahalanobis(gaussian_about_zero(seen, seen_groups, rule), centred);
  std::vector<double> distances;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double size = seen_groups.sizes(labels[i]);
    if (size > 0) {
      distances.push_back(from_means(static_cast<Index>(i)) / mean_factor(size));
    }
  }
  return distances;
}

}  // namespace

Indices novelty_folds(const SampleSet& samples, const Indices& rows) {
  const Ranks regions = ranks(regions_of(values_at(samples.places, rows)));
  // With at least as many regions as folds, whole regions are held out: the regions are dealt to the folds in the order
  // of their numbers. Otherwise the samples are, in their order.
  return mapped<Index>(regions.count >= kNoveltyFolds ? regions.places : consecutive(std::ssize(rows)),
                       [](Index number) { return number % kNoveltyFolds; });
}

PooledNovelty pooled_novelty(const Matrix& spectra, const SampleSet& samples, const GaussianRule& rule, int threads) {
  const Groups groups = groups_of(samples);
  const Indices folds = folds_by_group(samples, groups);
  std::vector<std::vector<double>> by_fold(kNoveltyFolds);
  parallel_for(kNoveltyFolds, threads, [&](Index fold) {
    const FoldRows rows = rows_of_fold(folds, fold);
    if (!rows.test.empty()) {
      by_fold[static_cast<std::size_t>(fold)] = held_out_distances(spectra, groups, rows, rule);
    }
  });
  std::vector<double> all;
  for (const std::vector<double>& distances : by_fold) {
    add_all(all, distances);
  }
  return {gaussian_about_zero(spectra, groups, rule),
          Eigen::Map<const Vector>(all.data(), static_cast<Index>(all.size()))};
}

ClassNovelty novelty_about_mean(const PooledNovelty& pooled, const Matrix& spectra) {
  ClassGaussian gaussian = pooled.gaussian;
  gaussian.mean = spectra.colwise().mean().transpose();
  return {std::move(gaussian), fit_tail(mean_factor(static_cast<double>(spectra.rows())) * pooled.distances)};
}

// Least variance of a class in any direction, as a part of the usual one of a band over all classes.
constexpr double kLeastVariance = 1e-8;

static double least_variance(const Matrix& spectra) {
  // The usual squared distance of a sample from the medians is the sum of the variances of all bands, so that this
  // divided by d is the usual variance of one band.
  const double usual = usual_distance((spectra.rowwise() - band_medians(spectra).transpose()).rowwise().norm());
  return kLeastVariance * usual * usual / static_cast<double>(spectra.cols());
}

GaussianRule novelty_rule(const Matrix& spectra, const DimensionRule& rule) { return {rule, least_variance(spectra)}; }

ClassGaussian own_gaussian(const Matrix& spectra, const GaussianRule& rule) {
  return class_gaussian(class_statistics(spectra), spectra.rows() - 1, rule);
}

// Of the samples of a class, whose spectra are `spectra`, each measured from a Gaussian and those of the samples `kept`
// that have not seen its fold: the samples that made a covariance are nearer to it than others of their class, and a
// tail learnt from them would call too much novel.
static ClassNovelty own_novelty(const Matrix& spectra, const Indices& kept, const Indices& folds,
                                const GaussianRule& rule, int threads) {
  Vector distances(spectra.rows());
  Vector nearest(spectra.rows());
  parallel_for(kNoveltyFolds, threads, [&](Index fold) {
    const FoldRows rows = rows_of_fold(folds, fold);
    const Indices others = filtered(kept, [&](Index i) { return folds[static_cast<std::size_t>(i)] != fold; });
    const ClassDistance distance(own_gaussian(spectra(rows.train, Eigen::all), rule), spectra(others, Eigen::all));
    const SquaredDistances found = distance(spectra(rows.test, Eigen::all));
    distances(rows.test) = found.from_class();
    // Nearly all samples may lie in one region, and with it all that are kept.
    nearest(rows.test) = others.empty() ? found.from_mean : Vector(found.from_samples.rowwise().minCoeff());
  });
  const Index rank = kNearSamples * (nearest.size() - 1) / 100;
  std::nth_element(nearest.begin(), nearest.begin() + rank, nearest.end());
  return {own_gaussian(spectra, rule), fit_tail(distances), spectra(kept, Eigen::all), nearest(rank)};
}

Indices kept_samples(Index samples, std::size_t classes) {
  constexpr Index kOfClass = 50;
  constexpr Index kFewestOfClass = 10;
  constexpr Index kOfModel = 2500;  // which bounds the model's file
  const Index most = std::clamp(kOfModel / static_cast<Index>(classes), kFewestOfClass, kOfClass);
  return draw_per_class(std::vector<int>(static_cast<std::size_t>(samples), 0), 1, most, 0);
}

// Of all samples, and without every fold.
static double class_work(Index samples, Index bands) {
  return static_cast<double>(kNoveltyFolds + 1) * statistics_operations(samples, bands);
}

double novelty_work(const LabelledSpectra& samples) {
  return total(class_counts(samples.labels, samples.classes),
               [&](Index own) { return class_work(own, samples.bands()); });
}

std::vector<ClassNovelty> fit_novelty(const Matrix& spectra, const SampleSet& samples, const DimensionRule& rule,
                                      int threads, const Work& work) {
  const GaussianRule gaussians = novelty_rule(spectra, rule);
  const std::vector<Index> counts = class_counts(samples);
  // The covariance within all classes is estimated only if a class needs it, and is shared by all that do.
  std::optional<PooledNovelty> pooled;
  if (std::any_of(counts.begin(), counts.end(), [](Index count) { return count < kFewestSamples; })) {
    pooled = pooled_novelty(spectra, samples, gaussians, threads);
  }
  std::vector<ClassNovelty> classes(counts.size());
  parallel_for(static_cast<Index>(classes.size()), threads, [&](Index c) {
    const Indices members = class_rows(samples, static_cast<int>(c));
    const Matrix own = spectra(members, Eigen::all);
    ClassNovelty& novelty = classes[static_cast<std::size_t>(c)];
    if (own.rows() < kFewestSamples) {
      novelty = novelty_about_mean(*pooled, own);
    } else {
      const Indices kept = kept_samples(own.rows(), classes.size());
      const Indices folds = novelty_folds(samples, members);
      novelty = own_novelty(own, kept, folds, gaussians, threads);
    }
    count_work(work, class_work(own.rows(), own.cols()));
  });
  return classes;
}

}  // namespace parsimap
