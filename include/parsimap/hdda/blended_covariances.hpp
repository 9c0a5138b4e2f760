// The class models of hdda/blended_model.hpp from the covariances themselves, for far more samples than bands: matrices
// of d x d per class are held in place of a centred copy of all spectra. They are added up block by block, in the order
// of the samples, and equal the others to rounding.
#pragma once

#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/hdda/subspace_model.hpp"

namespace parsimap {

class BlendedCovariances {
 public:
  // `spectra` n x d, n >= 1; `labels` n class indices in [0, classes). Classes may lack samples. `threads` classes at a
  // time; the result does not depend on them.
  BlendedCovariances(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes, int threads);

  // As BlendedModels::model.
  [[nodiscard]] SubspaceModel model(int c, double blend, const DimensionRule& rule) const;

 private:
  std::vector<Matrix> own_;    // S_c by class, d x d
  std::vector<Index> counts_;  // n_c
  Matrix within_;              // S_w
};

}  // namespace parsimap
