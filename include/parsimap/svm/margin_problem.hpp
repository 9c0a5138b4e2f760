// The L2-SVM (docs/method.md, "The classifier and the enclosing sphere"). With K~ = K + diag(1/C_i) and labels y in {-1,
// +1}:
//
//   M^2 = max 2 sum a_i - sum_ij a_i a_j y_i y_j K~_ij   over a >= 0, sum a_i y_i = 0,
//
// the dual of min 1/2 |w|^2 + 1/2 sum C_i max(0, 1 - y_i f(x_i))^2 with f = K g + bias, g_i = a_i y_i. C_i is the
// penalty of sample i, mostly one C for all. A sample with twice the penalty is the same as two copies of it.
//
// Solved by Newton's method on the primal objective in function space (Chapelle 2007, Keerthi and DeCoste 2005): on the
// samples inside the margin, S, solve [K~_SS, 1; 1', 0][g; bias] = [y_S; 0]; an exact line search on the piecewise
// quadratic objective makes it finite. At the optimum S = {i : y_i f(x_i) < 1} = {i : a_i > 0} and M^2 = sum a_i.
#pragma once

#include "parsimap/svm/active_system.hpp"

namespace parsimap {

struct MarginSolution {
  Vector coefficients;  // g, n; zero outside `support`
  double bias = 0;
  Vector decision;            // f(x_i) of the training samples, n
  Indices support;            // S, ascending
  double squared_margin = 0;  // M^2 = sum a_i
  double kkt_violation = 0;   // largest of |y_i - f_i - g_i/C_i| in S, 1 - y_i f_i outside, -a_i, |sum g_i|
  Index iterations = 0;       // linear systems solved
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

}  // namespace parsimap
