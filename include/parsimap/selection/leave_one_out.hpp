// The closed-form leave-one-out criterion of an L2-SVM and its gradient (method.md section 5).
//
// S the support vectors, H = [K_SS + I/C, 1; 1', 0], B the S x S block of H^-1. The decision value of sample i when it
// is left out is y_i - g_i / B_ii in S and f(x_i) outside (exact while removing i keeps S).
//
// J is the logistic loss of these values after their best calibration (logistic_calibration.hpp), where method.md has
// 1/n sum log(1 + exp(-2 y_i f_i)): that one rewards large values, which a comparison of classes does not use, with
// kernels that are too wide. To J comes the negative logarithm of a prior on the kernel's weights,
// 1/n sum_l 1/2 log(1 + w_l / w_0)^2.
#pragma once

#include <vector>

#include "parsimap/selection/criterion.hpp"
#include "parsimap/svm/margin_problem.hpp"

namespace parsimap {

// B of a solved margin problem, |S| x |S|.
Matrix leave_one_out_inverse(const MarginSolution& margin);

// Leave-one-out decision values of all n samples. `diagonal` is that of B, |S|.
Vector leave_one_out_decisions(const MarginSolution& margin, const Vector& labels, const Vector& diagonal);

class LeaveOneOut final : public Criterion {
 public:
  // `labels` in {-1, +1}, as many as the geometry has samples.
  LeaveOneOut(TrainingGeometry geometry, Vector labels);

  // A geometry and the samples whose values it gives.
  struct Part {
    TrainingGeometry geometry;
    Indices counted;  // ascending
  };
  // Every sample is counted in one part (projection_folds.hpp says why there are several). The geometries are of one
  // family and number of directions.
  LeaveOneOut(std::vector<Part> parts, Vector labels);

  CriterionValue evaluate(const Hyperparameters& parameters, bool with_gradient) override;

 private:
  struct Solved {
    Matrix kernel;  // its memory is used again
    MarginSolution margin;
    Matrix inverse;
    Vector start;  // decision function of the last evaluation, where the next one starts
  };
  [[nodiscard]] Vector gradient(const Hyperparameters& parameters, const TrainingGeometry& geometry,
                                const Solved& solved, const Vector& slopes) const;  // slopes: dJ/df, n

  std::vector<Part> parts_;
  std::vector<Solved> solved_;  // one for each part
  Vector labels_;
};

}  // namespace parsimap
