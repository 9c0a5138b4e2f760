// Class models whose covariance is blended with the pooled one within the classes, rho S_c + (1 - rho) S_w (Friedman
// 1989, regularised discriminant analysis): a class of few samples borrows the shape of the others.
//
// S_c = 1/n_c sum (x - m_c)(x - m_c)' over the samples of class c, m_c their mean; S_w = sum_c n_c/n S_c. The blend is
// A'A for the n x d matrix A of the samples centred on the means of their classes, sample i multiplied by
// sqrt([i in c] rho/n_c + (1 - rho)/n), so that its model comes from n x n where there are fewer samples than bands.
#pragma once

#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/hdda/subspace_model.hpp"

namespace parsimap {

class BlendedModels {
 public:
  // A class with fewer samples than this has no covariance of its own worth the name: it takes the pooled one.
  static constexpr Index kLeastSamples = 4;

  // `spectra` n x d, n >= 1; `labels` n class indices in [0, classes). Classes may lack samples.
  BlendedModels(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes);

  // The model of rho S_c + (1 - rho) S_w for `blend` rho in [0, 1]. Without any variance it has no directions and noise
  // variance 0.
  [[nodiscard]] SubspaceModel model(int c, double blend, const DimensionRule& rule) const;

 private:
  Matrix centred_;                // n x d, every sample less the mean of its class
  std::vector<Indices> members_;  // by class, ascending
};

}  // namespace parsimap
