// One system A X = B, A = K_SS + diag(1/C_i), of an order that is too large to factorise: conjugate gradients (Hestenes
// and Stiefel 1952), preconditioned by P = F F' + D. F F' is a partial Cholesky factorisation of K_SS with the largest
// remaining diagonal entry, times C_i, as pivot (Harbrecht, Peters and Schneider 2012; Gardner and others 2018), D the
// diagonal of what it leaves of A.
//
// Memory is bounded: as many rows of K_SS as the cache may hold are kept, rounded to single precision, the others are
// computed for every product, panel by panel. Threads share the panels. Residuals of the whole system are computed in
// double precision from K itself and the solution is refined with them, so that the rounding costs iterations and not
// accuracy.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "parsimap/core/quadratic_form.hpp"
#include "parsimap/core/work.hpp"
#include "parsimap/svm/cholesky.hpp"

namespace parsimap {

struct IterativeOptions {
  Index rank = 1000;                                   // columns of F at most, 1 or more
  std::int64_t cache_bytes = std::int64_t{800} << 20;  // for rows of K_SS
  double tolerance = 1e-10;                            // of |B - A X| / |B| in every column
  Work work = {};                                      // told of the operations, but not of those of the kernel
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

}  // namespace parsimap
