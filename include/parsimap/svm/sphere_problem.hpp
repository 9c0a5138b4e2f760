// The smallest sphere that encloses the samples in the feature space of K~ = K + I/C, K_ii = 1 (docs/method.md, "The
// classifier and the enclosing sphere"):
//   R^2 = max sum b_i K~_ii - b' K~ b   over b >= 0, sum b_i = 1;   R^2 = 1 + 1/C - min b' K~ b.
//
// With z = argmin 1/2 z' K~ z - sum z_i over z >= 0, b = z / sum z and min b' K~ b = 1 / sum z. Solved by block
// principal pivoting (Portugal, Judice, Vicente 1994): exchange all infeasible samples at once, and one at a time when
// the number of infeasibilities has not fallen for some exchanges, which makes it finite.
#pragma once

#include "parsimap/svm/active_system.hpp"

namespace parsimap {

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
