// How many directions of a class carry signal, by one of five rules (docs/method.md, "The class subspace model"). All
// of them look at the eigenvalues lambda_1 >= lambda_2 >= ... of the covariance of the class.
#pragma once

#include <string>

#include "parsimap/hdda/class_statistics.hpp"

namespace parsimap {

enum class DimensionMethod {
  scree,     // Cattell: the last i with lambda_i - lambda_(i+1) >= parameter * the largest such difference
  bic,       // the largest Bayesian information criterion of the submodel [a_ij b_i Q_i d_i];
             // too large where a class has hardly more samples than bands, as the paper says
  ml,        // the largest likelihood of the isotropic submodel [a b Q d], see below
  variance,  // the fewest directions that hold the fraction `parameter` of the total variance
  fixed      // `parameter` directions
};

struct DimensionRule {
  DimensionMethod method = DimensionMethod::scree;
  double parameter = 0.01;  // in (0, 1) for scree and variance, a whole number >= 1 for fixed, unused for bic and ml
};

// "scree:0.01", "bic", "ml", "variance:0.999", "fixed:10" and back; anything else is a ConfigError that states the form
// or the range that is broken.
DimensionRule parse_dimension_rule(const std::string& text);
std::string to_string(const DimensionRule& rule);

// Maximum likelihood takes the covariance to be a Q Q' + b (I - Q Q'), with a the mean of the first p eigenvalues and b
// that of the d - p others, and maximises -n/2 (p log a + (d - p) log b + d (1 + log 2 pi)). It needs no penalty: it is
// consistent where the p variances are about as large as each other (Bouveyron, Celeux, Girard, Intrinsic dimension
// estimation by maximum likelihood in isotropic probabilistic PCA, 2011). Where they differ much, it takes the first
// few; of fewer samples than bands it takes almost all directions they have.
//
// The dimension p of a class: 1 <= p <= min(r, d - 1) with r the number of non-zero eigenvalues, so that a noise
// subspace is left; 0 when there is no variance at all (r = 0). A fixed dimension larger than that is cut to it: small
// classes of a scene cannot hold more. Scree differences are taken over the non-zero eigenvalues only: the drop to zero
// at the rank of few samples says nothing about the class (docs/method.md, "The class subspace model").
Index intrinsic_dimension(const ClassStatistics& statistics, const DimensionRule& rule);

}  // namespace parsimap
