// What the two quadratic problems of an L2-SVM have in common: why a solver stopped, and its limits.
#pragma once

#include <limits>
#include <string>

#include "parsimap/core/types.hpp"

namespace parsimap {

enum class SolverStop {
  optimal,          // the active set is that of the optimum, or the KKT violation is below the tolerance
  iteration_limit,  // the iterations ran out; the solution is the best feasible one known, not the optimum
  not_positive      // K + diag(1/C_i) is not positive definite to working precision
};

std::string to_string(SolverStop stop);

struct SolverOptions {
  Index iterations = 200;       // linear systems at most
  double kkt_tolerance = 1e-9;  // of a solution whose active set still flickers between ties
  // Order of the margin problem's systems that are factorised at most; larger ones are solved iteratively.
  Index largest_factor = std::numeric_limits<Index>::max();
};

}  // namespace parsimap
