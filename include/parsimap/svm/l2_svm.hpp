// The quadratic problems of an L2-SVM: the largest margin between two classes, the smallest sphere around all samples,
// and the margin with a given set of centres.
#pragma once

#include "parsimap/core/matrix_forms.hpp"
#include "parsimap/svm/linear_systems.hpp"

namespace parsimap {

// The L2-SVM (docs/method.md, "The classifier and the enclosing sphere"). C_i is the penalty of
// sample i, mostly one C for all; a sample with twice the penalty is the same as two copies of it. Solved by Newton's
// method on the primal objective in function space (Chapelle 2007, Keerthi and DeCoste 2005),
//
//   J(w, b) = 1/2 |w|^2 + 1/2 sum_i C_i max(0, 1 - y_i f_i)^2.
//
// A step goes from a point towards the minimum of the quadratic function that J is as long as the same samples S stay
// inside the margin, and as far along this line as J falls. Any number of samples may change sides in a step.
//
// The number of steps is finite. H_S, the second derivative, is that of |w|^2 and of the losses in S, and the step d
// solves H_S d = -grad J. So J has the slope -d'H_S d along d, which is 0 only where d = 0 and the point is the
// optimum, whichever samples S has: those of one class, whose Newton point is the constant y, or none, where w falls
// and b stays. All curvature is at most H, that of all samples, and with d'H d <= kappa d'H_S d a step lowers J by at
// least d'H_S d / (2 kappa). So J falls to its minimum; near it S has all samples that are inside the margin of the
// optimum and otherwise only such as lie on the margin, which have no gradient there: the next Newton point is the
// optimum. A step that lowers J by less than rounding is counted, and the sixth of them ends, as do
// SolverOptions::iterations systems. The number of steps is in practice below 40 (tests/unit/svm/l2_svm_test.cpp).

// The labels of one class against the rest, n: +1 for the samples of class c and -1 for all others.
Vector labels_against_rest(const std::vector<int>& classes, int c);

// Whether labels have both sides: no classifier can be trained without.
bool has_both_classes(const Vector& labels);

// Samples that are the same but for their penalties share their slack, and one of them with the sum of the penalties
// has the same decision function: its coefficient is the sum of theirs.
struct DistinctSamples {
  Indices rows;                                              // the first of each, ascending
  Indices place;                                             // of every sample among `rows`
  [[nodiscard]] Vector sum(const Vector& of_samples) const;  // over the samples that are the same
};

// `samples` n x d, of which those are the same that have equal rows and equal classes.
DistinctSamples distinct_samples(const Matrix& samples, const std::vector<int>& classes);

struct MarginSolution {
  Vector coefficients;  // g, n; zero outside `support`
  double bias = 0;
  Vector decision;            // f(x_i) of the training samples, n
  Indices support;            // S, ascending
  double squared_margin = 0;  // M^2 = sum a_i
  double kkt_violation = 0;   // largest of |y_i - f_i - g_i/C_i| in S, 1 - y_i f_i outside, -a_i, |sum g_i|
  Index iterations = 0;       // Newton points
  SolverStop stop = SolverStop::iteration_limit;
};

// `labels` holds -1 and +1, both present, and `penalties` C_i > 0, as many as K has rows. `start` is a decision
// function f to start from (from a neighbouring problem), or null to start from the solution on half of the samples,
// found in the same way.
MarginSolution solve_margin(const QuadraticForm& kernel, const Vector& labels, const Vector& penalties,
                            const Vector* start = nullptr, const SolverOptions& options = {});

// The same with one penalty C for all samples.
MarginSolution solve_margin(const QuadraticForm& kernel, const Vector& labels, double C, const Vector* start = nullptr,
                            const SolverOptions& options = {});

// The same with the systems of K and C_i at hand, which may have been factorised for a neighbouring set.
MarginSolution solve_margin(ActiveSystem& system, const Vector& labels, const Vector* start,
                            const SolverOptions& options);

// The smallest sphere that encloses the samples in the feature space of K~ = K + I/C, K_ii = 1 (docs/method.md, "The
// classifier and the enclosing sphere"):
//   R^2 = max sum b_i K~_ii - b' K~ b   over b >= 0, sum b_i = 1;   R^2 = 1 + 1/C - min b' K~ b.
//
// With z = argmin 1/2 z' K~ z - sum z_i over z >= 0, b = z / sum z and min b' K~ b = 1 / sum z. Solved by block
// principal pivoting (Portugal, Judice, Vicente 1994): exchange all infeasible samples at once, and one at a time when
// the number of infeasibilities has not fallen for some exchanges, which makes it finite.
struct SphereSolution {
  Vector coefficients;        // b, n; on the simplex
  Indices support;            // b_i > 0, ascending
  double squared_radius = 0;  // R^2
  double kkt_violation = 0;   // largest of |(K~ b)_i - min| on the support, min - (K~ b)_i outside, min = b' K~ b
  Index iterations = 0;       // linear systems solved
  SolverStop stop = SolverStop::iteration_limit;
};

// C > 0. `start` is a support to start from, or null to start from the solution on half of the samples, found in the
// same way.
SphereSolution solve_sphere(const QuadraticForm& kernel, double C, const Indices* start = nullptr,
                            const SolverOptions& options = {});

// The same with the systems of K and C at hand, which may have been factorised for a neighbouring set. All samples have
// the same penalty there.
SphereSolution solve_sphere(ActiveSystem& system, const Indices* start, const SolverOptions& options = {});

}  // namespace parsimap
