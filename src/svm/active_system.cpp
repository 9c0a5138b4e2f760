#include <Eigen/LU>

#include <utility>

#include "parsimap/core/text.hpp"
#include "parsimap/svm/linear_systems.hpp"

namespace parsimap {
namespace {

// Samples are exchanged as long as they are at most one in this many of the factorised set. A factorisation costs as
// many operations as exchanging a third of the set, but exchanges are narrower products, which run slower.
constexpr std::size_t kExchangedPart = 8;

}  // namespace

std::string to_string(SolverStop stop) {
  static const Names<SolverStop> names = {{SolverStop::optimal, "optimal"},
                                          {SolverStop::iteration_limit, "iteration limit"},
                                          {SolverStop::not_positive, "kernel matrix not positive definite"}};
  return name_among(stop, names);
}

// How a set S follows from the factorised one, F; all positions ascending.
struct ActiveSystem::Exchange {
  Indices kept_base, kept_set;  // positions in F and in S of the samples in both
  Indices removed;              // positions in F
  Indices added;                // positions in S
};

bool ActiveSystem::factorise(const Indices& set) {
  Matrix system = kernel_.block(set, set);
  system.diagonal() += penalties_(set).cwiseInverse();
  factor_ = Cholesky(std::move(system), options_.work, options_.threads);
  base_ = factor_.positive() ? set : Indices{};
  return factor_.positive();
}

bool ActiveSystem::solve(const Indices& set, Matrix& right) {
  if (!can_factorise(set)) {
    // Too large to factorise: conjugate gradients. The old factor is freed first, because its room is needed.
    factor_ = Cholesky();
    base_.clear();
    iterative_.reset();
    IterativeOptions options;
    options.work = options_.work;
    options.threads = options_.threads;
    iterative_.emplace(kernel_, set, penalties_(set), options);
    return iterative_->solve(right);
  }
  // The active set of one Newton step mostly differs from the one before by a few samples. Then the old factor is used
  // again; otherwise the new set is factorised in its place.
  const Exchange change = exchange(set);
  const std::size_t exchanged = change.removed.size() + change.added.size();
  if (base_.empty() || exchanged * kExchangedPart > base_.size()) {
    if (!factorise(set)) {
      return false;
    }
    right = factor_.solve(std::move(right));
    return true;
  }
  right = exchanged == 0 ? factor_.solve(std::move(right)) : solve_exchanged(change, set, right);
  return true;
}

ActiveSystem::Exchange ActiveSystem::exchange(const Indices& set) const {
  // Both sets are ascending, so one pass over both, as in merging, finds what they share.
  Exchange change;
  std::size_t b = 0;
  std::size_t s = 0;
  while (b < base_.size() || s < set.size()) {
    if (s == set.size() || (b < base_.size() && base_[b] < set[s])) {
      change.removed.push_back(static_cast<Index>(b++));
    } else if (b == base_.size() || set[s] < base_[b]) {
      change.added.push_back(static_cast<Index>(s++));
    } else {
      change.kept_base.push_back(static_cast<Index>(b++));
      change.kept_set.push_back(static_cast<Index>(s++));
    }
  }
  return change;
}

Matrix ActiveSystem::solve_exchanged(const Exchange& change, const Indices& set, const Matrix& right) const {
  const auto added = static_cast<Index>(change.added.size());
  const auto removed = static_cast<Index>(change.removed.size());
  const Indices new_samples = values_at(set, change.added);
  // Notation of the header: A_FF = L L', B = [A_FN E_R] are the borders, b_F the right sides on the factorised set,
  // zero for samples that were removed. One triangular solve gives L^-1 B and L^-1 b_F together.
  Matrix half = Matrix::Zero(factor_.rows(), added + removed + right.cols());
  half.leftCols(added) = kernel_.block(base_, new_samples);
  for (Index k = 0; k < removed; ++k) {
    half(change.removed[static_cast<std::size_t>(k)], added + k) = 1;
  }
  half.rightCols(right.cols())(change.kept_base, Eigen::all) = right(change.kept_set, Eigen::all);
  factor_.solve_lower(half);

  // Eliminating x_F leaves a small system for the added samples and for the multipliers of the removed ones, with the
  // matrix [A_NN 0; 0 0] - B'A_FF^-1 B and the right sides [b_N; 0] - B'A_FF^-1 b_F.
  const auto borders = half.leftCols(added + removed);
  count_work(options_.work, operations(factor_.rows(), factor_.rows(), half.cols()) / 2);
  Matrix small = borders.transpose() * borders;
  small = -small;
  small.topLeftCorner(added, added) += kernel_.block(new_samples, new_samples);
  small.diagonal().head(added) += penalties_(new_samples).cwiseInverse();
  Matrix small_right = borders.transpose() * half.rightCols(right.cols());
  small_right = -small_right;
  small_right.topRows(added) += right(change.added, Eigen::all);
  const Matrix bordered = small.partialPivLu().solve(small_right);

  // Back substitution: x_F = A_FF^-1 (b_F - B [x_N; m]). The entries of removed samples are zero by construction.
  Matrix inside = half.rightCols(right.cols()) - borders * bordered;
  factor_.solve_upper(inside);
  Matrix solution(right.rows(), right.cols());
  solution(change.kept_set, Eigen::all) = inside(change.kept_base, Eigen::all);
  solution(change.added, Eigen::all) = bordered.topRows(added);
  return solution;
}

}  // namespace parsimap
