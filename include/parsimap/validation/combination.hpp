// Decision values of one-against-rest classifiers are not quite comparable where classes differ in size and spread.
// What combines them learns from the values of samples left out (docs/method.md, "Combined decision values").
#pragma once

#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// g = M f of the rows of `values` (n x K); the values themselves where `combination` is empty. A class that was not
// trained keeps its -infinity, and counts in no other value.
Matrix combined(const Matrix& combination, const Matrix& values);

// M of the lowest mean logarithmic loss of softmax(slope M f) and a ridge that draws M to the identity. `values` n x K
// are decision values of samples with these labels, that count as much as their weights (n). Samples with a value that
// is not finite are passed over; rows and columns of classes without any other sample, and for more than 50 classes all
// entries off the diagonal, are those of the identity.
Matrix fit_combination(const Matrix& values, const std::vector<int>& labels, const Vector& weights, double slope,
                       double ridge);

}  // namespace parsimap
