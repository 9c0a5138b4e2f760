#include <Eigen/Cholesky>

#include <algorithm>
#include <utility>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/svm/linear_systems.hpp"

namespace parsimap {
namespace {

// Blocks up to this order are left to Eigen.
constexpr Index kSmallest = 192;

// From this order on products are cut into tiles, for threads to share.
constexpr Index kShared = 768;

// Halves start at multiples of the widest vector register.
constexpr Index kAlignment = 16;

// Right sides that are solved for together.
constexpr Index kRightSides = 32;

// A lower triangle that is overwritten by its factor.
class Factorisation {
 public:
  Factorisation(int threads, const Work& work) : threads_(threads), work_(work) {}

  // With A cut into quarters:
  //
  //   [ A11  .  ]   [ L11   0  ] [ L11' L21' ]
  //   [ A21 A22 ] = [ L21  L22 ] [  0   L22' ]
  //
  // L11 is the factor of A11, L21 = A21 L11'^-1, and L22 the factor of A22 - L21 L21'.
  [[nodiscard]] bool run(Eigen::Ref<Matrix> a) const {
    const Index n = a.rows();
    if (n <= kSmallest) {
      count_work(work_, operations(n, n, n) / 6);
      return Eigen::LLT<Eigen::Ref<Matrix>>(a).info() == Eigen::Success;
    }
    const Index half = (n / 2 + kAlignment - 1) / kAlignment * kAlignment;
    auto below = a.bottomLeftCorner(n - half, half);
    auto rest = a.bottomRightCorner(n - half, n - half);
    if (!run(a.topLeftCorner(half, half))) {
      return false;
    }
    if (n < kShared) {
      a.topLeftCorner(half, half).triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(below);
      rest.selfadjointView<Eigen::Lower>().rankUpdate(below, -1.0);
    } else {
      eliminate(a.topLeftCorner(half, half), below);
      add_self_product(rest, below, -1.0, threads_);
    }
    count_work(work_, operations(n - half, half, half) / 2 + operations(n - half, n - half, half) / 2);
    return run(rest);
  }

 private:
  // A21 L11'^-1, whose rows do not depend on each other.
  void eliminate(const Eigen::Ref<const Matrix>& factor, Eigen::Ref<Matrix> below) const {
    const Index order = tile_order(below.rows());
    parallel_for((below.rows() + order - 1) / order, threads_, [&](Index tile) {
      const Index first = tile * order;
      auto rows = below.middleRows(first, std::min(order, below.rows() - first));
      factor.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(rows);
    });
  }

  int threads_;
  const Work& work_;
};

}  // namespace

Cholesky::Cholesky(Matrix matrix, const Work& work, int threads)
    : lower_(std::move(matrix)), threads_(threads), positive_(Factorisation(threads, work).run(lower_)) {}

Matrix Cholesky::solve(Matrix right) const {
  solve_lower(right);
  solve_upper(right);
  return right;
}

void Cholesky::solve_lower(Matrix& right) const {
  by_columns(right, [&](auto some) { lower_.triangularView<Eigen::Lower>().solveInPlace(some); });
}

void Cholesky::solve_upper(Matrix& right) const {
  by_columns(right, [&](auto some) { lower_.triangularView<Eigen::Lower>().transpose().solveInPlace(some); });
}

void Cholesky::by_columns(Matrix& right, const std::function<void(Eigen::Ref<Matrix>)>& body) const {
  parallel_for((right.cols() + kRightSides - 1) / kRightSides, threads_, [&](Index part) {
    const Index first = part * kRightSides;
    body(right.middleCols(first, std::min(kRightSides, right.cols() - first)));
  });
}

}  // namespace parsimap
