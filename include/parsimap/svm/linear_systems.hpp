// Linear systems of a kernel matrix with the reciprocal penalties on its diagonal: factorised, solved iteratively, and
// on sets of samples that change little from one to the next.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/core/matrix_forms.hpp"
#include "parsimap/core/progress.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap {

// The Cholesky factor L of a symmetric positive definite matrix, A = L L'. The matrix is halved again and again, so
// that nearly all of the work is products of large matrices, which makes it a third faster than a factorisation by
// narrow panels (Toledo 1997; Gustavson 1997). The large products are cut into tiles, which threads share; the tiles
// depend on the order of the matrix alone, and so do all sums.
class Cholesky {
 public:
  Cholesky() = default;
  // Reads the lower triangle of `matrix` only. Check positive() before anything else.
  explicit Cholesky(Matrix matrix, const Work& work = {}, int threads = 1);

  [[nodiscard]] Index rows() const { return lower_.rows(); }
  // Whether the matrix was positive definite to working precision.
  [[nodiscard]] bool positive() const { return positive_; }
  // L; what stands above its diagonal has no meaning.
  [[nodiscard]] const Matrix& lower() const { return lower_; }

  // A^-1 right, rows() x any.
  [[nodiscard]] Matrix solve(Matrix right) const;
  // Replaces `right` by L^-1 right, or by L'^-1 right.
  void solve_lower(Matrix& right) const;
  void solve_upper(Matrix& right) const;

 private:
  void by_columns(Matrix& right, const std::function<void(Eigen::Ref<Matrix>)>& body) const;

  Matrix lower_;
  int threads_ = 1;
  bool positive_ = false;
};

// One system A X = B, A = K_SS + diag(1/C_i), of an order that is too large to factorise: conjugate gradients (Hestenes
// and Stiefel 1952), preconditioned by P = F F' + D. F F' is a partial Cholesky factorisation of K_SS with the largest
// remaining diagonal entry, times C_i, as pivot (Harbrecht, Peters and Schneider 2012; Gardner and others 2018), D the
// diagonal of what it leaves of A.
//
// Memory is bounded: as many rows of K_SS as the cache may hold are kept, rounded to single precision, the others are
// computed for every product, panel by panel. Threads share the panels. Residuals of the whole system are computed in
// double precision from K itself and the solution is refined with them, so that the rounding costs iterations and not
// accuracy.
struct IterativeOptions {
  Index rank = 1000;                                   // columns of F at most, 1 or more
  std::int64_t cache_bytes = std::int64_t{800} << 20;  // for rows of K_SS
  double tolerance = 1e-10;                            // of |B - A X| / |B| in every column
  Work work = {};                                      // receives the operations, but not those of the kernel
  int threads = 1;
};

class IterativeSystem {
 public:
  // `set` ascending, `penalties` C_i > 0 of the samples in it; the kernel is kept by the caller.
  IterativeSystem(const QuadraticForm& kernel, Indices set, Vector penalties, const IterativeOptions& options = {});

  // About how much memory a system of this order holds, beside the form that the kernel restricts itself to.
  static std::int64_t bytes(Index order, const IterativeOptions& options);

  // Replaces `right` (|S| x any) by A^-1 right; false when the tolerance cannot be reached.
  bool solve(Matrix& right) const;

 private:
  void factorise_partly(Index rank);
  void fill_cache(std::int64_t bytes);
  [[nodiscard]] Matrix multiply(const Matrix& x, bool exactly) const;
  [[nodiscard]] Matrix precondition(const Matrix& x) const;
  [[nodiscard]] Matrix correction(const Matrix& residual) const;

  std::unique_ptr<const QuadraticForm> kernel_;  // K_SS
  Vector penalties_;
  double tolerance_;
  Work work_;
  int threads_;
  std::vector<MatrixF> cache_;  // the first rows of K_SS, panel by panel
  Vector scale_;                // D^-1/2
  Matrix scaled_factor_;        // D^-1/2 F
  Cholesky inner_;              // of I + F' D^-1 F
};

// Systems A_SS x = b of one matrix A = K + diag(1/C_i) on index sets S that change little from one to the next, as an
// active-set method asks for them.
//
// One set F is factorised. With R = F \ S and N = S \ F the solution on S is that of the bordered system
//
//   [ A_FF  A_FN  E_R ] [x_F]   [b_F]
//   [ A_NF  A_NN   0  ] [x_N] = [b_N],   b_R = 0,
//   [ E_R'   0     0  ] [ m ]   [ 0 ]
//
// which holds x_R at zero: two products with L^-1 and a small system of order |R| + |N|, instead of a factorisation of
// A_SS. Sets that differ too much from F are factorised in its place. Sets too large to factorise are solved
// iteratively.

// Why a solver of one of the two quadratic problems of an L2-SVM stopped.
enum class SolverStop {
  optimal,          // the active set is that of the optimum, or the KKT violation is below the tolerance
  iteration_limit,  // the iterations ran out; the solution is the best feasible one known, not the optimum
  not_positive      // K + diag(1/C_i) is not positive definite to working precision
};

std::string to_string(SolverStop stop);

struct SolverOptions {
  Index iterations = 200;       // linear systems at most
  double kkt_tolerance = 1e-9;  // of a solution whose active set still flickers between ties
  // Order of the margin problem's systems that are factorised at most; larger ones are solved iteratively.
  Index largest_factor = std::numeric_limits<Index>::max();
  Work work = {};   // receives operations of factorisations and iterations; kernels count their own
  int threads = 1;  // share a factorisation or an iteration, with the same result for any number of them
};

class ActiveSystem {
 public:
  // `penalties` holds C_i > 0 of every sample of the kernel, which is kept by the caller.
  ActiveSystem(const QuadraticForm& kernel, Vector penalties, SolverOptions options = {})
      : kernel_(kernel), penalties_(std::move(penalties)), options_(std::move(options)) {}
  // The same penalty C for all samples.
  ActiveSystem(const QuadraticForm& kernel, double C, SolverOptions options = {})
      : ActiveSystem(kernel, Vector(Vector::Constant(kernel.size(), C)), std::move(options)) {}

  [[nodiscard]] const QuadraticForm& kernel() const { return kernel_; }
  [[nodiscard]] const Vector& penalties() const { return penalties_; }

  [[nodiscard]] bool can_factorise(const Indices& set) const {
    return static_cast<Index>(set.size()) <= options_.largest_factor;
  }

  // Factorises A_SS for an ascending set; false when it is not positive definite to working precision.
  bool factorise(const Indices& set);
  // The set factorised last.
  [[nodiscard]] const Indices& factorised() const { return base_; }

  // Replaces `right` (|S| x any) by A_SS^-1 right for an ascending set S; false when A_SS, or the set factorised in
  // between, is not positive definite, or when the iteration does not converge.
  bool solve(const Indices& set, Matrix& right);

 private:
  struct Exchange;
  [[nodiscard]] Exchange exchange(const Indices& set) const;
  [[nodiscard]] Matrix solve_exchanged(const Exchange& exchange, const Indices& set, const Matrix& right) const;

  const QuadraticForm& kernel_;
  Vector penalties_;
  SolverOptions options_;
  Indices base_;
  Cholesky factor_;
  std::optional<IterativeSystem> iterative_;  // of the set last solved iteratively
};

}  // namespace parsimap
