#include "parsimap/classifier/class_novelty.hpp"

#include <algorithm>
#include <set>

#include "parsimap/core/parallel_for.hpp"

namespace parsimap {
namespace {

constexpr Index kFolds = 5;

// Least noise variance of a class, as a part of the mean variance of a band over all classes.
constexpr double kLeastNoise = 1e-8;

// The fold of every sample of a class, given the regions they come from.
Indices fold_of(const std::vector<std::int64_t>& regions) {
  const auto count = static_cast<Index>(regions.size());
  const std::set<std::int64_t> distinct(regions.begin(), regions.end());
  const bool whole = static_cast<Index>(distinct.size()) >= kFolds;
  Indices folds;
  for (Index i = 0; i < count; ++i) {
    const Index rank = whole ? std::distance(distinct.begin(), distinct.find(regions[static_cast<std::size_t>(i)])) : i;
    folds.push_back(rank % std::min(kFolds, count));
  }
  return folds;
}

// Squared distances of the rows of `spectra`, each from a Gaussian that has not seen its fold.
Vector held_out_distances(const Matrix& spectra, const Indices& folds, const DimensionRule& rule, double least_noise) {
  Vector distances(spectra.rows());
  const Index count = *std::max_element(folds.begin(), folds.end()) + 1;
  for (Index fold = 0; fold < count; ++fold) {
    Indices seen;
    Indices held_out;
    for (std::size_t i = 0; i < folds.size(); ++i) {
      (folds[i] == fold ? held_out : seen).push_back(static_cast<Index>(i));
    }
    const ClassGaussian gaussian = class_gaussian(spectra(seen, Eigen::all), rule, least_noise);
    distances(held_out) = squared_mahalanobis(gaussian, spectra(held_out, Eigen::all));
  }
  return distances;
}

}  // namespace

std::vector<ClassNovelty> fit_novelty(const Matrix& spectra, const SampleSet& samples, const DimensionRule& rule,
                                      int threads) {
  const Eigen::RowVectorXd mean = spectra.colwise().mean();
  const double variance = (spectra.rowwise() - mean).squaredNorm() / static_cast<double>(spectra.size());
  const double least_noise = kLeastNoise * variance;
  std::vector<ClassNovelty> classes(samples.classes.size());
  parallel_for(static_cast<Index>(classes.size()), threads, [&](Index c) {
    const Indices members = class_rows(samples, static_cast<int>(c));
    std::vector<std::int64_t> regions;
    for (const Index i : members) {
      regions.push_back(samples.regions[static_cast<std::size_t>(i)]);
    }
    const Matrix own = spectra(members, Eigen::all);
    classes[static_cast<std::size_t>(c)] = {class_gaussian(own, rule, least_noise),
                                            fit_tail(held_out_distances(own, fold_of(regions), rule, least_noise))};
  });
  return classes;
}

}  // namespace parsimap
