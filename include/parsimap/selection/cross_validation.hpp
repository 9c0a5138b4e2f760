// Hyperparameters as most users of a Gaussian SVM choose them: one kernel width and one C for all classes, those with
// the best cross-validated accuracy on a grid. The baseline that the criteria are compared with.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/selection/descent.hpp"

namespace parsimap {

struct GridOptions {
  Index folds = 5;         // at least 2
  std::uint64_t seed = 0;  // of the folds
  // Called before every evaluation; it may throw to stop the search.
  std::function<void()> on_evaluation;
};

struct GridCell {
  double isotropic = 0;  // w_0, twice the gamma of LIBSVM: k(x, z) = exp(-1/2 w_0 |x - z|^2)
  double C = 1;
  double accuracy = 0;  // the fraction of all samples that were right when their fold was left out
};

struct GridSearch {
  Hyperparameters best;         // isotropic weight and C alone
  double accuracy = 0;          // of the best cell
  std::vector<GridCell> cells;  // kernels from wide to narrow, C ascending within each
  Index evaluations = 0;        // pairs of cell and fold: each trains all classes on the other folds
};

// How often a search with five folds calls on_evaluation.
inline constexpr Index kGridEvaluations = 6 * 7 * 5;

// One-vs-all L2-SVMs, the class of the largest decision value (the first of equals). 6 kernels x 7 C: w_0 / 2 is
// 10^-3 .. 10^2 over the mean squared distance of the samples, C is 10^-1 .. 10^5. Of equal accuracies the smaller C
// wins, then the wider kernel.
// `spectra` n x d, scaled; `labels` n class indices in [0, classes). A fold that has all samples of a class leaves it
// untrained and its samples wrong. DataError when fewer than two classes have at least two samples, or when all samples
// are equal.
GridSearch cross_validated_grid(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes,
                                const GridOptions& options = {});

}  // namespace parsimap
