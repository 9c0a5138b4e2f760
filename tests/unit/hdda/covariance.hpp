// The covariance of spectra by its definition.
#pragma once

#include "parsimap/core/types.hpp"

namespace parsimap::toy {

// Of rows, with the divisor n.
inline Matrix covariance(const Matrix& x) {
  const Matrix centred = x.rowwise() - x.colwise().mean();
  return centred.transpose() * centred / static_cast<double>(x.rows());
}

}  // namespace parsimap::toy
