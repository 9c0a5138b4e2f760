// How far apart the classes lie, two by two.
//
// Each class is a normal distribution with the covariance of its blended model (hdda/blended_model.hpp, rho = 0.5), so
// that classes of few samples have one too: S = Q diag(a) Q' + b (I - Q Q'). With M = (S_1 + S_2) / 2 and the
// difference of the means z the Bhattacharyya distance is
//   B = 1/8 z' M^-1 z + 1/2 log(det M / sqrt(det S_1 det S_2)),
// and the Jeffries-Matusita distance 2 (1 - exp(-B)), from 0 (the same) to 2 (apart), as remote sensing counts it.
#pragma once

#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/hdda/intrinsic_dimension.hpp"

namespace parsimap {

struct ClassPair {
  int first = 0;  // < second
  int second = 0;
  double bhattacharyya = 0;
  double jeffries_matusita = 0;
};

// All pairs of classes that have samples, in the order of the classes. `spectra` n x d, scaled; `labels` n class
// indices in [0, classes). Threads share the pairs; the result does not depend on their number.
std::vector<ClassPair> class_separability(const Matrix& spectra, const std::vector<int>& labels, std::size_t classes,
                                          const DimensionRule& dimension, int threads);

}  // namespace parsimap
