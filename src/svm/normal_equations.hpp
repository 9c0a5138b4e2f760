// The sums over a set S of samples that Newton's method needs of a classifier on m centres (svm/l2_svm.hpp).
// With p_i = (k(x_i, z_1) .. k(x_i, z_m), 1), the last entry for the bias,
//
//   A = sum_S C_i p_i p_i',   b = sum_S C_i y_i p_i.
//
// Another set costs only the samples by which it differs.
#pragma once

#include "parsimap/core/matrix_forms.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap {

class NormalEquations {
 public:
  // `labels` holds -1 and +1, `penalties` C_i > 0; all three are kept by the caller. Results do not depend on
  // `threads`.
  NormalEquations(const BasisForm& form, const Vector& labels, const Vector& penalties, int threads, const Work& work);

  // Makes the sums those over `set`, ascending.
  void move_to(const Indices& set);
  // Sums over the set again, without what rounding has left of samples that were in it.
  void sum_anew();

  // A, of which only the lower triangle is set, (m + 1) x (m + 1).
  [[nodiscard]] const Matrix& matrix() const { return matrix_; }
  // b, m + 1.
  [[nodiscard]] const Vector& right() const { return right_; }
  [[nodiscard]] const Indices& set() const { return set_; }

 private:
  void add(const Indices& rows, double sign);
  void add_block(const Indices& rows, double sign);

  const BasisForm& form_;
  const Vector& labels_;
  const Vector& penalties_;
  int threads_;
  const Work& work_;
  Indices set_;
  Matrix matrix_;
  Vector right_;
  Matrix block_;  // sqrt(C_i) p_i of the samples in work
};

// The loss of an L2-SVM, 1/2 sum_i C_i max(0, 1 - y_i f_i)^2, along a line of functions f + t df.

// The samples with y_i f_i < 1: those that the squared slack counts, ascending.
Indices inside_margin(const Vector& labels, const Vector& decision);

// `set`, or, where it has samples of one class only and so nothing but a constant function as its solution, every
// sample.
Indices with_both_classes(Indices set, const Vector& labels);

// A line of functions, and the penalty on their coefficients along it: 1/2 |w + t dw|^2.
struct HingeLine {
  const Vector& decision;  // f, n
  const Vector& change;    // df, n
  double inner = 0;        // <w, dw>
  double curvature = 0;    // |dw|^2
};

// The t > 0 with the lowest 1/2 |w + t dw|^2 + 1/2 sum_i C_i max(0, 1 - y_i (f_i + t df_i))^2, for a line along which
// this falls at t = 0. `labels` holds -1 and +1.
double line_search(const HingeLine& line, const Vector& labels, const Vector& penalties);

}  // namespace parsimap
