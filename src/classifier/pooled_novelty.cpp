#include "pooled_novelty.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/hdda/pooled_covariance.hpp"
#include "parsimap/samples/sampling.hpp"

namespace parsimap {
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
    std::vector<int> chosen;
    for (const Index i : rows) {
      chosen.push_back(labels[static_cast<std::size_t>(i)]);
    }
    return {chosen, static_cast<std::size_t>(sizes.size())};
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

// The mean of every group, groups x d; zero for one without samples.
Matrix group_means(const Matrix& spectra, const Groups& groups) {
  Matrix means = Matrix::Zero(groups.sizes.size(), spectra.cols());
  for (Index i = 0; i < spectra.rows(); ++i) {
    means.row(groups.labels[static_cast<std::size_t>(i)]) += spectra.row(i);
  }
  means.array().colwise() /= groups.sizes.array().max(1.0);
  return means;
}

// The Gaussian of the covariance within the groups. Its mean is zero: what it judges has been centred before.
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
  const Matrix seen = spectra(rows.train, Eigen::all);
  const Groups seen_groups = groups.at(rows.train);
  const std::vector<int> labels = groups.at(rows.test).labels;
  const Matrix centred = spectra(rows.test, Eigen::all) - group_means(seen, seen_groups)(labels, Eigen::all);
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
  std::vector<std::int64_t> regions;
  for (const Index i : rows) {
    regions.push_back(samples.regions[static_cast<std::size_t>(i)]);
  }
  std::vector<std::int64_t> distinct = regions;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const bool whole = static_cast<Index>(distinct.size()) >= kNoveltyFolds;
  Indices folds;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const auto rank = std::lower_bound(distinct.begin(), distinct.end(), regions[i]) - distinct.begin();
    folds.push_back((whole ? rank : static_cast<Index>(i)) % kNoveltyFolds);
  }
  return folds;
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
    all.insert(all.end(), distances.begin(), distances.end());
  }
  return {gaussian_about_zero(spectra, groups, rule),
          Eigen::Map<const Vector>(all.data(), static_cast<Index>(all.size()))};
}

ClassNovelty novelty_about_mean(const PooledNovelty& pooled, const Matrix& spectra) {
  ClassGaussian gaussian = pooled.gaussian;
  gaussian.mean = spectra.colwise().mean().transpose();
  return {std::move(gaussian), fit_tail(mean_factor(static_cast<double>(spectra.rows())) * pooled.distances)};
}

}  // namespace parsimap
