#include "parsimap/svm/linear_systems.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>

#include "parsimap/core/parallel_for.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {

// Rows of K_SS that are computed, kept and used together.
constexpr Index kFreeRows = 64;

// Columns of a panel in the cache that are used at the same time: as many as stay in the cache of the processor in
// double precision.
constexpr Index kChunk = 512;

// Rows and columns of the factor F that a thread takes at a time: as many as stay in the cache of the processor.
constexpr Index kFactorRows = 128;
constexpr Index kFactorColumns = 8;

// The same while F is made, when every row is used once.
constexpr Index kPivotRows = 1024;

// Products with a vector or two are made column by column: one of matrices would copy the larger one into another order
// first.

// Adds rows * x to `result`, with sums in double precision.
static void add_product(const MatrixF& rows, const Matrix& x, Eigen::Ref<Matrix> result) {
  for (Index first = 0; first < rows.cols(); first += kChunk) {
    const Index count = std::min(kChunk, rows.cols() - first);
    const Matrix values = rows.middleCols(first, count).cast<double>();
    for (Index c = 0; c < x.cols(); ++c) {
      result.col(c).noalias() += values * x.col(c).segment(first, count);
    }
  }
}

// How far conjugate gradients reduce a residual before it is computed anew in double precision, how often that is done
// at most, and how many steps each time. A correction need not be more exact: the next residual shows what it missed.
constexpr double kCorrectionTolerance = 1e-4;
constexpr int kCorrections = 12;
constexpr int kIterations = 2000;

IterativeSystem::IterativeSystem(const QuadraticForm& kernel, Indices set, Vector penalties,
                                 const IterativeOptions& options)
    : kernel_(kernel.restricted(std::move(set))),
      penalties_(std::move(penalties)),
      tolerance_(options.tolerance),
      work_(options.work),
      threads_(options.threads) {
  factorise_partly(std::min(options.rank, kernel_->size()));
  fill_cache(options.cache_bytes);
}

std::int64_t IterativeSystem::bytes(Index order, const IterativeOptions& options) {
  const auto factor = static_cast<std::int64_t>(sizeof(double)) * order * std::min(options.rank, order);
  const auto matrix = static_cast<std::int64_t>(sizeof(float)) * order * order;
  // The factor, and its scaled copy.
  return 2 * factor + std::min(options.cache_bytes, matrix);
}

// The preconditioner: columns f of F, one at a time. Each takes the sample whose remaining diagonal entry of K_SS - F
// F' is the largest in relation to 1/C_i, and removes all that the kernel matrix has in common with it.
void IterativeSystem::factorise_partly(Index rank) {
  const Index n = kernel_->size();
  Vector left = Vector::Ones(n);  // diagonal of K_SS - F F'
  Matrix factor(n, rank);
  Index columns = 0;
  for (; columns < rank; ++columns) {
    Index pivot = 0;
    // What is left is small beside the 1/C_i on the diagonal, and more columns would hardly change P.
    if (left.cwiseProduct(penalties_).maxCoeff(&pivot) <= 1e-3 && columns > 0) {
      break;
    }
    const Vector values = kernel_->product({pivot}, Vector::Ones(1));
    const Vector known = factor.row(pivot).head(columns);
    const double root = std::sqrt(left(pivot));
    parallel_for(part_count(n, kPivotRows), threads_, [&](Index part) {
      const Index first = part * kPivotRows;
      const Index count = std::min(kPivotRows, n - first);
      auto column = factor.col(columns).segment(first, count);
      column = values.segment(first, count);
      column.noalias() -= factor.block(first, 0, count, columns) * known;
      column /= root;
      left.segment(first, count) = (left.segment(first, count) - column.cwiseAbs2()).cwiseMax(0.0);
    });
    left(pivot) = 0;
    count_work(work_, operations(n, columns, 1));
  }
  // D is the diagonal of what F F' leaves of A = K_SS + diag(1/C_i). P = F F' + D is inverted through the small matrix
  // I + F'D^-1 F, whose order is the number of columns.
  scale_ = (left + penalties_.cwiseInverse()).array().rsqrt();
  scaled_factor_ = scale_.asDiagonal() * factor.leftCols(columns);
  Matrix inner = Matrix::Identity(columns, columns);
  add_self_product(inner, scaled_factor_.transpose(), 1, threads_);
  count_work(work_, operations(columns, columns, n) / 2);
  inner_ = Cholesky(std::move(inner), work_, threads_);
}

void IterativeSystem::fill_cache(std::int64_t bytes) {
  const Index n = kernel_->size();
  const std::int64_t panel_bytes = static_cast<std::int64_t>(sizeof(float)) * kFreeRows * n;
  cache_.resize(static_cast<std::size_t>(std::min<std::int64_t>(part_count(n, kFreeRows), bytes / panel_bytes)));
  parallel_for(static_cast<Index>(cache_.size()), threads_, [&](Index part) {
    const Index first = part * kFreeRows;
    cache_[static_cast<std::size_t>(part)] = kernel_->panel(first, std::min(kFreeRows, n - first)).cast<float>();
  });
}

// A x, from the rows in the cache where precision does not matter.
Matrix IterativeSystem::multiply(const Matrix& x, bool exactly) const {
  Matrix result = x.array().colwise() / penalties_.array();
  parallel_for(part_count(x.rows(), kFreeRows), threads_, [&](Index part) {
    const Index first = part * kFreeRows;
    auto rows = result.middleRows(first, std::min(kFreeRows, x.rows() - first));
    // Sums in double precision in any case: in single precision they would be wrong by more than 1/C_i.
    if (!exactly && part < static_cast<Index>(cache_.size())) {
      add_product(cache_[static_cast<std::size_t>(part)], x, rows);
    } else {
      rows.noalias() += kernel_->panel(first, rows.rows()) * x;
    }
    count_work(work_, operations(rows.rows(), x.rows(), x.cols()));
  });
  return result;
}

// P^-1 x by the formula of Sherman, Morrison and Woodbury,
//   (F F' + D)^-1 = D^-1/2 [ I - G (I + G'G)^-1 G' ] D^-1/2   with G = D^-1/2 F.
Matrix IterativeSystem::precondition(const Matrix& x) const {
  const Matrix& g = scaled_factor_;
  Matrix result = scale_.asDiagonal() * x;
  Matrix along(g.cols(), x.cols());  // G'x
  parallel_for(part_count(g.cols(), kFactorColumns), threads_, [&](Index part) {
    const Index first = part * kFactorColumns;
    const Index count = std::min(kFactorColumns, g.cols() - first);
    for (Index c = 0; c < x.cols(); ++c) {
      along.col(c).segment(first, count).noalias() = g.middleCols(first, count).transpose() * result.col(c);
    }
  });
  along = inner_.solve(std::move(along));
  parallel_for(part_count(g.rows(), kFactorRows), threads_, [&](Index part) {
    const Index first = part * kFactorRows;
    const Index count = std::min(kFactorRows, g.rows() - first);
    for (Index c = 0; c < x.cols(); ++c) {
      auto rows = result.col(c).segment(first, count);
      rows.noalias() -= g.middleRows(first, count) * along.col(c);
      rows.array() *= scale_.segment(first, count).array();
    }
  });
  count_work(work_, 2 * operations(g.rows(), g.cols(), x.cols()));
  return result;
}

// About A^-1 residual, by preconditioned conjugate gradients. The columns are systems of their own, each with its own
// step length, which share the products with A.
Matrix IterativeSystem::correction(const Matrix& residual) const {
  Matrix x = Matrix::Zero(residual.rows(), residual.cols());
  Matrix r = residual;
  Matrix z = precondition(r);
  Matrix direction = z;
  Eigen::ArrayXd decrease = r.cwiseProduct(z).colwise().sum();
  const Eigen::ArrayXd target = kCorrectionTolerance * residual.colwise().norm().transpose().array();
  for (int i = 0; i < kIterations; ++i) {
    // The step along the direction to the lowest point: length = r'z / direction'A direction.
    const Matrix product = multiply(direction, false);
    const Eigen::ArrayXd curvature = direction.cwiseProduct(product).colwise().sum();
    // A column that is solved, or whose rounding is all that is left, moves no further.
    const Eigen::ArrayXd length = (curvature > 0 && decrease > 0).select(decrease / curvature, 0.0);
    x += direction * length.matrix().asDiagonal();
    r -= product * length.matrix().asDiagonal();
    if ((r.colwise().norm().transpose().array() <= target).all() || (length == 0).all()) {
      break;
    }
    // The next direction is the preconditioned residual, made conjugate to the one before.
    z = precondition(r);
    const Eigen::ArrayXd next = r.cwiseProduct(z).colwise().sum();
    const Eigen::ArrayXd ratio = (length != 0).select(next / decrease, 0.0);
    direction = z + direction * ratio.matrix().asDiagonal();
    decrease = (length != 0).select(next, 0.0);
  }
  return x;
}

bool IterativeSystem::solve(Matrix& right) const {
  if (!inner_.positive()) {
    return false;
  }
  // Iterative refinement: the corrections use rows of K_SS that are rounded to single precision, but every residual is
  // computed in double precision, so the rounding costs more corrections and no accuracy.
  const Eigen::ArrayXd target = tolerance_ * right.colwise().norm().transpose().array();
  Matrix x = Matrix::Zero(right.rows(), right.cols());
  Matrix residual = right;
  for (int i = 0; i < kCorrections; ++i) {
    x += correction(residual);
    residual = right - multiply(x, true);
    const Eigen::ArrayXd missing = residual.colwise().norm();
    if ((missing <= target).all()) {
      right = std::move(x);
      return true;
    }
  }
  return false;
}

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

// Samples are exchanged as long as they are at most one in this many of the factorised set. A factorisation costs as
// many operations as exchanging a third of the set, but exchanges are narrower products, which run slower.
constexpr std::size_t kExchangedPart = 8;

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
