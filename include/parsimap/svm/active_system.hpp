// Systems A_SS x = b of one matrix A = K + I/C on index sets S that change little from one to the next, as an
// active-set method asks for them.
//
// One set F is factorised. With R = F \ S and N = S \ F the solution on S is that of the bordered system
//
//   [ A_FF  A_FN  E_R ] [x_F]   [b_F]
//   [ A_NF  A_NN   0  ] [x_N] = [b_N],   b_R = 0,
//   [ E_R'   0     0  ] [ m ]   [ 0 ]
//
// which holds x_R at zero: two products with L^-1 and a small system of order |R| + |N|, instead of a factorisation of
// A_SS. Sets that differ too much from F are factorised in its place.
#pragma once

#include "parsimap/core/quadratic_form.hpp"
#include "parsimap/svm/cholesky.hpp"

namespace parsimap {

class ActiveSystem {
 public:
  // C > 0; the kernel is kept by the caller.
  ActiveSystem(const QuadraticForm& kernel, double C) : kernel_(kernel), C_(C) {}

  [[nodiscard]] const QuadraticForm& kernel() const { return kernel_; }
  [[nodiscard]] double C() const { return C_; }

  // Factorises A_SS for an ascending set; false when it is not positive definite to working precision.
  bool factorise(const Indices& set);
  // The set factorised last.
  [[nodiscard]] const Indices& factorised() const { return base_; }
  // Its factor, which the next solve() has to compute again.
  [[nodiscard]] Cholesky take_factor();

  // Replaces `right` (|S| x any) by A_SS^-1 right for an ascending set S; false when A_SS, or the set factorised in
  // between, is not positive definite.
  bool solve(const Indices& set, Matrix& right);

 private:
  struct Exchange;
  [[nodiscard]] Exchange exchange(const Indices& set) const;
  [[nodiscard]] Matrix solve_exchanged(const Exchange& exchange, const Indices& set, const Matrix& right) const;

  const QuadraticForm& kernel_;
  double C_;
  Indices base_;
  Cholesky factor_;
};

}  // namespace parsimap
