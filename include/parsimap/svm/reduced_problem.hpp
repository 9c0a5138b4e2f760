// The L2-SVM of n samples on m centres, for n that no exact classifier can be trained on, and for classifiers that are
// to be small. The function is restricted to the kernels about the centres z_j, f(x) = sum_j g_j k(x, z_j) + bias, and
//
//   J(g, bias) = 1/2 g' K_mm g + 1/2 sum_i C_i max(0, 1 - y_i f(x_i))^2
//
// is minimised over all samples (Keerthi, Chapelle and DeCoste 2006, "Building support vector machines with reduced
// classifier complexity"); with random samples as centres it is the Nystroem approximation (Williams and Seeger 2001),
// whose accuracy is that of the exact classifier from some multiple of sqrt(n) centres on (Rudi, Camoriano and Rosasco
// 2015; Rudi, Carratino and Rosasco 2017). With all samples as centres it is the classifier of svm/l2_svm.hpp.
//
// Solved by Newton's method with an exact line search on the piecewise quadratic J, as there: S are the samples inside
// the margin, and the minimum of J with S held fixed solves a system of m + 1 unknowns. Its sums over S change only by
// the samples that enter or leave S. The unknowns are beta = L'g with K_mm = L L', so that the system is I + sum
// C_i (L^-1 k_i)(L^-1 k_i)', k_i the kernel values of sample i, however close to singular K_mm is. Where there are many
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
