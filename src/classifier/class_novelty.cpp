#include "parsimap/classifier/class_novelty.hpp"

#include <algorithm>
#include <optional>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/samples/sample_set.hpp"

#include "pooled_novelty.hpp"

namespace parsimap {
namespace {

// Least variance of a class in any direction, as a part of the usual one of a band over all classes.
constexpr double kLeastVariance = 1e-8;

double least_variance(const Matrix& spectra) {
  const double usual = usual_distance((spectra.rowwise() - band_medians(spectra).transpose()).rowwise().norm());
  return kLeastVariance * usual * usual / static_cast<double>(spectra.cols());
}

ClassGaussian own_gaussian(const Matrix& spectra, const GaussianRule& rule) {
  return class_gaussian(class_statistics(spectra), spectra.rows() - 1, rule);
}

// Squared distances of the rows of `spectra`, each from a Gaussian that has not seen its fold: the samples that made a
// covariance are nearer to it than others of their class, and a tail learnt from them would call too much novel.
Vector held_out_distances(const Matrix& spectra, const Indices& folds, const GaussianRule& rule, int threads) {
  Vector distances(spectra.rows());
  parallel_for(kNoveltyFolds, threads, [&](Index fold) {
    const FoldRows rows = rows_of_fold(folds, fold);
    const ClassGaussian gaussian = own_gaussian(spectra(rows.train, Eigen::all), rule);
    distances(rows.test) = squared_mahalanobis(gaussian, spectra(rows.test, Eigen::all));
  });
  return distances;
}

// Of all samples, and without every fold.
double class_work(Index samples, Index bands) {
  return static_cast<double>(kNoveltyFolds + 1) * statistics_operations(samples, bands);
}

}  // namespace

double novelty_work(const SampleSet& samples) {
  double sum = 0;
  for (const Index own : class_counts(samples)) {
    sum += class_work(own, samples.spectra.cols());
  }
  return sum;
}

std::vector<ClassNovelty> fit_novelty(const Matrix& spectra, const SampleSet& samples, const DimensionRule& rule,
                                      int threads, const Work& work) {
  const GaussianRule gaussians{rule, least_variance(spectra)};
  const std::vector<Index> counts = class_counts(samples);
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
      const Indices folds = novelty_folds(samples, members);
      novelty = {own_gaussian(own, gaussians), fit_tail(held_out_distances(own, folds, gaussians, threads))};
    }
    count_work(work, class_work(own.rows(), own.cols()));
  });
  return classes;
}

}  // namespace parsimap
