// Systems A_SS x = b of one matrix A = K + diag(1/C_i) on index sets S that change little from one to the next, as an
// active-set method asks for them.
//
// One set F is factorised. With R = F \ S and N = S \ F the solution on S is that of the bordered system
//
//   [ A_FF  A_FN  E_R ] [x_F]   [b_F]
//   [ A_NF  A_NN   0  ] [x_N] = [b_N],   b_R = 0,
//   [ E_R'   0     0  ] [ m ]   [ 0 ]
//
// which holds x_R at zero: two products with L^-1 and a small system of order |R| + |N|, instead of a factorisation of
// A_SS. Sets that differ too much from F are factorised in its place. Sets too large to factorise are solved
// iteratively.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "parsimap/core/quadratic_form.hpp"
#include "parsimap/core/types.hpp"
#include "parsimap/svm/cholesky.hpp"
#include "parsimap/svm/iterative_system.hpp"

namespace parsimap {

// Why a solver of one of the two quadratic problems of an L2-SVM stopped.
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
  Work work = {};   // told of the operations of factorisations and iterations; kernels count their own
  int threads = 1;  // share a factorisation or an iteration, with the same result for any number of them
};

class ActiveSystem {
 public:
  // `penalties` holds C_i > 0 of every sample of the kernel, which is kept by the caller.
  ActiveSystem(const QuadraticForm& kernel, Vector penalties, SolverOptions options = {})
      : kernel_(kernel), penalties_(std::move(penalties)), options_(std::move(options)) {}
  // The same penalty C for all samples.
  ActiveSystem(const QuadraticForm& kernel, double C, SolverOptions options = {})
      : ActiveSystem(kernel, Vector(Vector::Constant(kernel.size(), C)), std::move(options)) {}

  [[nodiscard]] const QuadraticForm& kernel() const { return kernel_; }
  [[nodiscard]] const Vector& penalties() const { return penalties_; }

  [[nodiscard]] bool can_factorise(const Indices& set) const {
    return static_cast<Index>(set.size()) <= options_.largest_factor;
  }

  // Factorises A_SS for an ascending set; false when it is not positive definite to working precision.
  bool factorise(const Indices& set);
  // The set factorised last.
  [[nodiscard]] const Indices& factorised() const { return base_; }

  // Replaces `right` (|S| x any) by A_SS^-1 right for an ascending set S; false when A_SS, or the set factorised in
  // between, is not positive definite, or when the iteration does not converge.
  bool solve(const Indices& set, Matrix& right);

 private:
  struct Exchange;
  [[nodiscard]] Exchange exchange(const Indices& set) const;
  [[nodiscard]] Matrix solve_exchanged(const Exchange& exchange, const Indices& set, const Matrix& right) const;

  const QuadraticForm& kernel_;
  Vector penalties_;
  SolverOptions options_;
  Indices base_;
  Cholesky factor_;
  std::optional<IterativeSystem> iterative_;  // of the set last solved iteratively
};

}  // namespace parsimap
