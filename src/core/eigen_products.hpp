#pragma once

#include <Eigen/Dense>

// Eigen's products of matrices and vectors of doubles, compiled once, in eigen_products.cpp. Every batch of files that
// multiplies matrices would otherwise compile the same functions again. This header is precompiled, and included
// nowhere else: without it the program is the same. Eigen asks that none of these functions be inlined (but for the
// outermost one, which is too long for it), so no call becomes slower, and no number differs.
//
// For matrices stored by columns and by rows: the core of a product of matrices, the copies of its operands in the
// order of its loops, the loops around it, and the product of a matrix and a vector.
#ifndef PARSIMAP_EIGEN_PRODUCTS
#define PARSIMAP_EIGEN_PRODUCTS extern template
#endif

namespace Eigen::internal {

using ProductTraits = gebp_traits<double, double>;
template <int storage>
using ProductOperand = const_blas_data_mapper<double, Index, storage>;

PARSIMAP_EIGEN_PRODUCTS struct gebp_kernel<double, double, Index,
                                           blas_data_mapper<double, Index, ColMajor, Unaligned, 1>, ProductTraits::mr,
                                           ProductTraits::nr, false, false>;
PARSIMAP_EIGEN_PRODUCTS struct gemm_pack_lhs<double, Index, ProductOperand<ColMajor>, ProductTraits::mr,
                                             ProductTraits::LhsProgress, ProductTraits::LhsPacket4Packing, ColMajor>;
PARSIMAP_EIGEN_PRODUCTS struct gemm_pack_lhs<double, Index, ProductOperand<RowMajor>, ProductTraits::mr,
                                             ProductTraits::LhsProgress, ProductTraits::LhsPacket4Packing, RowMajor>;
PARSIMAP_EIGEN_PRODUCTS struct gemm_pack_rhs<double, Index, ProductOperand<ColMajor>, ProductTraits::nr, ColMajor>;
PARSIMAP_EIGEN_PRODUCTS struct gemm_pack_rhs<double, Index, ProductOperand<RowMajor>, ProductTraits::nr, RowMajor>;
PARSIMAP_EIGEN_PRODUCTS struct general_matrix_matrix_product<Index, double, ColMajor, false, double, ColMajor, false,
                                                             ColMajor, 1>;
PARSIMAP_EIGEN_PRODUCTS struct general_matrix_matrix_product<Index, double, ColMajor, false, double, RowMajor, false,
                                                             ColMajor, 1>;
PARSIMAP_EIGEN_PRODUCTS struct general_matrix_matrix_product<Index, double, RowMajor, false, double, ColMajor, false,
                                                             ColMajor, 1>;
PARSIMAP_EIGEN_PRODUCTS struct general_matrix_vector_product<Index, double, ProductOperand<ColMajor>, ColMajor, false,
                                                             double, ProductOperand<RowMajor>, false>;
PARSIMAP_EIGEN_PRODUCTS struct general_matrix_vector_product<Index, double, ProductOperand<RowMajor>, RowMajor, false,
                                                             double, ProductOperand<ColMajor>, false>;
PARSIMAP_EIGEN_PRODUCTS struct general_matrix_vector_product<Index, double, ProductOperand<RowMajor>, RowMajor, false,
                                                             double, ProductOperand<RowMajor>, false, 1>;

// The same of single precision, for the core and its copies.
using SingleTraits = gebp_traits<float, float>;
PARSIMAP_EIGEN_PRODUCTS struct gebp_kernel<float, float, Index, blas_data_mapper<float, Index, ColMajor, Unaligned, 1>,
                                           SingleTraits::mr, SingleTraits::nr, false, false>;

// Solutions of triangular systems, and the sizes of the blocks of a product.
PARSIMAP_EIGEN_PRODUCTS struct triangular_solve_matrix<double, Index, OnTheRight, Upper, false, RowMajor, ColMajor, 1>;
PARSIMAP_EIGEN_PRODUCTS struct triangular_solve_matrix<double, Index, OnTheLeft, Lower, false, ColMajor, ColMajor, 1>;
PARSIMAP_EIGEN_PRODUCTS struct triangular_solve_matrix<double, Index, OnTheLeft, Upper, false, RowMajor, ColMajor, 1>;
PARSIMAP_EIGEN_PRODUCTS void evaluateProductBlockingSizesHeuristic<double, double, 1, Index>(Index&, Index&, Index&,
                                                                                             Index);

}  // namespace Eigen::internal
