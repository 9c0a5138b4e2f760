// What the kernel matrix of the training samples needs and what does not change while its weights are learnt:
// projections on the class directions and squared Euclidean distances.
//
// With D_l,ij = (u_li - u_lj)^2, D_0,ij = |x_i - x_j|^2: K_ij = exp(-1/2 [sum_l w_l D_l,ij + w_0 D_0,ij]).
#pragma once

#include <memory>
#include <type_traits>

#include "parsimap/core/types.hpp"

namespace parsimap {

// The least exponent: of lesser ones exp() is no normal number and takes twice as long, and is 0 in every sum.
template <typename Scalar>
constexpr Scalar kLeastExponent = std::is_same_v<Scalar, double> ? Scalar(-700) : Scalar(-80);

// D_0 of the rows of `spectra`, n x n, with a zero diagonal.
Matrix squared_distances(const Matrix& spectra, int threads = 1);

// Weights of one kernel of a family; a family without directions has p = 0, one without the isotropic term has w_0 = 0.
struct KernelWeights {
  Vector directional;    // w_1 .. w_p
  double isotropic = 0;  // w_0
};

class TrainingGeometry {
 public:
  // `projections` n x p are u = X Q; `distances` is D_0, or null for a kernel without the isotropic term. `threads`
  // share the work, with the same results for any number of them.
  TrainingGeometry(Matrix projections, std::shared_ptr<const Matrix> distances, int threads = 1);

  [[nodiscard]] Index samples() const { return projections_.rows(); }
  [[nodiscard]] Index directions() const { return projections_.cols(); }
  [[nodiscard]] bool has_isotropic() const { return distances_ != nullptr; }
  [[nodiscard]] const Matrix& projections() const { return projections_; }

  // The kernel matrix, n x n. The second form writes it into a matrix whose memory is used again, for a descent that
  // computes many of them.
  [[nodiscard]] Matrix gram(const KernelWeights& weights) const;
  void gram(const KernelWeights& weights, Matrix& kernel) const;

  // The derivatives of sum_jk W_jk K_jk with respect to log w_1 .. log w_p and, where present, log w_0, with K_jk over
  // `rows` x `columns` and `weighted` = W o K of that shape. One product gives all of them:
  //   sum_jk M_jk (u_j - u_k)^2 = sum_j r_j u_j^2 + sum_k c_k u_k^2 - 2 u' M u.
  [[nodiscard]] Vector derivatives(const KernelWeights& weights, const Indices& rows, const Indices& columns,
                                   const Matrix& weighted) const;

 private:
  Matrix projections_;
  std::shared_ptr<const Matrix> distances_;
  int threads_;
};

}  // namespace parsimap
