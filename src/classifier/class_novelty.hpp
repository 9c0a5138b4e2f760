// How unlikely spectra are under every class, so that surfaces without training pixels are visible.
//
// Under a class, a spectrum is as likely as the tail probability of its distance from the class (class_distance.hpp).
// The distances are not taken to follow a known law, which spectra are far from: the tail is learnt from samples that
// their Gaussian was not estimated from, and that are measured from samples of other folds. Novelty is 1 less the
// largest of these probabilities.
#pragma once

#include <vector>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/samples/sample_set.hpp"
#include "parsimap/validation/left_out.hpp"

namespace parsimap {

// For every class of `samples`, whose scaled spectra are `spectra` (n x d, n >= 2); at least one sample of each. The
// Gaussian is that of all samples of the class. The tail is that of five folds, each held out of an estimate: whole
// regions where the class has at least five of them, else every fifth sample. A class of fewer than eight samples takes
// the covariance within all classes and the tail of all their samples, about its own mean (the linear discriminant's
// assumption; Friedman, Regularized discriminant analysis, 1989, for a middle way). No variance is less than 1e-8 of a
// band's usual one, so that classes of equal spectra have a Gaussian, too. `threads` classes at a time; the result does
// not depend on them. `work` receives the operations of every class, and may throw to stop.
std::vector<ClassNovelty> fit_novelty(const Matrix& spectra, const SampleSet& samples, const DimensionRule& rule,
                                      int threads, const Work& work = {});

// About how many operations that takes.
double novelty_work(const LabelledSpectra& samples);

// The dimension by `rule`, and no variance below that of fit_novelty() for these scaled spectra (n x d).
GaussianRule novelty_rule(const Matrix& spectra, const DimensionRule& rule);
// Which of the samples of a class, of so many classes, are kept to measure distances from: up to 50 drawn at random, or
// fewer of more than 50 classes, but ten.
Indices kept_samples(Index samples, std::size_t classes);
// Of the samples of one class (k x d, k >= 2).
ClassGaussian own_gaussian(const Matrix& spectra, const GaussianRule& rule);

// Novelty for classes of too few samples for a covariance: they take the one within all classes.
//
// With x_i a sample and m(i) the mean of its class, S = 1/n sum (x_i - m(i))(x_i - m(i))' is the covariance of the
// Gaussian, about the class's own mean. The tail is that of the squared distances of all samples from the means of
// their classes: five folds are held out of S and of the means. A mean of k samples is off by 1/k of the variance, so
// that a distance from it is 1 + 1/k times as large as from the true mean: held-out distances are divided by that, and
// multiplied by it for the class they are meant for.

// Samples that an estimate has not seen say how far others of their class are from it; so many folds are held out.
inline constexpr Index kNoveltyFolds = 5;

// The fold of each of the samples at `rows`, in [0, kNoveltyFolds): whole regions in one fold where they come from at
// least as many regions as folds, else every fifth sample. Fewer samples than folds are each a fold of their own.
Indices novelty_folds(const SampleSet& samples, const Indices& rows);

// Fewest samples of a class for a covariance and a tail of its own: from this number on, unlabelled surfaces of
// Salinas-A are detected better with them, and the tail is not too flat to be useful. Also the fewest degrees of
// freedom of S: where all classes together have fewer, S and m are those of all samples as one class, which calls
// little of a scene novel.
inline constexpr Index kFewestSamples = 8;

struct PooledNovelty {
  ClassGaussian gaussian;  // about 0
  Vector distances;        // squared, of held-out samples, as from the true means
};

// Of all samples, whose scaled spectra are `spectra` (n x d, n >= 2). Folds are those of
// novelty_folds(), another first one for each class, so that none takes the first sample of all.
PooledNovelty pooled_novelty(const Matrix& spectra, const SampleSet& samples, const GaussianRule& rule, int threads);

// The novelty of one class with these samples (k x d, k >= 1).
ClassNovelty novelty_about_mean(const PooledNovelty& pooled, const Matrix& spectra);

}  // namespace parsimap
