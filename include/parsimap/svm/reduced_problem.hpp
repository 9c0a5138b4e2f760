// The L2-SVM of n samples on m centres, for n that no exact classifier can be trained on, and for classifiers that are
// to be small: docs/method.md has the problem and how Newton's method solves it. With random samples as centres it is
// the Nystroem approximation, with all samples as centres the classifier of svm/l2_svm.hpp. Where there are many
// samples, the method starts from the solution on a quarter of them, found in the same way.
#pragma once

#include "parsimap/core/matrix_forms.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/svm/linear_systems.hpp"

namespace parsimap {

struct ReducedOptions {
  Index iterations = 200;    // Newton points at most
  double tolerance = 1e-10;  // of the violation
  // Added to the diagonal of K_mm, relative to its mean; as much more as makes K_mm positive definite to working
  // precision. Kernel values of single precision need about 1e-6.
  double ridge = 0;
  int threads = 1;  // results do not depend on it
  Work work = {};   // receives the operations of systems; kernels count their own
};

struct ReducedSolution {
  Vector coefficients;  // g, m
  double bias = 0;
  Vector decision;       // f(x_i) of the training samples, n
  double objective = 0;  // J
  double ridge = 0;      // that was added to the diagonal of K_mm
  double scale = 0;  // norm of the gradient of J in (beta, bias) at f = 0, of the samples that the method began with
  double violation = 0;  // norm of the gradient over `scale`
  Index iterations = 0;  // Newton points computed of all samples
  SolverStop stop = SolverStop::iteration_limit;
};

// `labels` holds -1 and +1, both present, and `penalties` C_i > 0, as many as the form has samples.
ReducedSolution solve_reduced(const BasisForm& form, const Vector& labels, const Vector& penalties,
                              const ReducedOptions& options = {});

// The violation of a solution, with kernel values of `form`: those of the solution may have been rounded.
double reduced_violation(const BasisForm& form, const Vector& labels, const Vector& penalties,
                         const ReducedSolution& solution, int threads);

}  // namespace parsimap
