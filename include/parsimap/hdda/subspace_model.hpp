// Class models of high-dimensional discriminant analysis (HDDA): the dimension of a class's subspace, the model, and
// models whose covariance is blended with that within all classes.
#pragma once

#include <string>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/hdda/class_statistics.hpp"

namespace parsimap {

// How many directions of a class carry signal, by one of five rules (docs/method.md, "The class subspace model"). All
// of them look at the eigenvalues lambda_1 >= lambda_2 >= ... of the covariance of the class.
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

// The class model of high-dimensional discriminant analysis, submodel [a_ij b_i Q_i d_i]: covariance
// Q diag(a) Q' + b (I - Q Q'), with p signal directions and one noise variance (Bouveyron, Girard, Schmid 2007).
struct SubspaceModel {
  Matrix directions;          // Q, d x p, orthonormal columns
  Vector variances;           // a, p, descending, > 0
  double noise_variance = 0;  // b = (trace - sum a) / (d - p), >= 0

  [[nodiscard]] Index dimension() const { return variances.size(); }
};

SubspaceModel subspace_model(const ClassStatistics& statistics, const DimensionRule& rule);

// With p directions, 0 <= p <= the number of eigenvalues.
SubspaceModel subspace_model(const ClassStatistics& statistics, Index p);

// A class as a Gaussian in its subspace model: how far spectra are from it, in its own variances.
struct ClassGaussian {
  Vector mean;             // d
  SubspaceModel subspace;  // variances and noise_variance > 0
};

struct GaussianRule {
  DimensionRule dimension;
  double least_variance = 0;  // of signal and noise, > 0: samples may be equal, or lie in a plane
};

// The Gaussian of `statistics`, of samples with `freedom` degrees of freedom: their number less that of the means they
// were centred on. It has half as many directions at most, whatever the rule of dimension says, so that the noise
// variance comes from samples, too: where the directions contain all of few samples nothing is left for the noise, and
// with the least variance in its place other samples of the class would be any number of standard deviations away.
ClassGaussian class_gaussian(const ClassStatistics& statistics, Index freedom, const GaussianRule& rule);

// (x - mean)' S^-1 (x - mean) of the rows x of `spectra` (m x d) with S = Q diag(a) Q' + b (I - Q Q'), without S:
// sum_i (q_i'(x - mean))^2 / a_i + (|x - mean|^2 - sum_i (q_i'(x - mean))^2) / b.
Vector squared_mahalanobis(const ClassGaussian& gaussian, const Matrix& spectra);

// Class models whose covariance is blended with the pooled one within the classes, rho S_c + (1 - rho) S_w (Friedman
// 1989, regularised discriminant analysis): a class of few samples borrows the shape of the others.
//
// S_c = 1/n_c sum (x - m_c)(x - m_c)' over the samples of class c, m_c their mean; S_w = sum_c n_c/n S_c. The blend is
// A'A for the n x d matrix A of the samples centred on the means of their classes, sample i multiplied by
// sqrt([i in c] rho/n_c + (1 - rho)/n), so that its model comes from n x n where there are fewer samples than bands.
class BlendedModels {
 public:
  // A class with fewer samples than this has no covariance of its own worth the name: it takes the pooled one.
  static constexpr Index kLeastSamples = 4;

  // `spectra` n x d, n >= 1; `labels` n class indices in [0, classes). Classes may lack samples.
  BlendedModels(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes);

  // The model of rho S_c + (1 - rho) S_w for `blend` rho in [0, 1]. Without any variance it has no directions and noise
  // variance 0.
  [[nodiscard]] SubspaceModel model(int c, double blend, const DimensionRule& rule) const;

 private:
  Matrix centred_;                // n x d, every sample less the mean of its class
  std::vector<Indices> members_;  // by class, ascending
};

// The class models of hdda/subspace_model.hpp from the covariances themselves, for far more samples than bands:
// matrices of d x d per class are held in place of a centred copy of all spectra. They are added up block by block, in
// the order of the samples, and equal the others to rounding.
class BlendedCovariances {
 public:
  // `spectra` n x d, n >= 1; `labels` n class indices in [0, classes). Classes may lack samples. `threads` classes at a
  // time; the result does not depend on them.
  BlendedCovariances(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes, int threads);

  // As BlendedModels::model.
  [[nodiscard]] SubspaceModel model(int c, double blend, const DimensionRule& rule) const;

 private:
  std::vector<Matrix> own_;    // S_c by class, d x d
  std::vector<Index> counts_;  // n_c
  Matrix within_;              // S_w
};

}  // namespace parsimap
