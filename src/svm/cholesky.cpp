#include "parsimap/svm/cholesky.hpp"

#include <Eigen/Cholesky>

#include <utility>

namespace parsimap {
namespace {

// Blocks up to this order are left to Eigen.
constexpr Index kSmallest = 192;

// Halves start at multiples of the widest vector register.
constexpr Index kAlignment = 16;

// Overwrites the lower triangle of `a` by its factor L, with A cut into quarters:
//
//   [ A11  .  ]   [ L11   0  ] [ L11' L21' ]
//   [ A21 A22 ] = [ L21  L22 ] [  0   L22' ]
//
// L11 is the factor of A11, L21 = A21 L11'^-1, and L22 the factor of A22 - L21 L21'.
bool factorise(Eigen::Ref<Matrix> a, const Work& work) {
  const Index n = a.rows();
  if (n <= kSmallest) {
    count_work(work, operations(n, n, n) / 6);
    return Eigen::LLT<Eigen::Ref<Matrix>>(a).info() == Eigen::Success;
  }
  const Index half = (n / 2 + kAlignment - 1) / kAlignment * kAlignment;
  auto below = a.bottomLeftCorner(n - half, half);
  auto rest = a.bottomRightCorner(n - half, n - half);
  if (!factorise(a.topLeftCorner(half, half), work)) {
    return false;
  }
  a.topLeftCorner(half, half).triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(below);
  count_work(work, operations(n - half, half, half) / 2);
  rest.selfadjointView<Eigen::Lower>().rankUpdate(below, -1.0);
  count_work(work, operations(n - half, n - half, half) / 2);
  return factorise(rest, work);
}

}  // namespace

Cholesky::Cholesky(Matrix matrix, const Work& work) : lower_(std::move(matrix)), positive_(factorise(lower_, work)) {}

Matrix Cholesky::solve(Matrix right) const {
  lower_.triangularView<Eigen::Lower>().solveInPlace(right);
  lower_.triangularView<Eigen::Lower>().transpose().solveInPlace(right);
  return right;
}

}  // namespace parsimap
