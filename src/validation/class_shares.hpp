// The shares of classes that explain the shares of a map.
#pragma once

#include "parsimap/core/types.hpp"

namespace parsimap {

// The least of 1/2 x' H x - g' x over the simplex, x >= 0 and sum x = 1. `hessian` is positive definite.
Vector minimise_on_simplex(const Matrix& hessian, const Vector& gradient);

// The shares pi of the K classes with the least
//
//   (K - 1)/K sum_j (s_j - sum_c pi_c C_cj)^2 / v_j  +  1/u sum_c (pi_c - t_c)^2
//
// on the simplex: weighted least squares with a prior towards t of variance u, which counts where C leaves pi open. The
// factor (K - 1)/K accounts for residuals that sum up to 0.
Vector class_shares(const Matrix& confusion, const Vector& map_shares, const Vector& variances, const Vector& prior,
                    double prior_variance);

}  // namespace parsimap
