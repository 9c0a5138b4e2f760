// How unlikely spectra are under every class, so that surfaces nobody labelled are visible.
//
// Under a class, a spectrum is as likely as the tail probability of its squared Mahalanobis distance in the class's
// HDDA Gaussian. The distances are not taken to follow a chi-square law, which spectra are far from: the tail is learnt
// from samples that their Gaussian was not estimated from. Novelty is 1 less the largest of these probabilities.
#pragma once

#include <vector>

#include "parsimap/classifier/tail_probability.hpp"
#include "parsimap/core/work.hpp"
#include "parsimap/hdda/subspace_model.hpp"
#include "parsimap/samples/sample_set.hpp"

namespace parsimap {

struct ClassNovelty {
  ClassGaussian gaussian;  // in scaled features
  TailTable tail;          // of squared Mahalanobis distances of the class's own spectra
};

// For every class of `samples`, whose scaled spectra are `spectra` (n x d, n >= 2); at least one sample of each. The
// Gaussian is that of all samples of the class. The tail is that of five folds, each held out of an estimate: whole
// regions where the class has at least five of them, else every fifth sample. A class of fewer than eight samples takes
// the covariance within all classes and the tail of all their samples, about its own mean (the linear discriminant's
// assumption; Friedman, Regularized discriminant analysis, 1989, for a middle way). No variance is less than 1e-8 of a
// band's usual one, so that classes of equal spectra have a Gaussian, too. `threads` classes at a time; the result does
// not depend on them. `work` is told of the operations of every class, and may throw to stop.
std::vector<ClassNovelty> fit_novelty(const Matrix& spectra, const SampleSet& samples, const DimensionRule& rule,
                                      int threads, const Work& work = {});

// About how many operations that takes.
double novelty_work(const SampleSet& samples);

}  // namespace parsimap
