// The radius-margin bound T = R^2 M^2 of an L2-SVM (Vapnik; Chapelle et al. 2002) and its gradient, with the paper's
// printed derivatives corrected (docs/method.md, "The radius-margin bound"). T = n - 1 is its trivial plateau (C -> 0).
#pragma once

#include "parsimap/selection/criterion.hpp"
#include "parsimap/svm/margin_problem.hpp"
#include "parsimap/svm/sphere_problem.hpp"

namespace parsimap {

// Evaluations start from the solution of the one before (warm start), which changes their cost and never their value
// beyond the solver's tolerance.
class RadiusMargin {
 public:
  // `labels` in {-1, +1}, as many as the geometry has samples; the geometry is kept by the caller. `work` is told of
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

}  // namespace parsimap
