#include "parsimap/svm/iterative_system.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace parsimap {
namespace {

// Rows of K_SS that are computed, kept and used together.
constexpr Index kPanel = 32;

// How far conjugate gradients reduce a residual before it is computed anew in double precision, how often that is done
// at most, and how many steps each time. A correction need not be more exact: the next residual shows what it missed.
constexpr double kCorrectionTolerance = 1e-4;
constexpr int kCorrections = 12;
constexpr int kIterations = 2000;

}  // namespace

IterativeSystem::IterativeSystem(const QuadraticForm& kernel, Indices set, Vector penalties,
                                 const IterativeOptions& options)
    : kernel_(kernel),
      set_(std::move(set)),
      penalties_(std::move(penalties)),
      tolerance_(options.tolerance),
      work_(options.work) {
  factorise_partly(std::min(options.rank, static_cast<Index>(set_.size())));
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
  const auto n = static_cast<Index>(set_.size());
  Vector left = Vector::Ones(n);  // diagonal of K_SS - F F'
  Matrix factor(n, rank);
  Index columns = 0;
  for (; columns < rank; ++columns) {
    Index pivot = 0;
    // What is left is small beside the 1/C_i on the diagonal, and more columns would hardly change P.
    if (left.cwiseProduct(penalties_).maxCoeff(&pivot) <= 1e-3 && columns > 0) {
      break;
    }
    const auto known = factor.leftCols(columns);
    Vector column = kernel_.block(set_, {set_[static_cast<std::size_t>(pivot)]});
    count_work(work_, operations(n, columns, 1));
    column.noalias() -= known * known.row(pivot).transpose();
    column /= std::sqrt(left(pivot));
    left = (left - column.cwiseAbs2()).cwiseMax(0.0);
    left(pivot) = 0;
    factor.col(columns) = column;
  }
  // D is the diagonal of what F F' leaves of A = K_SS + diag(1/C_i). P = F F' + D is inverted through the small matrix
  // I + F'D^-1 F, whose order is the number of columns.
  scale_ = (left + penalties_.cwiseInverse()).array().rsqrt();
  scaled_factor_ = scale_.asDiagonal() * factor.leftCols(columns);
  Matrix inner = Matrix::Identity(columns, columns);
  inner.selfadjointView<Eigen::Lower>().rankUpdate(scaled_factor_.transpose());
  inner_ = Cholesky(std::move(inner));
}

Indices IterativeSystem::panel(Index first) const {
  const Index last = std::min(first + kPanel, static_cast<Index>(set_.size()));
  return {set_.begin() + first, set_.begin() + last};
}

void IterativeSystem::fill_cache(std::int64_t bytes) {
  const auto n = static_cast<Index>(set_.size());
  const auto panel_bytes = static_cast<std::int64_t>(sizeof(float)) * kPanel * n;
  for (Index first = 0; first < n && bytes >= panel_bytes; first += kPanel, bytes -= panel_bytes) {
    cache_.emplace_back(kernel_.block(panel(first), set_).cast<float>());
  }
}

// A x, from the rows in the cache where precision does not matter.
Matrix IterativeSystem::multiply(const Matrix& x, bool exactly) const {
  Matrix result = x.array().colwise() / penalties_.array();
  for (Index first = 0; first < x.rows(); first += kPanel) {
    const Index rows = std::min(kPanel, x.rows() - first);
    const auto index = static_cast<std::size_t>(first / kPanel);
    const bool kept = !exactly && index < cache_.size();
    // Sums in double precision in any case: in single precision they would be wrong by more than 1/C_i.
    const Matrix values = kept ? Matrix(cache_[index].cast<double>()) : kernel_.block(panel(first), set_);
    result.middleRows(first, rows).noalias() += values * x;
  }
  count_work(work_, operations(x.rows(), x.rows(), x.cols()));
  return result;
}

// P^-1 x by the formula of Sherman, Morrison and Woodbury,
//   (F F' + D)^-1 = D^-1/2 [ I - G (I + G'G)^-1 G' ] D^-1/2   with G = D^-1/2 F.
Matrix IterativeSystem::precondition(const Matrix& x) const {
  const Matrix scaled = scale_.asDiagonal() * x;
  return scale_.asDiagonal() * (scaled - scaled_factor_ * inner_.solve(scaled_factor_.transpose() * scaled));
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

}  // namespace parsimap
