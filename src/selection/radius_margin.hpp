// The radius-margin bound and the space in which it is searched.
#pragma once

#include <vector>

#include "parsimap/selection/descent.hpp"
#include "parsimap/svm/l2_svm.hpp"

namespace parsimap {

// The radius-margin bound T = R^2 M^2 of an L2-SVM (Vapnik; Chapelle et al. 2002) and its gradient, with the paper's
// printed derivatives corrected (docs/method.md, "The radius-margin bound"). Its plateau is that of is_trivial().

// Evaluations start from the solution of the one before (warm start), which changes their cost and never their value
// beyond the solver's tolerance.
class RadiusMargin {
 public:
  // `labels` in {-1, +1}, as many as the geometry has samples; the geometry is kept by the caller. `work` receives
  // the operations of evaluations, which `threads` share.
  RadiusMargin(const TrainingGeometry& geometry, Vector labels, Work work = {}, int threads = 1);

  CriterionValue evaluate(const Hyperparameters& parameters, bool with_gradient);

 private:
  // Where an evaluation may start: the solution of another one.
  struct Start {
    Vector theta;
    Vector decision;
    Indices enclosed;  // support of the sphere
    double value = 0;
  };
  [[nodiscard]] const Start* nearest(const Vector& theta) const;
  [[nodiscard]] Vector gradient(const Hyperparameters& parameters, const MarginSolution& margin,
                                const SphereSolution& sphere) const;

  const TrainingGeometry& geometry_;
  Vector labels_;
  Work work_;
  int threads_;
  Matrix kernel_;  // of the last evaluation; its memory is used again
  Start last_;
  Start lowest_;  // of the evaluations so far: a descent comes back to it from steps that were too long
};

// Where the search for hyperparameters starts, and the bounds it stays in. Both are in units of the data, so that
// scenes of any magnitude are searched alike.
class SearchSpace {
 public:
  SearchSpace(const BinaryProblem& problem, KernelFamily family);

  // Starts to compare, in groups: weights ~ tau * variance^-e for exponents e (0: Euclidean, 1: Mahalanobis, and
  // others), tau such that the mean squared distance between samples takes each of some values, and C. A group has one
  // exponent and one C; its best member stands for it.
  [[nodiscard]] std::vector<std::vector<Hyperparameters>> scan() const;

  // Starts of the HDDA kernel near the optimum of the Gaussian (no directional weights) or of the PCA kernel (no
  // isotropic weight), from the limit itself to far inside the family.
  [[nodiscard]] std::vector<Hyperparameters> near_limit(const Hyperparameters& limit) const;

  // The box of theta.
  [[nodiscard]] Vector lower() const;
  [[nodiscard]] Vector upper() const;

 private:
  [[nodiscard]] Vector shape(double exponent) const;

  Index directions_;
  bool has_isotropic_;
  Vector unit_;       // mean squared distance between samples along each direction and, where present, in all bands
  Vector variances_;  // of the class, in the same order
};

}  // namespace parsimap
