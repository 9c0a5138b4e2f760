// Kernels in the metrics of the classes beside the Gaussian one (kernel/mahalanobis_kernel.hpp). Fauvel et al. (2013)
// name them as future work. With the inner product of a class's metric,
//
//   <x, z>_c = sum_l v_l (q_l'x)(q_l'z) + w_0 x'(I - Q Q')z,
//
// - the polynomial kernel of class c is the cosine of (x, 1) and (z, 1) in that metric, to the power r:
//     k_c(x, z) = [ (<x, z>_c + 1) / sqrt((<x, x>_c + 1)(<z, z>_c + 1)) ]^r.
//   The paper has the numerator alone. Its values go over many orders of magnitude, so that few spectra far from the
//   origin decide and no range of C suits all metrics; with k(x, x) = 1 penalties mean what they mean for the Gaussian
//   kernel. Unlike that kernel it depends on the origin, which is that of the spectra as they are scaled.
// - the sum of the classes' Gaussian kernels is the same for the machines of all classes:
//     k(x, z) = 1/K sum_c exp(-1/2 |x - z|_c^2).
//
// Powers and sums of kernels are kernels, and so is a kernel that is normalised.
#pragma once

#include <functional>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/kernel/class_metric.hpp"

namespace parsimap {

struct MetricKernel {
  enum class Form { polynomial, sum };
  Form form = Form::polynomial;
  int degree = 2;  // r >= 1 of the polynomial
};

// Which classes, of indices in [0, classes), have a kernel in common, which is made of their metrics: each its own
// polynomial, but all of them the sum.
std::vector<std::vector<int>> classes_by_kernel(const MetricKernel& kernel, int classes);

// The kernel between two sets of samples when all weights of its metrics are multiplied by `width`.
using KernelOfWidth = std::function<Matrix(double width)>;

// k(x_i, z_j) for the rows x_i of `x` (n x d) and z_j of `z` (m x d), n x m, with what does not depend on the width
// computed once: n x m numbers for each metric. `metrics` are those of the classes that have the kernel in common.
KernelOfWidth kernel_of_width(const MetricKernel& kernel, const std::vector<ClassMetric>& metrics, const Matrix& x,
                              const Matrix& z);

// The same at width 1, in panels of rows, so that nothing else of its size is held.
Matrix kernel_matrix(const MetricKernel& kernel, const std::vector<ClassMetric>& metrics, const Matrix& x,
                     const Matrix& z);

}  // namespace parsimap
